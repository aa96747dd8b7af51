import Type from 'typebox'
import { instant, named, nullable, object, oneOf } from './schema.ts'

const limits = 'JPEG or PNG (5 MB), PDF (100 MB), MP3 or OGG (16 MB), MP4 (16 MB); 1 MB is 1,048,576 bytes.'

/** What media/filename.ts takes: no path, nothing that ends a line or turns the direction of text. */
const inName = (also: string) =>
  String.raw`[^${also}\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\/]`

/** Read as a stream by http/media-form.ts; the schema documents it. */
export const MediaForm = object({
  file: Type.String({ format: 'binary', minLength: 1, description: `${limits} The type is told from the bytes.` }),
  filename: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 240,
      pattern: `^${inName('')}*${inName(String.raw`\s`)}${inName('')}*$`,
      description: "Instead of the file's own name; without path, line breaks or control characters.",
    }),
  ),
})

export const MediaFile = named(
  'MediaFile',
  object({
    media_id: Type.String(),
    type: oneOf(['image', 'document', 'audio', 'video']),
    mime_type: Type.String(),
    filename: nullable(Type.String()),
    size: nullable(Type.Integer({ description: 'In bytes; null while an inbound file is being fetched.' })),
    sha256: nullable(Type.String({ description: 'Hexadecimal; null while an inbound file is being fetched.' })),
    created_at: instant(),
    expires_at: nullable(instant()),
  }),
)

export const MediaParams = object({ media_id: Type.String({ minLength: 1, maxLength: 255 }) })

export const DeletedMedia = named('DeletedMedia', object({ media_id: Type.String(), deleted: Type.Literal(true) }))
