import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { isRange } from './address-guard-ranges.ts'

type OwnAddresses = {
  /** Where clients reach us. */
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
