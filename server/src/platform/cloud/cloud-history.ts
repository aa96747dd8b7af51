import type { ChatPlatform, ReportedStep } from '../chat-platform.ts'
import { timeOf } from './callbacks/callback-facts.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
import { listOf, objectOf, textOf } from './lenient-json.ts'

const steps: Readonly<Record<string, ReportedStep['status']>> = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  ERROR: 'failed',
}
const fields = 'id,message_id,events{delivery_status,timestamp}'

/** What became of one message, for where callbacks were lost. `ACCEPTED`, and words of the future, say nothing new. */
export function cloudHistory(caller: CloudCaller): Pick<ChatPlatform, 'messageHistory'> {
  return {
    async messageHistory(number, channelMessageId) {
      const path = `${nodePath(number.phoneNumberId)}/message_history`
      const query = { message_id: channelMessageId, fields }
      const answer = await caller.call(number, { method: 'GET', path, query, context: { purpose: 'read' } })
      const found = listOf(answer.data).map(objectOf)
      // The filter is Meta's; what is about another message is not applied to this one.
      const own = found.filter((one) => (textOf(one?.message_id) ?? channelMessageId) === channelMessageId)
      return own.flatMap((one) =>
        listOf(objectOf(one?.events)?.data).flatMap((event): ReportedStep[] => {
          const status = steps[textOf(objectOf(event)?.delivery_status)?.toUpperCase() ?? '']
          return status ? [{ status, at: timeOf(objectOf(event)?.timestamp) }] : []
        }),
      )
    },
  }
}
