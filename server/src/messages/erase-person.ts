import type { Actor } from '../accounts/audit.ts'
import { writeAudited } from '../accounts/audit.ts'
import { maskPhone } from '../lib/mask.ts'
import { eraseMedia } from '../media/delete-media.ts'
import type { Runtime } from '../runtime.ts'
import { eraseContact } from '../store/contacts.ts'
import { erasePerson as eraseMessages, readPersonFiles } from '../store/messages.ts'
import { Unit } from '../store/unit.ts'

export type Erasure = { messages: number; contacts: number; files: number }

const batch = 1_000

/** One customer, everywhere in an account: texts, names and addresses go, the counts stay. Audited, and safe to repeat. */
export async function erasePerson(rt: Runtime, accountId: string, address: string, actor: Actor): Promise<Erasure> {
  const now = rt.clock.now()
  const files = await eraseFiles(rt, accountId, address)
  let messages = 0
  for (;;) {
    const unit = new Unit()
    const slot = unit.add(eraseMessages, { account_id: accountId, address, now, count: batch })
    const erased = (await rt.store.write(unit)).rows(slot).length
    messages += erased
    if (erased < batch) break
  }
  const unit = new Unit()
  const slot = unit.add(eraseContact, { account_id: accountId, address })
  const contacts = (await rt.store.write(unit)).rows(slot).length
  const targets = [{ type: 'customer', id: maskPhone(address), name: maskPhone(address) }]
  await writeAudited(
    rt,
    { accountId, action: 'customer.erased', actor, targets, metadata: { messages, contacts, files } },
    () => {},
  )
  return { messages, contacts, files }
}

/** Files first: once a message has lost its content, nobody knows which files were its own. */
async function eraseFiles(rt: Runtime, accountId: string, address: string): Promise<number> {
  let erased = 0
  for (let after = ''; ; ) {
    const rows = await rt.store.read(readPersonFiles, { account_id: accountId, address, after, count: batch })
    const ids = rows.flatMap(({ content }) => {
      const { media } = JSON.parse(content ?? '{}') as { media?: { media_id?: string | null } }
      return media?.media_id ?? []
    })
    erased += await eraseMedia(rt, accountId, ids)
    if (rows.length < batch) return erased
    after = rows.at(-1)?.id ?? ''
  }
}
