import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress, isRange, rangesContain, rangesOf } from './address-guard-ranges.ts'

/** Which targets outgoing requests may reach beyond the public internet. */
export type TargetPolicy = {
  /** Addresses, CIDR ranges or host names of POSTERN_WEBHOOK_DEV_ALLOW; http is permitted to these. */
  allow: string[]
  /** Permits https to localhost, 127.0.0.0/8 and ::1. */
  allowLoopback: boolean
  /** Public addresses or ranges that are ours all the same: the gateway's own, its database's. */
  deny?: string[]
}

export type AddressGuard = {
  /** May a connection meant for `hostname` end at `address`? */
  permits(address: string, hostname: string): boolean
  /** Is the host itself, a name or a literal, on the allow list? */
  listed(hostname: string): boolean
  /** Is the host this machine, by name or literal, and is that permitted? */
  permitsLoopback(hostname: string): boolean
}

export type TargetUrlCheck =
  | { ok: true; url: URL }
  | { ok: false; code: 'https_required' | 'invalid_url'; message: string }

const LENGTH_MAX = 2048
const INTERNAL_SUFFIXES = ['.local', '.internal', '.localhost']
const DEV_HINT = 'For local development an operator can list the host in POSTERN_WEBHOOK_DEV_ALLOW.'

/**
 * Judges the text of a URL a customer wants us to call. It never resolves the name: whether an address may be reached
 * is decided when a connection is made, so a name that does not exist yet passes.
 */
export function checkTargetUrl(text: string, policy: TargetPolicy, guard = createAddressGuard(policy)): TargetUrlCheck {
  if (text.length > LENGTH_MAX) return invalid(`The URL is longer than ${LENGTH_MAX} characters.`)
  const url = URL.parse(text)
  if (!url) return invalid('The URL is not a valid absolute URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('The URL must start with https://.')
  if (url.username || url.password) return invalid('The URL must not contain a user name or password.')
  // An empty fragment leaves `hash` empty, so the text itself is asked.
  if (text.includes('#')) return invalid('The URL must not contain a fragment (#).')
  if (guard.listed(url.hostname)) return { ok: true, url }

  if (url.protocol === 'http:') {
    return { ok: false, code: 'https_required', message: `The URL must use https. ${DEV_HINT}` }
  }
  const problem = guard.permitsLoopback(url.hostname) ? null : hostProblem(normaliseHost(url.hostname))
  if (problem) return invalid(`${problem} ${DEV_HINT}`)
  const port = Number(url.port || 443)
  if (port !== 443 && port < 1024) return invalid('The port must be 443 or 1024 and above.')
  return { ok: true, url }
}

export function createAddressGuard(policy: TargetPolicy): AddressGuard {
  const allowedRanges = rangesOf(policy.allow.filter(isRange))
  const allowedNames = new Set(policy.allow.filter((entry) => !isRange(entry)).map(normaliseHost))
  const deniedRanges = rangesOf(policy.deny ?? [])
  return {
    listed(hostname) {
      const host = normaliseHost(hostname)
      return allowedNames.has(host) || rangesContain(allowedRanges, isLocalhost(host) ? '127.0.0.1' : host)
    },
    permitsLoopback(hostname) {
      const host = normaliseHost(hostname)
      return policy.allowLoopback && (isLocalhost(host) || isLoopbackAddress(host))
    },
    permits(address, hostname) {
      if (allowedNames.has(normaliseHost(hostname)) || rangesContain(allowedRanges, address)) return true
      if (policy.allowLoopback && isLoopbackAddress(address)) return true
      return isPublicAddress(address) && !rangesContain(deniedRanges, address)
    },
  }
}

/** Lower case, without the brackets of an IPv6 literal and without the last dot of a fully qualified name. */
export function normaliseHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function hostProblem(host: string): string | null {
  if (isIP(host)) return 'The host must be a public name, not an IP address.'
  const internal = isLocalhost(host) || !host.includes('.') || INTERNAL_SUFFIXES.some((suffix) => host.endsWith(suffix))
  return internal ? 'The host must be a public name.' : null
}

function invalid(message: string): TargetUrlCheck {
  return { ok: false, code: 'invalid_url', message }
}
