import Type from 'typebox'
import { planNames } from './plans.ts'
import { boolean, instant, integer, model, named, nullable, object, oneOf, optional, part, text } from './schema.ts'
import { scopes } from './scopes.ts'

/** The capabilities of a connected channel. */
export const channelStates = ['connected', 'no_callbacks', 'auth_failed'] as const

/** The two credentials are checked by the verb: what is missing is 401, what is of the wrong type is 400. */
export const TokenRequest = model('TokenRequest', 'The API key and its secret.', {
  api_key: optional(text('The API key, `ptk_…`.', { maxLength: 255, examples: ['ptk_8Fq2LrT0aB3cD4eF5gHx91T'] })),
  api_secret: optional(
    text('Its secret, `pts_…`, shown once at creation.', {
      maxLength: 255,
      'x-secret': true,
      examples: ['pts_c2VjcmV0LW9mLXRoZS1rZXk'],
    }),
  ),
  scopes: optional(
    Type.Array(oneOf(scopes), {
      minItems: 1,
      maxItems: scopes.length,
      uniqueItems: true,
      description: 'Scopes of the token, when it needs fewer than the key has. Default: all scopes of the key.',
      examples: [['messages:send']],
    }),
  ),
})

export const AccessToken = model('AccessToken', 'An access token for the other calls.', {
  access_token: text('The token. Treat it as opaque: its contents may change at any time.', {
    examples: ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJrZXlfMDEifQ.c2lnbmF0dXJl'],
  }),
  token_type: oneOf(['Bearer'], { description: 'Send the token as `Authorization: Bearer <token>`.' }),
  expires_in: integer(
    'Seconds until the token expires. It is accepted for up to 30 seconds longer, to allow for clock skew; do not rely on that.',
    { examples: [3600] },
  ),
})

export const RefreshRequest = named(
  'RefreshRequest',
  object(
    {
      access_token: optional(
        text('Optional; when given, it must be the same token as the bearer.', { maxLength: 2_048, 'x-secret': true }),
      ),
    },
    { description: 'May be empty: the bearer token is the one to refresh.', examples: [{}] },
  ),
)

export const RevokeRequest = named(
  'RevokeRequest',
  object(
    {
      token: optional(
        text('The access token to revoke; it must belong to the same API key. Default: the bearer token.', {
          maxLength: 4_096,
          'x-secret': true,
        }),
      ),
      access_token: optional(text('Another name for `token`.', { maxLength: 4_096, 'x-secret': true })),
      chain: optional(
        boolean(
          'True also revokes the tokens this one was refreshed from, and all others of that chain. Tokens refreshed from this one are always revoked.',
        ),
      ),
    },
    { description: 'May be empty: the bearer token is revoked.', examples: [{}] },
  ),
)

export const Revocation = model('Revocation', 'The result of a revocation.', {
  revoked: boolean('False when the token is unknown or belongs to another API key.', { examples: [true] }),
  token_id: nullable(text('Id of the revoked token.', { examples: ['tok_01ka3m7y3t4d0v9v4k6q1t7r2c'] })),
  revoked_at: nullable(instant({ description: 'When the token was revoked.' })),
})

const limit = (window: string) =>
  nullable(
    part(`The limit per ${window}; null on a plan without one.`, {
      quota: integer(`Requests the plan allows per ${window}.`, { examples: [1000] }),
      used: integer(`Requests made in this ${window}.`, { examples: [12] }),
      remaining: integer(`Requests left in this ${window}.`, { examples: [988] }),
      resets_at: instant({ description: `When the ${window} ends, in UTC.` }),
    }),
  )

export const CurrentUser = model(
  'CurrentUser',
  'The account and the API key of the call, what the call may do, and the remaining quota of the plan.',
  {
    account: part('The account the API key belongs to.', {
      id: text('Id of the account.', { examples: ['acc_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
      name: text('Name of the account.', { examples: ['Acme Store'] }),
      plan: oneOf(planNames, { description: 'Plan of the account; it sets the limits.', examples: ['starter'] }),
      status: text('`active` or `suspended`.', { examples: ['active'] }),
      created_at: instant({ description: 'When the account was created.' }),
    }),
    api_key: part('The API key of the call.', {
      id: text('Id of the API key.', { examples: ['key_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
      name: text('Name of the API key.', { examples: ['Checkout'] }),
      key: text('The API key, shortened.', { examples: ['ptk_8Fq2…x91T'] }),
      created_at: instant({ description: 'When the key was created.' }),
      expires_at: nullable(instant({ description: 'When the key expires; null when it does not.' })),
      last_used_at: nullable(
        instant({
          description:
            'When the key was last used, also to get a token or for a call that was rejected. Noted once a minute.',
        }),
      ),
    }),
    user: part('The person who created the key; the owner of the account for a key made on the command line.', {
      id: text('Id of the person.', { examples: ['usr_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
      name: text('Name of the person.', { examples: ['Ana'] }),
      email: nullable(text('Email address of the person, if known.', { examples: ['ana@example.com'] })),
    }),
    token: nullable(
      part('The access token of the call; null for Basic credentials.', {
        id: text('Id of the token.', { examples: ['tok_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
        issued_at: instant({ description: 'When the token was issued.' }),
        expires_at: instant({ description: 'When the token expires.' }),
        refreshable_until: instant({ description: 'Until when `POST /v1/auth/refresh` accepts the token.' }),
      }),
    ),
    scopes: Type.Array(oneOf(scopes), {
      description: 'The scopes of the call.',
      examples: [['messages:send', 'messages:read']],
    }),
    channel: part('The connection to WhatsApp.', {
      connected: boolean('Whether a WhatsApp number is connected.', { examples: [true] }),
      business_verified: boolean('Whether Meta has verified the business.', { examples: [true] }),
      phone_numbers: Type.Array(
        object({
          id: text('Id of the number.', { examples: ['pn_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
          phone_number: text('The number in international format.', { examples: ['+15550100001'] }),
          display_name: nullable(text('Name that customers see.', { examples: ['Acme Store'] })),
          quality: nullable(text('Quality rating by Meta: `high`, `medium` or `low`.', { examples: ['high'] })),
          status: oneOf(channelStates, {
            description:
              'Whether its channel works. `no_callbacks`: messages can be sent, but Meta reports no statuses and no incoming messages to this gateway. `auth_failed`: Meta rejects the access token, so nothing can be sent.',
            examples: ['connected'],
          }),
          default: boolean('Whether sends without `from` use this number.', { examples: [true] }),
        }),
        { description: 'Your WhatsApp numbers.' },
      ),
    }),
    limits: part('What is left of the plan.', {
      hour: limit('hour'),
      day: limit('day'),
      media_bytes: part('Storage of files.', {
        quota: nullable(integer('Bytes the plan allows; null without a limit.', { examples: [5_368_709_120] })),
        used: integer('Bytes of the files stored now.', { examples: [48_213] }),
      }),
    }),
  },
)
