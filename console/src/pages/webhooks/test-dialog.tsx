import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { eventTypes } from '../../api-values.ts'
import { Chip, HttpChip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { Select } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatDuration } from '../../components/format-number.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FailureNotice } from '../../components/state.tsx'

type Result = Schemas['WebhookTest']
const options = eventTypes.map((type) => ({ value: type, label: type }))

/** A sample event, now. What the receiver answers is a result, also when it is an error. */
export function TestDialog({ webhook, onClose }: { webhook: Schemas['Webhook']; onClose: () => void }) {
  const [type, setType] = useState<(typeof eventTypes)[number]>('message.delivered')
  const [result, setResult] = useState<Result | null>(null)
  const form = useSubmit(async () => {
    const path = { webhook_id: webhook.id }
    setResult(await call(api.POST('/console/api/webhooks/{webhook_id}/test', { params: { path }, body: { type } })))
  })
  return (
    <Dialog
      title="Send a test event"
      onClose={onClose}
      onSubmit={form.onSubmit}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            {result ? 'Send another' : 'Send test'}
          </Button>
        </>
      }
    >
      <Select
        label="Event"
        options={options}
        value={type}
        hint="It is not counted in the statistics and not retried."
        onChange={(event) => setType(event.target.value as typeof type)}
      />
      <div aria-live="polite" className="stack">
        {result && <Outcome result={result} />}
      </div>
      <FailureNotice failure={form.failure} />
    </Dialog>
  )
}

function Outcome({ result: { attempt, delivered } }: { result: Result }) {
  return (
    <>
      <p className="row">
        {attempt.status_code !== null ? (
          <HttpChip status={attempt.status_code} />
        ) : (
          <Chip tone="error" icon="alert">
            {attempt.error_code ?? 'no answer'}
          </Chip>
        )}
        {delivered ? 'The receiver accepted it.' : 'The receiver did not accept it.'}
        <span className="muted">{formatDuration(attempt.duration_ms)}</span>
      </p>
      {attempt.error_message && <p className="small">{attempt.error_message}</p>}
      {attempt.response_body && <CodeBlock title="Answer" samples={{ text: attempt.response_body }} />}
    </>
  )
}
