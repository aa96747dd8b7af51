import type { Caller } from '../../access/caller.ts'
import { listNumbers } from '../../channels/list-numbers.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { requireTemplate } from '../get-template.ts'

/** Templates belong to a channel: a key that is limited to some numbers changes those of their channels alone. */
export async function requireAllowed(
  rt: Runtime,
  { accountId, phoneNumberIds }: Pick<Caller, 'accountId' | 'phoneNumberIds'>,
  templateId: string,
): Promise<{ accountId: string }> {
  if (phoneNumberIds === null) return { accountId }
  const { channel_id: channelId } = await requireTemplate(rt, accountId, templateId)
  const numbers = await listNumbers(rt, accountId)
  if (numbers.some(({ id, channel_id }) => channel_id === channelId && phoneNumberIds.includes(id)))
    return { accountId }
  const message = 'None of the numbers this API key may use belongs to the channel of this template.'
  throw new AppError('number_not_allowed', message)
}
