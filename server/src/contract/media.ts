import Type from 'typebox'
import { instant, integer, model, nullable, object, oneOf, part, text } from './schema.ts'

/** As the sentences of refusals list them. */
export const acceptedTypes =
  'JPEG and PNG images, PDF, Word, Excel, PowerPoint and plain text, AAC, AMR, M4A, MP3 and OGG (Opus), MP4 and 3GP, and WebP stickers'

const limits =
  'Images: JPEG, PNG (5 MB). Documents: PDF, Word, Excel, PowerPoint, plain text (100 MB). Audio: AAC, AMR, M4A, MP3, OGG with Opus (16 MB). Video: MP4, 3GP (16 MB). Stickers: WebP (100 KB, animated 500 KB). 1 MB is 1,048,576 bytes.'

/** What media/upload-media.ts takes: no path, nothing that ends a line or turns the direction of text. */
const inName = (also: string) =>
  String.raw`[^${also}\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\/]`

/** Read as a stream by http/shared/uploads.ts; the schema documents it. */
export const MediaForm = part('A form with the file.', {
  file: text(
    `${limits} The bytes decide the type, not the name; the Content-Type of the part counts where they cannot, as for plain text.`,
    // Without a length: generators for Go would count characters of a file.
    { format: 'binary', examples: ['<bytes of receipt.pdf>'] },
  ),
  filename: Type.Optional(
    text("Name to keep instead of the file's own; without path, line breaks or control characters.", {
      minLength: 1,
      maxLength: 240,
      pattern: `^${inName('')}*${inName(String.raw`\s`)}${inName('')}*$`,
      examples: ['receipt.pdf'],
    }),
  ),
})

const mediaExample = 'med_01ka3m7y3t4d0v9v4k6q1t7r2c'
const mediaId = text('Id of the file.', { examples: [mediaExample] })

export const MediaFile = model('MediaFile', 'A stored file, without its bytes.', {
  media_id: mediaId,
  type: oneOf(['image', 'document', 'audio', 'video', 'sticker'], {
    description: 'Kind of file.',
    examples: ['document'],
  }),
  mime_type: text('MIME type, found from the bytes; of a file from a customer, as Meta gives it.', {
    examples: ['application/pdf'],
  }),
  filename: nullable(text('Name of the file, if it has one.', { examples: ['receipt.pdf'] })),
  size: nullable(integer('Size in bytes; null while a file of a customer is being fetched.', { examples: [48_213] })),
  sha256: nullable(
    text('SHA-256 of the bytes, hexadecimal; null while a file of a customer is being fetched.', {
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
  created_at: instant({ description: 'When the gateway got the file.' }),
  expires_at: nullable(instant({ description: 'When the gateway deletes the file; null when it is kept.' })),
})

export const MediaParams = object({
  media_id: text('Id of the file.', { minLength: 1, maxLength: 255, examples: [mediaExample] }),
})

export const DeletedMedia = model('DeletedMedia', 'The file that was deleted.', {
  media_id: mediaId,
  deleted: Type.Literal(true, { description: 'Always true.' }),
})
