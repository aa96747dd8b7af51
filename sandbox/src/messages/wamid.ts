import { drawHex } from '../ids.ts'

/** A message id laid out as the platform's own samples are: a length-prefixed customer, a direction, a random tail. */
export function wamid(customer: string, direction: 'outbound' | 'inbound'): string {
  const who = customer.length > 120 ? customer.slice(0, 120) : customer
  const bytes = Buffer.allocUnsafe(who.length + 30)
  bytes[0] = 0x1c
  bytes[1] = 0x18
  bytes[2] = who.length
  bytes.write(who, 3, 'latin1')
  let at = 3 + who.length
  at = bytes.writeUInt8(0x15, at)
  at = bytes.writeUInt8(0x02, at)
  at = bytes.writeUInt8(0x00, at)
  at = bytes.writeUInt8(direction === 'outbound' ? 0x11 : 0x12, at)
  at = bytes.writeUInt8(0x18, at)
  at = bytes.writeUInt8(20, at)
  at += bytes.write(drawHex(20), at, 'latin1')
  at = bytes.writeUInt8(0x00, at)
  return `wamid.${bytes.toString('base64', 0, at)}`
}
