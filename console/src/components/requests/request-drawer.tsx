import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api.ts'
import { keysQuery, useSampleWorld } from '../../sample-world.ts'
import { useMay } from '../../session.ts'
import { HttpChip } from '../chip.tsx'
import { CodeBlock } from '../code-block.tsx'
import { ErrorCode } from '../error-code.tsx'
import { CopyText } from '../form/copy.tsx'
import { formatDuration } from '../format-number.ts'
import { Drawer } from '../overlay/dialog.tsx'
import { prettyJson } from '../pretty-json.ts'
import { ExactTime } from '../time.tsx'
import { toCurl } from './to-curl.ts'

type LoggedRequest = Schemas['ConsoleLoggedRequest']

export function RequestDrawer({ request, onClose }: { request: LoggedRequest; onClose: () => void }) {
  const world = useSampleWorld()
  const keys = useQuery({ ...keysQuery, enabled: useMay('keys:read') })
  // The key the call was made with, although its secret is not known here.
  const apiKey = keys.data?.keys.find(({ id }) => id === request.key_id)?.key ?? world.apiKey
  const curl = toCurl({ ...world, apiKey }, request)
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
              <ErrorCode code={request.code} />
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
        <dt>Duration</dt>
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
      {request.path !== null && <CodeBlock title="Request" samples={{ text: `${request.method} ${request.path}` }} />}
      <RequestBody request={request} />
      {request.answer !== null && <CodeBlock title="Response" samples={{ json: prettyJson(request.answer) }} />}
      {curl === null ? (
        <p className="muted">{whyNoCurl(request)}</p>
      ) : (
        <CodeBlock title="The same call with curl" samples={{ curl }} />
      )}
    </Drawer>
  )
}

function RequestBody({ request: { body, path } }: { request: LoggedRequest }) {
  if (body === '') return null
  if (body !== null) {
    return <CodeBlock title={path === null ? 'Body, redacted' : 'Body'} samples={{ json: prettyJson(body) }} />
  }
  return (
    <p className="muted">
      {path === null
        ? 'The body was not stored: only rejected requests keep theirs, redacted, up to 2 KiB.'
        : bodyUnread}
    </p>
  )
}

const bodyUnread = 'The body was not stored: it was a file, or could not be read.'

function whyNoCurl({ path, body }: LoggedRequest): string {
  if (path === null) {
    return 'The same call cannot be shown: to protect your customers, ids, addresses and message contents are not stored. Sends that name a sandbox number in from are stored in full.'
  }
  return body === null
    ? 'The same call cannot be shown without its body.'
    : 'The same call cannot be shown: secrets and bodies over 2 KiB are not stored.'
}
