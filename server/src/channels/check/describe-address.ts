import type { Runtime } from '../../runtime.ts'

/** An address that callbacks go to, for people. One of this gateway that is not theirs is not for them to see. */
export function describeAddress(rt: Runtime, url: string): string {
  if (url.startsWith(`${rt.urls.base}/channel/`)) return 'the address of another account of this gateway'
  const parsed = URL.parse(url)
  return parsed ? `${parsed.origin}${parsed.pathname}` : 'another address'
}
