/** What the browser offers when a file is chosen. The gateway decides by the bytes. */
const images = ['image/jpeg', 'image/png']
const videos = ['video/mp4', 'video/3gpp']
const sounds = ['.aac', '.amr', '.m4a', '.mp3', '.ogg', '.opus']
const documents = ['.pdf', '.txt', '.doc', '.docx', '.xls', '.xlsx', '.ppt', '.pptx']

/** What can be sent to a customer. */
export const sendableFiles = [...images, ...videos, ...sounds, ...documents].join(',')

/** What a customer can send: stickers too. */
export const receivableFiles = `${sendableFiles},image/webp`

/** What the header of a template takes; of documents, Meta sends PDFs only. */
export const headerFiles = { image: images.join(','), video: videos.join(','), document: '.pdf' } as const
