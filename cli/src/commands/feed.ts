import { resetFeed } from '@postern/server/events/reset-feed.ts'
import { dataCommand } from '../data-command.ts'
import { noWords } from '../read-flags.ts'

export const feedReset = dataCommand({
  name: 'feed reset',
  summary: 'Refuse all older cursors of the event feed. Needed after a restore without "postern restore".',
  examples: ['postern feed reset', 'postern feed reset --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  run: (rt) => resetFeed(rt),
  text: ({ settled }) =>
    [
      'Readers of the event feed get invalid_cursor once and start again.',
      ...(settled > 0
        ? [
            `${settled === 1 ? '1 event' : `${settled} events`} of another PostgreSQL cluster ${settled === 1 ? 'is' : 'are'} back in the feed.`,
          ]
        : []),
      '',
    ].join('\n'),
})
