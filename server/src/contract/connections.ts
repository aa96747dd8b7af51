import Type, { type Static } from 'typebox'
import type { EventType } from './events.ts'
import { boolean, integer, named, nullable, object, oneOf, text } from './schema.ts'
import type { Scope } from './scopes.ts'

/** Tools whose set-up is known by heart; `generic` is any client with a base address of its own. */
export const tools = ['chatwoot', 'typebot', 'n8n', 'pywa', 'evolution', 'generic'] as const
export type Tool = (typeof tools)[number]

const usual: readonly Scope[] = [
  'messages:send',
  'messages:read',
  'media:write',
  'media:read',
  'templates:read',
  'profile:read',
]

/** The default permissions of a new connection. Two tools set their callback address themselves. */
export const toolScopes: Readonly<Record<Tool, readonly Scope[]>> = {
  chatwoot: usual,
  typebot: usual,
  n8n: [...usual, 'webhooks:write'],
  pywa: [...usual, 'webhooks:write'],
  evolution: usual,
  generic: usual,
}

export const repeatWindowSecondsMax = 600
export const perMinuteMax = 100_000

/** The kinds of relayed items: customers' messages, statuses, echoes, and everything else. */
export const relayTypes = ['relay.message', 'relay.status', 'relay.echo', 'relay.other'] as const
export type RelayType = (typeof relayTypes)[number]
/** What deliveries carry. */
export type DeliveredType = EventType | RelayType

export function isRelayType(type: string): type is RelayType {
  return type.startsWith('relay.')
}

export const callbackFieldPattern = '^(\\*|[a-z0-9_]{1,64})$'
export const callbackHostPattern = '^(\\*|[a-z0-9.-]{1,253})$'

export const ConnectionOptions = named(
  'ConnectionOptions',
  object(
    {
      unknown: oneOf(['alias', 'error'], {
        description:
          'Response to a send with an unknown outcome. `alias`: success with an id of the gateway, which the statuses then have, so that clients do not retry. `error`: an error, for clients that never retry.',
      }),
      repeats: boolean(
        'Whether a retry of a request without a response gets the outcome of the first. If off, two identical requests at the same moment are two messages.',
      ),
      repeat_window: integer(
        'How many seconds after a response an identical request counts as a retry, unless the customer has written since. 0: a quick response counts as received.',
        { minimum: 0, maximum: repeatWindowSecondsMax },
      ),
      max_per_minute: nullable(
        integer('Maximum requests per minute from the tool; null: limited by the plan only.', {
          minimum: 1,
          maximum: perMinuteMax,
        }),
      ),
      window: oneOf(['check', 'meta'], {
        description:
          'Who checks the 24-hour window: with `check`, the gateway rejects sends that are known to be outside; with `meta`, Meta decides.',
      }),
      statuses: oneOf(['own', 'all'], {
        description:
          'Which statuses the tool gets: `own` those of its own messages, `all` also those of the API, the console and other tools.',
      }),
      echoes: oneOf(['off', 'others'], {
        description: 'Whether the tool gets messages that others send from its numbers, as `smb_message_echoes`.',
      }),
      grouping: oneOf(['one', 'as_received'], {
        description:
          '`one`: each callback has one message or status. `as_received`: as Meta grouped them, where all are for this tool.',
      }),
      fields: Type.Array(text('A field of Meta.', { pattern: callbackFieldPattern, examples: ['messages'] }), {
        description: 'The fields the tool gets, as they are named in subscriptions at Meta; `*` for all.',
        maxItems: 50,
      }),
      hosts: Type.Array(text('A host name.', { pattern: callbackHostPattern, examples: ['chatwoot.example.com'] }), {
        description: 'Hosts that the tool itself may set as its callback address; `*` for any.',
        maxItems: 20,
      }),
    },
    { description: 'How a connection behaves.' },
  ),
)
export type ConnectionOptions = Static<typeof ConnectionOptions>

export const usualOptions: ConnectionOptions = {
  unknown: 'alias',
  repeats: true,
  repeat_window: 60,
  max_per_minute: null,
  window: 'check',
  statuses: 'own',
  echoes: 'off',
  grouping: 'one',
  fields: ['messages'],
  hosts: [],
}
