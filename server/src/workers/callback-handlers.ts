import type { ItemHandlers } from '../channels/callbacks/callback-handler.ts'
import { channelItemHandlers } from '../channels/callbacks/channel-item-handlers.ts'
import { applyStatuses } from '../messages/apply-statuses.ts'
import { receiveCalls } from '../messages/receive-calls.ts'
import { receiveMessages } from '../messages/receive-messages.ts'
import { receivePreferences } from '../messages/receive-preferences.ts'
import { templateItemHandlers } from '../templates/sync/template-item-handlers.ts'

/** Which verb handles each kind of item that the platform reports. */
export const callbackHandlers: ItemHandlers = {
  ...channelItemHandlers,
  ...templateItemHandlers,
  message: receiveMessages,
  status: applyStatuses,
  call: receiveCalls,
  user_preference: receivePreferences,
}
