import type { PlatformClient } from '../chat-platform.ts'
import { answerHandshake, isSigned, parseCallback } from './callbacks/cloud-callbacks.ts'
import { cloudMedia, ownOriginOnly } from './cloud-media.ts'
import { cloudMessages } from './cloud-messages.ts'
import { cloudNumbers } from './cloud-numbers.ts'
import { cloudBlocked, cloudProfile } from './cloud-profile.ts'
import { CloudCaller, type CloudLimits } from './cloud-request.ts'
import { cloudSubscriptions } from './cloud-subscriptions.ts'
import { cloudTemplates } from './cloud-templates.ts'

/** The client of the WhatsApp Business Cloud API. One instance serves all numbers; it holds connections and no state. */
export function createCloudApi(limits: Partial<CloudLimits> = {}, media = ownOriginOnly): PlatformClient {
  const caller = new CloudCaller(limits)
  return {
    ...cloudMessages(caller),
    ...cloudMedia(caller, media),
    ...cloudTemplates(caller),
    ...cloudNumbers(caller),
    ...cloudProfile(caller, media),
    ...cloudBlocked(caller),
    ...cloudSubscriptions(caller),
    answerHandshake,
    isSigned,
    parseCallback,
    close: () => caller.close(),
  }
}
