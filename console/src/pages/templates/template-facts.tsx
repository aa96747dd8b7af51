import { CodeBlock } from '../../components/code-block.tsx'
import { type Fact, Facts } from '../../components/facts.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { postSamples } from '../../samples.ts'
import { sendBody } from './read-template.ts'
import { Quality, type Template } from './template-status.tsx'

/** How it is doing, what happened to it, and the call that sends it. */
export function TemplateFacts({ record }: { record: Template }) {
  const world = useSampleWorld()
  const { last_7_days: week } = record
  const rows: readonly Fact[] = [
    ['Quality', <Quality key="quality" quality={record.quality} />],
    [
      'Last 7 days',
      `${formatNumber(week.sent)} sent, ${formatNumber(week.read)} read, ${formatNumber(week.failed)} failed`,
    ],
    ['Last used', record.last_used_at ? <RelativeTime key="used" at={record.last_used_at} /> : 'Never'],
    ['Submitted', record.submitted_at && <ExactTime key="submitted" at={record.submitted_at} />],
    ['Reviewed', record.reviewed_at && <ExactTime key="reviewed" at={record.reviewed_at} />],
    ['Delivered within', record.message_send_ttl_seconds && ttlText(record.message_send_ttl_seconds)],
    ['Moves to', record.next_category && `the category ${record.next_category}, as Meta announced`],
  ]
  return (
    <div className="stack">
      <section className="card card-body stack" aria-label="Facts">
        <Facts rows={rows} />
        <History record={record} />
      </section>
      <CodeBlock title="Send it" samples={postSamples(world, '/v1/chat/messages/template', sendBody(record))} />
    </div>
  )
}

function ttlText(seconds: number): string {
  return seconds === -1 ? '30 days, or not at all' : `${formatNumber(seconds)} seconds, or not at all`
}

const causes = {
  api: 'by you',
  catalog: 'by the catalog',
  callback: 'by Meta',
  sync: 'by Meta',
} as const

function whatHappened({ kind, status, changes }: Template['history'][number]): string {
  if (changes.some(({ field, to }) => field === 'pending_edit' && to !== null)) return 'edit submitted'
  return kind === 'status' ? status : kind === 'content' ? 'new content' : kind
}

function History({ record: { history } }: { record: Template }) {
  return (
    <details>
      <summary>History ({history.length})</summary>
      <ol className="history">
        {history.map((change) => (
          <li key={`${change.at} ${change.kind} ${change.status}`}>
            <ExactTime at={change.at} /> {whatHappened(change)} {causes[change.cause]}
          </li>
        ))}
      </ol>
    </details>
  )
}
