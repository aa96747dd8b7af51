import type { AppAccess, ChatPlatform, NumberCredentials, ReportedStep, SignupToken } from '../chat-platform.ts'
import { timeOf } from './callbacks/callback-facts.ts'
import type { FailureContext } from './classify-failure.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, textOf } from './lenient-json.ts'

type SignupCalls = Pick<ChatPlatform, 'redeemCode' | 'renewToken' | 'listBusinessNumbers' | 'syncBusinessApp'>

const reading: FailureContext = { purpose: 'read' }
const writing: FailureContext = { purpose: 'write' }
const pagesMax = 20

/** Signup before a channel exists: the business token, and the objects it can access. */
export function cloudSignup(caller: CloudCaller): SignupCalls {
  const trade = (app: AppAccess, query: Record<string, string>, secrets: string[]): Promise<JsonObject> =>
    caller.call(speechless(app), {
      method: 'GET',
      path: '/oauth/access_token',
      query: { client_id: app.appId, client_secret: app.appSecret, ...query },
      anonymous: true,
      context: { ...writing, secrets: [app.appSecret, ...secrets] },
    })
  return {
    async redeemCode(app, { code, redirectUri }) {
      return tokenIn(await trade(app, { code, redirect_uri: redirectUri }, [code]))
    },

    async renewToken(app, accessToken) {
      const query = {
        grant_type: 'fb_exchange_token',
        set_token_expires_in_60_days: 'true',
        fb_exchange_token: accessToken,
      }
      return tokenIn(await trade(app, query, [accessToken]))
    },

    async listBusinessNumbers(number) {
      const fields = 'id,display_phone_number,verified_name,status,is_on_biz_app'
      const found: JsonObject[] = []
      let after = ''
      for (let page = 1; page <= pagesMax; page++) {
        const query = { fields, limit: '100', ...(after !== '' && { after }) }
        const path = `${nodePath(number.wabaId)}/phone_numbers`
        const answer = await caller.call(number, { method: 'GET', path, query, context: reading })
        for (const item of listOf(answer.data).map(objectOf)) if (item) found.push(item)
        const paging = objectOf(answer.paging)
        after = textOf(objectOf(paging?.cursors)?.after) ?? ''
        if (after === '' || textOf(paging?.next) === null) break
      }
      return found.flatMap((item) => {
        const phoneNumberId = textOf(item.id)
        if (phoneNumberId === null) return []
        return {
          phoneNumberId,
          displayPhoneNumber: textOf(item.display_phone_number),
          verifiedName: textOf(item.verified_name),
          status: textOf(item.status),
          onBusinessApp: booleanOf(item.is_on_biz_app) ?? false,
        }
      })
    },

    async syncBusinessApp(number, part) {
      const path = `${nodePath(number.phoneNumberId)}/smb_app_data`
      const json = { messaging_product: 'whatsapp', sync_type: part === 'contacts' ? 'smb_app_state_sync' : 'history' }
      await caller.call(number, { method: 'POST', path, json, context: writing })
    },
  }
}

/** Nobody's token: the app names itself in the query. */
function speechless({ baseUrl, graphVersion }: AppAccess): NumberCredentials {
  return { phoneNumberId: '', wabaId: '', accessToken: '', baseUrl, graphVersion }
}

function tokenIn(answer: JsonObject): SignupToken | null {
  const accessToken = textOf(answer.access_token)
  const seconds = numberOf(answer.expires_in)
  return accessToken === null ? null : { accessToken, lifeMs: seconds ? seconds * 1_000 : null }
}

const steps: Readonly<Record<string, ReportedStep['status']>> = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  ERROR: 'failed',
}
const fields = 'id,message_id,events{delivery_status,timestamp}'

/** The status of one message, if its callbacks were lost. `ACCEPTED` and unknown values add nothing. */
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
