import type { IncomingMessage } from 'node:http'

/** Headers of which there is one. A proxy may go by another of two than we do, so neither is to be trusted. */
const single = ['Host', 'Authorization']

/** The name of a header that came twice, or null. Node would keep the first and drop the others without a word. */
export function repeatedHeader({ rawHeaders }: IncomingMessage): string | null {
  for (const name of single) {
    let seen = false
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const given = rawHeaders[index] ?? ''
      if (given.length !== name.length || given.toLowerCase() !== name.toLowerCase()) continue
      if (seen) return name
      seen = true
    }
  }
  return null
}
