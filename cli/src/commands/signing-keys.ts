import { rotateSigningKey } from '@postern/server/access/tokens/token-codec.ts'
import { formatInstant } from '@postern/server/lib/instant.ts'
import { listSigningKeys } from '@postern/server/store/accounts/tokens.ts'
import { dataCommand } from '../data-command.ts'
import { table } from '../output/table.ts'
import { noWords } from '../read-flags.ts'

export const signingKeysRotate = dataCommand({
  name: 'signing-keys rotate',
  summary:
    'Sign new access tokens with a new key. Existing tokens stay valid. This happens automatically every 90 days.',
  examples: ['postern signing-keys rotate', 'postern signing-keys rotate --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  async run(rt) {
    await rotateSigningKey(rt)
    const rows = await rt.store.read(listSigningKeys, {})
    const keys = rows.map(({ kid, status, created_at }) => ({ kid, status, created_at: formatInstant(created_at) }))
    return { keys }
  },
  text: ({ keys }) =>
    table(
      ['key id', 'status', 'created'],
      keys.map(({ kid, status, created_at }) => [kid, status, created_at]),
    ),
})
