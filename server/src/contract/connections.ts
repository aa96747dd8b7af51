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

/** What a new connection may do. Two tools set the address of their callbacks themselves. */
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

/** What is passed on to tools, by its kind: what a customer wrote, what became of a message, what others sent, and all else. */
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
          'What a send whose outcome is unknown answers. `alias`: success with an id of ours, which the statuses then have; clients do not repeat it. `error`: an error, for clients that never repeat.',
      }),
      repeats: boolean(
        'Whether a request that repeats one without an answer gets the outcome of the first. Turned off, two equal requests at the same moment are two messages.',
      ),
      repeat_window: integer(
        'For so many seconds after an answer an equal request still counts as its repeat, unless the customer has written since. 0: a quick answer counts as received.',
        { minimum: 0, maximum: repeatWindowSecondsMax },
      ),
      max_per_minute: nullable(
        integer('How many requests a minute the tool may make; null: as many as the plan allows.', {
          minimum: 1,
          maximum: perMinuteMax,
        }),
      ),
      window: oneOf(['check', 'meta'], {
        description:
          'Who decides whether the 24-hour window is open: `check` rejects at once what is known to be outside, `meta` asks Meta each time.',
      }),
      statuses: oneOf(['own', 'all'], {
        description:
          'Whose statuses the tool gets: `own` those of messages it sent itself, `all` also those of the API, the console and other tools.',
      }),
      echoes: oneOf(['off', 'others'], {
        description: 'Whether the tool gets what others send from its numbers, as `smb_message_echoes`.',
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
        description: 'Hosts to which the tool itself may set the address of its callbacks; `*` for any.',
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
