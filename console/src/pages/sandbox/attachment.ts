export type Attachment = {
  type: 'image' | 'document' | 'audio' | 'video' | 'sticker'
  filename: string
  mime_type: string
  data_base64: string
}

/** A JSON body holds 256 KiB, and base64 makes four characters of three bytes. */
export const fileBytesMax = 170_000
const sidePixels = 1_280

/** A picture is made small enough; any other file has to be. Null: it is too large. */
export async function toAttachment(file: File): Promise<Attachment | null> {
  const kind = kindOf(file.type)
  const small = kind === 'image' && file.size > fileBytesMax ? await shrunk(file) : file
  if (small.size > fileBytesMax) return null
  return {
    type: kind,
    filename: file.name,
    mime_type: small.type || 'application/octet-stream',
    data_base64: await base64Of(small),
  }
}

export function kindOf(mimeType: string): Attachment['type'] {
  // WhatsApp knows WebP as stickers only.
  if (mimeType === 'image/webp') return 'sticker'
  const [family] = mimeType.split('/')
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

async function shrunk(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, sidePixels / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  for (const quality of [0.8, 0.6, 0.4]) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob && blob.size <= fileBytesMax) return blob
  }
  return file
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'))
    reader.readAsDataURL(blob)
  })
}
