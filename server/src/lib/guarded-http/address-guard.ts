import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopbackAddress, isPublicAddress, isRange, rangesContain, rangesOf } from './address-guard-ranges.ts'

/** Targets that outgoing requests may reach besides the public internet. */
export type TargetPolicy = {
  /** Addresses, CIDR ranges or host names of POSTERN_WEBHOOK_DEV_ALLOW; http is permitted to these. */
  allow: string[]
  /** Permits https to localhost, 127.0.0.0/8 and ::1, to those who ask for one of these; never by another name. */
  allowLoopback: boolean
  /** Addresses, ranges or host names that are ours although they are public: the gateway's own, its database's. */
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

type TargetUrlCheck = { ok: true; url: URL } | { ok: false; code: 'https_required' | 'invalid_url'; message: string }

const LENGTH_MAX = 2048
const INTERNAL_SUFFIXES = ['.local', '.internal', '.localhost']
const DEV_HINT = 'For local development an operator can list the host in POSTERN_WEBHOOK_DEV_ALLOW.'

/**
 * Judges the text of a URL a customer wants us to call. It never resolves the name: whether an address may be reached
 * is decided when a connection is made, so a name that does not exist yet passes.
 */
export function checkTargetUrl(
  text: string,
  policy: TargetPolicy,
  guard = createAddressGuard(policy),
  { allowHttp = false, hint = DEV_HINT }: { allowHttp?: boolean; hint?: string } = {},
): TargetUrlCheck {
  if (text.length > LENGTH_MAX) return invalid(`The URL is longer than ${LENGTH_MAX} characters.`)
  const url = URL.parse(text)
  if (!url) return invalid('The URL is not a valid absolute URL.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('The URL must start with https://.')
  if (url.username || url.password) return invalid('The URL must not contain a user name or password.')
  // An empty fragment leaves `hash` empty, so the text itself is asked.
  if (text.includes('#')) return invalid('The URL must not contain a fragment (#).')
  if (hasEmptyLabel(url.hostname)) return invalid('The host has an empty part: two dots in a row, or one in front.')
  if (guard.listed(url.hostname)) return { ok: true, url }

  const secure = url.protocol === 'https:'
  if (!secure && !allowHttp) {
    return { ok: false, code: 'https_required', message: `The URL must use https. ${hint}` }
  }
  // This machine is for those who develop against it, over https; the list of hosts is for all others.
  const problem = secure && guard.permitsLoopback(url.hostname) ? null : hostProblem(normaliseHost(url.hostname))
  if (problem) return invalid(`${problem} ${hint}`)
  const usual = secure ? 443 : 80
  const port = Number(url.port || usual)
  if (port !== usual && port < 1024) return invalid(`The port must be ${usual} or 1024 and above.`)
  return { ok: true, url }
}

export function createAddressGuard(policy: TargetPolicy): AddressGuard {
  const allowedRanges = rangesOf(policy.allow.filter(isRange))
  const allowedNames = new Set(policy.allow.filter((entry) => !isRange(entry)).map(normaliseHost))
  const denied = policy.deny ?? []
  const deniedRanges = rangesOf(denied.filter(isRange))
  const deniedNames = new Set(denied.filter((entry) => !isRange(entry)).map(normaliseHost))
  return {
    listed(hostname) {
      const host = normaliseHost(hostname)
      return allowedNames.has(host) || rangesContain(allowedRanges, isLocalhost(host) ? '127.0.0.1' : host)
    },
    permitsLoopback(hostname) {
      return policy.allowLoopback && isThisMachine(hostname)
    },
    permits(address, hostname) {
      const host = normaliseHost(hostname)
      if (allowedNames.has(host) || rangesContain(allowedRanges, address)) return true
      if (policy.allowLoopback && isLoopbackAddress(address)) return isThisMachine(host)
      return isPublicAddress(address) && !rangesContain(deniedRanges, address) && !deniedNames.has(host)
    },
  }
}

/** No name server knows such a name, but `localhost..` would not be recognised as what it is meant to reach. */
function hasEmptyLabel(hostname: string): boolean {
  return hostname.startsWith('.') || hostname.includes('..')
}

/** Lower case, without the brackets of an IPv6 literal and without the last dot of a fully qualified name. */
export function normaliseHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
}

/** By name or literal. A public name that resolves to this machine is an attack. */
export function isThisMachine(hostname: string): boolean {
  const host = normaliseHost(hostname)
  return isLocalhost(host) || isLoopbackAddress(host)
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

type OwnAddresses = {
  /** The addresses at which clients reach the gateway. */
  urls: readonly (string | null)[]
  databaseUrls: readonly string[]
}

/**
 * What is ours although it may be public, for the deny list: the addresses of this machine, the database servers with their
 * addresses of now, and the names that clients reach us by. Not what those names resolve to: that may be a network in
 * front of us which serves customers' receivers too.
 */
export async function ownHosts({ urls, databaseUrls }: OwnAddresses): Promise<string[]> {
  const machine = Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? [])
  const databases = databaseUrls.map(hostOf)
  const names = databases.filter((host) => host !== '' && !isRange(host))
  const resolved = await Promise.all(names.map((host) => lookup(host, { all: true }).catch(() => [])))
  const addresses = resolved.flat().map(({ address }) => address)
  const hosts = [...machine.map(withoutZone), ...databases, ...urls.map(hostOf), ...addresses]
  return [...new Set(hosts.filter((host) => host !== ''))]
}

function hostOf(url: string | null): string {
  return URL.parse(url ?? '')?.hostname.replace(/^\[|\]$/g, '') ?? ''
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}
