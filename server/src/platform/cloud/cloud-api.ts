import type { ChatPlatform } from '../chat-platform.ts'
import { parseCallback, verifySignature } from './callbacks/cloud-callbacks.ts'
import { cloudMedia } from './cloud-media.ts'
import { ownOriginOnly } from './cloud-media-download.ts'
import { cloudMessages } from './cloud-messages.ts'
import { cloudNumbers } from './cloud-numbers.ts'
import { CloudCaller, type CloudLimits } from './cloud-request.ts'
import { cloudSubscriptions } from './cloud-subscriptions.ts'
import { cloudTemplates } from './cloud-templates.ts'

export type CloudApi = ChatPlatform & {
  /** Ends every connection at once; callers drain first. */
  close(): Promise<void>
}

/** The WhatsApp Business Cloud API as our port. One instance serves all numbers; it holds connections and no state. */
export function createCloudApi(limits: Partial<CloudLimits> = {}, media = ownOriginOnly): CloudApi {
  const caller = new CloudCaller(limits)
  return {
    ...cloudMessages(caller),
    ...cloudMedia(caller, media),
    ...cloudTemplates(caller),
    ...cloudNumbers(caller),
    ...cloudSubscriptions(caller),
    verifySignature,
    parseCallback,
    close: () => caller.close(),
  }
}
