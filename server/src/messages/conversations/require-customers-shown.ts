import { type Member, personalDataRefused } from '../../access/console-member.ts'
import type { Runtime } from '../../runtime.ts'
import { hidesPeople } from '../privacy/console-privacy.ts'

/** A conversation is nothing but a person and their words: a member who may see neither gets none. */
export async function requireCustomersShown(rt: Runtime, member: Member): Promise<void> {
  if (await hidesPeople(rt, member)) throw personalDataRefused(member, 'read conversations')
}
