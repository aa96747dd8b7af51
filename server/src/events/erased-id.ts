import { createHmac } from 'node:crypto'
import type { Runtime } from '../runtime.ts'

const prefix = 'erased_'
const hashChars = 32

/**
 * What is left of an id of Meta's when its customer is erased: the id contains their number, its hash doesn't, and a caller
 * with the id still finds the message. The key comes from the pepper, which stays the same when the master key is rotated.
 * Our own ids, and hashes, remain as they are.
 */
export async function erasedIds(rt: Pick<Runtime, 'pepper'>, accountId: string): Promise<(id: string) => string> {
  const pepper = await rt.pepper()
  return (id) => {
    if (isErasedId(id) || /^(in|out)_/.test(id)) return id
    const hash = createHmac('sha256', pepper).update(`erased message\n${accountId}\n${id}`).digest('base64url')
    return `${prefix}${hash.slice(0, hashChars)}`
  }
}

/** Meta knows no message by such an id. */
export function isErasedId(id: string): boolean {
  return id.startsWith(prefix)
}
