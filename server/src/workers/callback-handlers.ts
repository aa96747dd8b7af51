import type { ItemHandlers } from '../channels/callback-handler.ts'
import { channelItemHandlers } from '../channels/channel-item-handlers.ts'
import { applyStatuses } from '../messages/apply-statuses.ts'
import { receiveMessages } from '../messages/receive-messages.ts'
import { templateItemHandlers } from '../templates/template-item-handlers.ts'

/** Who takes what the platform reports. */
export const callbackHandlers: ItemHandlers = {
  ...channelItemHandlers,
  ...templateItemHandlers,
  message: receiveMessages,
  status: applyStatuses,
}
