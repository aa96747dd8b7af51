import type { Tool } from '@postern/server/words.ts'

/** What a connection is, as far as its tool has to know. */
export type Known = {
  address: string
  app_id: string
  app_secret: string
  tool: Tool
  numbers: readonly { phone_number_id: string; waba_id: string }[]
}

export type SetupCall = {
  /** For what the tool makes it. */
  purpose: string
  method: 'GET' | 'POST'
  path: string
  /** Besides the token: where some tools write it. */
  query?: Record<string, string>
  /** Null: none in the header. */
  bearer: string | null
  body?: object
  /** The code of Meta that is right here; 0 for a success. */
  expects: number
}

const missingParameter = 131_008
const invalidParameter = 100

/** The calls each tool makes while it is set up, in its order; none of them changes anything. */
export function setupCallsOf(known: Known, token: string): SetupCall[] {
  const [number] = known.numbers
  const whoAmI = { purpose: 'the token works', method: 'GET', path: '/me', bearer: token, expects: 0 } as const
  if (!number) return [whoAmI]
  const maySend: SetupCall = {
    purpose: 'may send (an empty message, which is rejected)',
    method: 'POST',
    path: `/${number.phone_number_id}/messages`,
    bearer: token,
    body: {},
    expects: missingParameter,
  }
  return [whoAmI, ...ownCallsOf(known, number, token), maySend]
}

function ownCallsOf(
  { tool, app_id: appId, app_secret: appSecret }: Known,
  { phone_number_id: number, waba_id: waba }: Known['numbers'][number],
  token: string,
): SetupCall[] {
  const get = (purpose: string, path: string, more: Partial<SetupCall> = {}): SetupCall => ({
    purpose,
    method: 'GET',
    path,
    bearer: token,
    expects: 0,
    ...more,
  })
  const appToken = `${appId}|${appSecret}`
  const grant = { grant_type: 'client_credentials', client_id: appId, client_secret: appSecret }
  const readsNumber = get('reads its number', `/v22.0/${number}`)
  const subscriptions = { bearer: null, query: { access_token: appToken } }
  switch (tool) {
    case 'chatwoot':
      return [
        get('checks the inbox by its templates', `/v22.0/${waba}/message_templates`, {
          bearer: null,
          query: { access_token: token },
        }),
      ]
    case 'typebot':
      return [
        get('inspects the token', '/v22.0/debug_token', { query: { input_token: token } }),
        get('lists the numbers', `/v22.0/${waba}/phone_numbers`),
      ]
    case 'n8n':
      return [
        get('tests the credential', '/', { expects: invalidParameter }),
        get('gets a token of its app', '/oauth/access_token', { bearer: null, query: grant }),
        get('reads its subscriptions', `/v19.0/${appId}/subscriptions`, subscriptions),
      ]
    case 'pywa':
      return [
        get('gets a token of its app', '/oauth/access_token', { bearer: null, query: grant }),
        // Its client adds the other token to every request.
        get('reads its subscriptions', `/v22.0/${appId}/subscriptions`, { ...subscriptions, bearer: token }),
        readsNumber,
      ]
    case 'evolution':
      return [readsNumber]
    case 'generic':
      return [
        readsNumber,
        get('lists the numbers', `/${waba}/phone_numbers`),
        get('lists templates', `/${waba}/message_templates`, { query: { limit: '1' } }),
      ]
  }
}
