import Type from 'typebox'
import { planNames } from './plans.ts'
import { instant, named, nullable, object, oneOf, optional } from './schema.ts'
import { scopes } from './scopes.ts'

/** The two credentials are checked by the verb: what is missing is 401, what is of the wrong type is 400. */
export const TokenRequest = named(
  'TokenRequest',
  object({
    api_key: optional(
      Type.String({ maxLength: 255, description: 'The API key, `ptk_…`.', examples: ['ptk_8Fq2LrT0aB3cD4eF5gHx91T'] }),
    ),
    api_secret: optional(
      Type.String({ maxLength: 255, 'x-secret': true, description: 'Its secret, `pts_…`, shown once at creation.' }),
    ),
    scopes: optional(
      Type.Array(oneOf(scopes), {
        minItems: 1,
        maxItems: 9,
        uniqueItems: true,
        description: 'Ask for a narrower token.',
      }),
    ),
  }),
)

export const AccessToken = named(
  'AccessToken',
  object({
    access_token: Type.String({ description: 'Opaque; its contents may change any time.' }),
    token_type: oneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  }),
)

export const RefreshRequest = named(
  'RefreshRequest',
  object({
    access_token: optional(
      Type.String({ maxLength: 2_048, 'x-secret': true, description: 'If given, the same token as the bearer.' }),
    ),
  }),
)

export const RevokeRequest = named(
  'RevokeRequest',
  object({
    token: optional(
      Type.String({ maxLength: 4_096, 'x-secret': true, description: 'Another access token of the same API key.' }),
    ),
    access_token: optional(Type.String({ maxLength: 4_096, 'x-secret': true, description: 'The same as `token`.' })),
    chain: optional(
      Type.Boolean({
        description:
          'Also every other token that descends from the same token call; descendants of the token go in any case.',
      }),
    ),
  }),
)

export const Revocation = named(
  'Revocation',
  object({ revoked: Type.Boolean(), token_id: nullable(Type.String()), revoked_at: nullable(instant()) }),
)

const Limit = object({ quota: Type.Integer(), used: Type.Integer(), remaining: Type.Integer(), resets_at: instant() })

export const CurrentUser = named(
  'CurrentUser',
  object({
    account: object({
      id: Type.String(),
      name: Type.String(),
      plan: oneOf(planNames),
      status: Type.String(),
      created_at: instant(),
    }),
    api_key: object({
      id: Type.String(),
      name: Type.String(),
      key: Type.String({ description: 'Shortened.' }),
      created_at: instant(),
      expires_at: nullable(instant()),
      last_used_at: nullable(instant()),
    }),
    user: object(
      { id: Type.String(), name: Type.String(), email: nullable(Type.String()) },
      { description: 'The person who created the key; for keys of the command line the owner of the account.' },
    ),
    token: nullable(
      object(
        { id: Type.String(), issued_at: instant(), expires_at: instant(), refreshable_until: instant() },
        { description: 'Null for a call with Basic credentials.' },
      ),
    ),
    scopes: Type.Array(oneOf(scopes)),
    channel: object({
      connected: Type.Boolean(),
      business_verified: Type.Boolean(),
      phone_numbers: Type.Array(
        object({
          id: Type.String(),
          phone_number: Type.String(),
          display_name: nullable(Type.String()),
          quality: nullable(Type.String()),
          default: Type.Boolean(),
        }),
      ),
    }),
    limits: object(
      {
        hour: nullable(Limit),
        day: nullable(Limit),
        media_bytes: object(
          { quota: nullable(Type.Integer()), used: Type.Integer() },
          { description: 'Bytes of stored files; `quota` is null without a limit.' },
        ),
      },
      { description: '`hour` and `day` are null on a plan without limits.' },
    ),
  }),
)
