import { addEcho } from '../../events/publish-relay.ts'
import { relaysOf } from '../../events/relays.ts'
import type { Runtime } from '../../runtime.ts'
import type { Unit } from '../../store/engine/unit.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import type { Draft } from './draft.ts'

export type AddEcho = (unit: Unit, sent: MessageRow) => void

export const noEcho: AddEcho = () => {}

/** What tells other tools of a message that is on its way. Asked while the platform is called, so that nobody waits for it. */
export async function echoOf(rt: Runtime, { number, outbound, replyTo, template, direct }: Draft): Promise<AddEcho> {
  const relays = await relaysOf(rt, number.accountId)
  if (!relays.some(({ options }) => options.echoes === 'others')) return noEcho
  return (unit, row) => {
    const isTemplate = row.type === 'template'
    const category = template?.category ?? row.category ?? (isTemplate ? 'authentication' : null)
    // A code in plain words has no part that could be left out.
    if (direct?.category === 'authentication' || row.channel_message_id === null) return
    const customer = { phone: row.phone, userId: row.user_id }
    const to = row.phone === null ? { userId: row.user_id ?? '' } : { phone: row.phone }
    addEcho(rt, unit, relays, {
      accountId: row.account_id,
      numberId: number.id,
      customerId: row.customer_id,
      keyId: row.api_key_id,
      echo: {
        wabaId: number.credentials.wabaId,
        phoneNumberId: number.credentials.phoneNumberId,
        ownPhone: number.phoneNumber,
        customer,
        messageId: row.channel_message_id,
        at: row.sent_at ?? row.created_at,
        outbound: { to, content: outbound, ...(replyTo !== null && { replyTo }) },
        isSecret: isTemplate && category?.toLowerCase() === 'authentication',
      },
    })
  }
}
