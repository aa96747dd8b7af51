/** The platform's header, as its clients check it. `mac` is the HMAC of the app's secret, in hex. */
export function signedHeaders(mac: (body: Uint8Array) => string, body: Uint8Array): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${mac(body)}` }
}
