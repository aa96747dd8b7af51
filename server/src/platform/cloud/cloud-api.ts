import type { ChatPlatform, NumberCredentials, PlatformClient } from '../chat-platform.ts'
import { answerHandshake, isSigned, parseCallback } from './callbacks/cloud-callbacks.ts'
import type { FailureContext } from './classify-failure.ts'
import { cloudEntryPoints } from './cloud-entry-points.ts'
import { cloudMedia, ownOriginOnly } from './cloud-media.ts'
import { cloudMessages } from './cloud-messages.ts'
import { cloudNumbers } from './cloud-numbers.ts'
import { cloudPrices } from './cloud-prices.ts'
import { cloudBlocked, cloudProfile } from './cloud-profile.ts'
import { CloudCaller, type CloudLimits } from './cloud-request.ts'
import { cloudHistory, cloudSignup } from './cloud-signup.ts'
import { cloudTemplates } from './cloud-templates.ts'
import { graphDialect } from './graph/graph-dialect.ts'
import { passCall, relayDialect } from './graph/relay-dialect.ts'
import { listOf, objectOf, textOf } from './lenient-json.ts'

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
    ...cloudSignup(caller),
    ...cloudEntryPoints(caller),
    ...cloudHistory(caller),
    ...cloudPrices(caller),
    dialect: graphDialect,
    relay: relayDialect,
    pass: (number, call) => passCall(caller, number, call),
    answerHandshake,
    isSigned,
    parseCallback,
    close: () => caller.close(),
  }
}

type SubscriptionCalls = Pick<
  ChatPlatform,
  | 'appSubscription'
  | 'setAppSubscription'
  | 'subscribeApp'
  | 'setCallbackOverride'
  | 'listSubscribedApps'
  | 'removeNumberCallback'
>

const reading: FailureContext = { purpose: 'read' }
const writing: FailureContext = { purpose: 'write' }
const webhookObject = 'whatsapp_business_account'

/** Callback addresses: of the app, the business account and the number. */
function cloudSubscriptions(caller: CloudCaller): SubscriptionCalls {
  return {
    async appSubscription(number, app) {
      const path = `/${encodeURIComponent(app.appId)}/subscriptions`
      const answer = await caller.call(number, { method: 'GET', path, asApp: app, context: reading })
      const own = listOf(answer.data)
        .map(objectOf)
        .find((item) => item?.object === webhookObject)
      const url = textOf(own?.callback_url)
      if (url === null) return null
      return {
        url,
        fields: listOf(own?.fields).flatMap((field) => textOf(objectOf(field)?.name) ?? textOf(field) ?? []),
      }
    },

    async setAppSubscription(number, app, { url, fields, verifyToken }) {
      const path = `/${encodeURIComponent(app.appId)}/subscriptions`
      const json = { object: webhookObject, callback_url: url, verify_token: verifyToken, fields: fields.join(',') }
      const context = { ...writing, secrets: [verifyToken] }
      await caller.command(number, { method: 'POST', path, json, asApp: app, context })
    },

    async subscribeApp(number) {
      await caller.command(number, { method: 'POST', path: subscribedApps(number), context: writing })
    },

    async setCallbackOverride(number, { url, verifyToken }) {
      const json = { override_callback_uri: url, verify_token: verifyToken }
      const context = { ...writing, secrets: [verifyToken] }
      await caller.command(number, { method: 'POST', path: subscribedApps(number), json, context })
    },

    async listSubscribedApps(number) {
      const path = subscribedApps(number)
      const answer = await caller.call(number, { method: 'GET', path, context: reading })
      return listOf(answer.data).map((item) => {
        const app = objectOf(objectOf(item)?.whatsapp_business_api_data)
        const overrideCallbackUrl = textOf(objectOf(item)?.override_callback_uri)
        return { appId: textOf(app?.id), name: textOf(app?.name), overrideCallbackUrl }
      })
    },

    async removeNumberCallback(number) {
      const path = `/${encodeURIComponent(number.phoneNumberId)}`
      const json = { webhook_configuration: { override_callback_uri: '' } }
      await caller.command(number, { method: 'POST', path, json, context: writing })
    },
  }
}

function subscribedApps(number: NumberCredentials): string {
  return `/${encodeURIComponent(number.wabaId)}/subscribed_apps`
}
