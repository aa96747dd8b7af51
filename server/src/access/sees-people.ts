import { mayDo, type Role } from '../contract/console/roles.ts'
import { allows } from '../contract/scopes.ts'

/** Who reads: a program with the scopes of its key or token, or a person with a role. */
export type Reader = { readonly scopes: readonly string[]; readonly role?: never } | { readonly role: Role }

/**
 * Whether customers are shown: their words, names and numbers, and ids that contain a number. Nobody hands out more than
 * they have, so this also decides what a reader may grant to keys and have delivered to webhooks.
 */
export function seesPeople(reader: Reader): boolean {
  return reader.role === undefined ? allows(reader.scopes, 'messages:read') : mayDo(reader.role, 'pii:read')
}
