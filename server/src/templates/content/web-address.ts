/** A complete http or https address. Whether it can be reached is for others to say. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
