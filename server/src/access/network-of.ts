import { isIPv6 } from 'node:net'

/**
 * What counts as one place when attempts are counted: an IPv4 address, or the /64 that one IPv6 customer has. Addresses
 * come shortened (`2001:db8::1`), so they are written out before they are cut.
 */
export function networkOf(ip: string): string {
  const plain = (ip.split('%', 1)[0] ?? '').toLowerCase()
  if (plain.startsWith('::ffff:') && plain.includes('.')) return plain.slice(7)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** An IPv4 address at the end stands for two groups; its value lies outside the first four. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)))
}
