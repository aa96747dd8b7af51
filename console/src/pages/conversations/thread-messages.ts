import type { ThreadMessage } from './conversations-query.ts'

export type Reaction = { emoji: string; isOurs: boolean; by: string | null }
export type Entry = { message: ThreadMessage; reactions: readonly Reaction[]; startsDay: boolean }

/**
 * Messages as a phone shows them: a reaction stands on its message, if that one is loaded, and the last one of each side
 * counts; the first message of a day says which day it is.
 */
export function entriesOf(messages: readonly ThreadMessage[], dayOf: (at: string) => string): Entry[] {
  const loaded = new Set(messages.map(({ id }) => id))
  const reactions = new Map<string, Map<string, Reaction>>()
  const shown = messages.filter((message) => {
    const reaction = reactionIn(message)
    if (!reaction || !loaded.has(reaction.about) || message.status === 'failed') return true
    const own = reactions.get(reaction.about) ?? new Map<string, Reaction>()
    if (reaction.emoji === null) own.delete(message.direction)
    else {
      const isOurs = message.direction === 'outbound'
      own.set(message.direction, { emoji: reaction.emoji, isOurs, by: message.sent_by })
    }
    reactions.set(reaction.about, own)
    return false
  })
  let day = ''
  return shown.map((message) => {
    const own = dayOf(message.at)
    const startsDay = own !== day
    day = own
    return { message, reactions: [...(reactions.get(message.id)?.values() ?? [])], startsDay }
  })
}

function reactionIn({ type, content }: ThreadMessage): { about: string; emoji: string | null } | null {
  const reaction = content?.reaction as { message_id?: unknown; emoji?: unknown } | undefined
  if (type !== 'reaction' || typeof reaction?.message_id !== 'string') return null
  return {
    about: reaction.message_id,
    emoji: typeof reaction.emoji === 'string' && reaction.emoji ? reaction.emoji : null,
  }
}
