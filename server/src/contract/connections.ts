import type { Static } from 'typebox'
import { boolean, integer, named, object, oneOf } from './schema.ts'
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
      repeat_window: integer('For so many seconds after an answer an equal request still counts as its repeat.', {
        minimum: 0,
        maximum: repeatWindowSecondsMax,
      }),
      window: oneOf(['check', 'meta'], {
        description:
          'Who decides whether the 24-hour window is open: `check` rejects at once what is known to be outside, `meta` asks Meta each time.',
      }),
    },
    { description: 'How a connection behaves.' },
  ),
)
export type ConnectionOptions = Static<typeof ConnectionOptions>

export const usualOptions: ConnectionOptions = {
  unknown: 'alias',
  repeats: true,
  repeat_window: 0,
  window: 'check',
}
