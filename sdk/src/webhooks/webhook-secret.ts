/**
 * The HMAC key a webhook secret stands for:
 *
 * - `whsec_` and strict base64 of 24 to 64 bytes: those bytes;
 * - any other text of 1 to 256 printable ASCII characters: its characters.
 *
 * @throws TypeError for anything else. An empty or damaged secret must never verify a request.
 */
export function keyOfSecret(secret: string): Uint8Array {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('The webhook secret is empty')
  if (secret.startsWith('whsk_')) throw new TypeError('Asymmetric webhook secrets (whsk_) are not supported')
  if (secret.startsWith('whsec_')) return decodeStrict(secret.slice('whsec_'.length))
  if (!/^[\x20-\x7e]{1,256}$/.test(secret)) {
    throw new TypeError('The webhook secret must be 1 to 256 printable ASCII characters')
  }
  return new TextEncoder().encode(secret)
}

/** Lenient decoders turn `whsec_xyz!` into a key of two bytes, so only text that encodes back to itself counts. */
function decodeStrict(base64: string): Uint8Array {
  const binary = isBase64(base64) ? atob(base64) : ''
  if (btoa(binary) !== base64 || binary.length < 24 || binary.length > 64) {
    throw new TypeError('A whsec_ secret must be base64 of 24 to 64 bytes; drop the prefix if it is plain text')
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** `atob` throws on anything else, in words that quote nothing but help nobody. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}
