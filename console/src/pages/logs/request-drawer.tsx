import type { Schemas } from '../../api.ts'
import { HttpChip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyText } from '../../components/copy.tsx'
import { Drawer } from '../../components/dialog.tsx'
import { formatDuration } from '../../components/meter.tsx'
import { ExactTime } from '../../components/time.tsx'
import { useSession } from '../../session.ts'
import { toCurl } from './to-curl.ts'

type LoggedRequest = Schemas['ConsoleLoggedRequest']

export function RequestDrawer({ request, onClose }: { request: LoggedRequest; onClose: () => void }) {
  const { base_url: baseUrl } = useSession()
  return (
    <Drawer title={`${request.method} ${request.route}`} onClose={onClose}>
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          <HttpChip status={request.status} />
        </dd>
        {request.code && (
          <>
            <dt>Code</dt>
            <dd>
              <a href={`/docs/errors#${request.code}`}>{request.code}</a>
            </dd>
          </>
        )}
        <dt>Request id</dt>
        <dd>
          <CopyText text={request.id} what="request id" />
        </dd>
        <dt>When</dt>
        <dd>
          <ExactTime at={request.at} />
        </dd>
        <dt>Took</dt>
        <dd>{formatDuration(request.duration_ms)}</dd>
        <dt>API key</dt>
        <dd>
          {request.key_id ? (
            <CopyText text={request.key_id} shown={request.key_name ?? request.key_id} what="key id" />
          ) : (
            'Unknown'
          )}
        </dd>
      </dl>
      {request.body === null ? (
        <p className="muted">The body was not kept: only refusals keep theirs, redacted, up to 2 KiB.</p>
      ) : (
        <CodeBlock title="Body, redacted" samples={{ json: pretty(request.body) }} />
      )}
      <CodeBlock title="The same call with curl" samples={{ curl: toCurl(baseUrl, request) }} />
    </Drawer>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
