import type { Runtime } from '../../runtime.ts'
import type { ChannelAccess } from '../open-channel.ts'
import { type CheckStep, failed, ok } from './check-step.ts'

const privateHost = /^(localhost|.*\.(local|internal|localhost|test|invalid|lan)|\[?(::1|f[cd]|fe80).*|[^.]+)$/i
const privateAddress = /^(127|10|0|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./

/** Meta calls back from the internet and takes nothing but https; a platform on this machine may call this machine. */
export function checkAddress(rt: Runtime, { baseUrl }: Pick<ChannelAccess, 'baseUrl'>): CheckStep {
  const { base } = rt.urls
  // Whether it answers is not known before it is called.
  if (isLoopback(baseUrl)) return ok('address', `The callback address is ${base}. A sandbox needs no public one.`)
  const url = URL.parse(base)
  if (url?.protocol === 'https:' && !privateHost.test(url.hostname) && !privateAddress.test(url.hostname)) {
    return ok('address', `The callback address is ${base}, public and https.`)
  }
  return failed(
    'address',
    `Meta cannot call ${base}: it needs a public https address.`,
    'Set POSTERN_BASE_URL to the public https address of this gateway, restart it, and repeat. For a test, a tunnel is enough.',
  )
}

function isLoopback(text: string): boolean {
  const host = URL.parse(text)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
