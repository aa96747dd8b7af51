import type { Schemas } from '../../api.ts'
import { Chip, type Tone } from '../../components/chip.tsx'
import type { IconName } from '../../components/icon.tsx'
import { Notice } from '../../components/state.tsx'

export type Connection = Schemas['ConsoleConnection']
type Health = Schemas['ConsoleConnectionHealth']

const looks: Record<Health['tone'], { tone: Tone; icon: IconName; word: string }> = {
  ok: { tone: 'ok', icon: 'check', word: 'Working' },
  info: { tone: 'info', icon: 'info', word: 'Note' },
  warn: { tone: 'warn', icon: 'alert', word: 'Check' },
  error: { tone: 'error', icon: 'alert', word: 'Broken' },
}

/** The worst of what is known, in one word; the sentence is its title. */
export function HealthChip({ connection: { health } }: { connection: Connection }) {
  const [worst] = health
  if (!worst) return null
  const { word, ...look } = looks[worst.tone]
  return (
    <span title={worst.sentence}>
      <Chip {...look}>{word}</Chip>
    </span>
  )
}

export function HealthNotices({ connection: { health } }: { connection: Connection }) {
  return health.map(({ tone, sentence }) => (
    <Notice key={sentence} tone={tone} icon={looks[tone].icon}>
      {sentence}
    </Notice>
  ))
}

/** How each tool writes its own name. */
export const toolNames: Record<Connection['tool'], string> = {
  chatwoot: 'Chatwoot',
  typebot: 'Typebot',
  n8n: 'n8n',
  pywa: 'pywa',
  evolution: 'Evolution API',
  generic: 'Other',
}
