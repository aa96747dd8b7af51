import { toolScopes } from '../../server/src/contract/connections.ts'
import { eventTypes } from '../../server/src/contract/events.ts'
import { sentTypes } from '../../server/src/contract/messages/send-requests.ts'
import { verticals } from '../../server/src/contract/profile.ts'
import { scopeMeanings, scopePresets } from '../../server/src/contract/scopes.ts'
import type { Guide } from './guide-pages.ts'

/** Lists of the contract and of the guides that the console shows as choices: it imports nothing of the server, and types have no values. */
export function apiValues(guides: readonly Guide[]): string {
  const values = {
    eventTypes,
    scopeMeanings,
    scopePresets,
    toolScopes,
    sentTypes: Object.keys(sentTypes),
    verticals,
    guides: guides.map(({ slug, title, summary }) => ({ slug, title, summary })),
  }
  const lines = Object.entries(values).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)} as const\n`,
  )
  return `// Generated from server/src/contract and docs/guides by scripts/generate.ts.\n${lines.join('')}`
}
