import { BlockList, isIP, isIPv6 } from 'node:net'

/** False for every address that is not a host on the public internet, and for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !rangesContain(NOT_PUBLIC, address)
}

export function isLoopbackAddress(address: string): boolean {
  return rangesContain(LOOPBACK, address)
}

export function rangesOf(entries: string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

/** Is the text an address or a CIDR range? */
export function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (isIP(address) === 0 || rest.length > 0) return false
  const bitsMax = isIPv6(address) ? 128 : 32
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bitsMax)
}

export function rangesContain(list: BlockList, address: string): boolean {
  const unwrapped = unwrapMapped(address)
  const family = isIP(unwrapped)
  return family !== 0 && list.check(unwrapped, family === 6 ? 'ipv6' : 'ipv4')
}

/** ::ffff:10.0.0.1 and ::ffff:a00:1 are 10.0.0.1: the operating system connects to the IPv4 address. */
function unwrapMapped(address: string): string {
  if (!isIPv6(address)) return address
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const LOOPBACK = rangesOf(['127.0.0.0/8', '::1'])

const NOT_PUBLIC = rangesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Unspecified, loopback and the deprecated forms with an IPv4 address inside.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // The rest of what lies outside 2000::/3, the only block given to hosts. Not one ::/3: it would hold ::ffff:0:0/96,
  // and with it, for BlockList, every IPv4 address.
  '100::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '4000::/2',
  '8000::/1',
])
