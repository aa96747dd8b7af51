import { text, withHint } from './schema.ts'

/** The form of a webhook secret; the verbs read it with the same rules. */
const secretDigit = '[A-Za-z0-9+/]'
const secretEncoded = [
  `(?:${secretDigit}{4}){8,21}`,
  `(?:${secretDigit}{4}){8,21}${secretDigit}[AQgw]==`,
  `(?:${secretDigit}{4}){8,20}${secretDigit}{2}[AEIMQUYcgkosw048]=`,
].join('|')

/**
 * `whsec_` with canonical base64 of 24 to 64 bytes, or 1 to 256 printable ASCII characters with another beginning.
 * Receivers' libraries read characters beyond ASCII in different ways, and lenient base64 would turn a typing error into
 * a key of two bytes; both are refused.
 */
export const secretPattern = `^(?:whsec_(?:${secretEncoded})|(?!whsec_|whsk_)[\\x20-\\x7e]{1,256})$`

export const secretAdvice =
  'Give whsec_ and base64 of 24 to 64 bytes, or drop the prefix and use 1 to 256 printable ASCII characters.'

export const Secret = text(
  'Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.',
  {
    pattern: secretPattern,
    'x-secret': true,
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ...withHint('invalid_secret', secretAdvice),
  },
)
