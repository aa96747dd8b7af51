import { type TSchema, Type } from 'typebox'

/** How a route documents an answer that is no JSON; what it sends is a stream, which no schema describes. */
export function streamAnswer(mediaType: string, description: string, format?: 'binary'): TSchema {
  const schema = { type: 'string', ...(format ? { format } : {}) }
  return Type.Unsafe<unknown>({ description, content: { [mediaType]: { schema } } })
}
