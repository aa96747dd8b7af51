import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { Field, TextArea } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { verifySamples } from './verify-samples.ts'

type Detail = Schemas['ConsoleWebhookDetail']

export function VerifyTab({ detail }: { detail: Detail }) {
  return (
    <div className="stack stack-wide">
      <section className="stack">
        <h2>Verify that a delivery comes from this gateway</h2>
        <p>
          Three headers come with every delivery: <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
          <code>webhook-signature</code>. The signature covers the id, the timestamp and the raw body, as defined by
          Standard Webhooks, so its libraries work too. The secret of this webhook is <code>whsec_••••••••</code>. Keep
          it in <code>WEBHOOK_SECRET</code>.
        </p>
        <CodeBlock title="Language" samples={verifySamples} />
      </section>
      <CheckBox detail={detail} />
    </div>
  )
}

/** Paste a delivery; the gateway says whether it signed it. */
function CheckBox({ detail }: { detail: Detail }) {
  const [id, setId] = useState('')
  const [timestamp, setTimestamp] = useState('')
  const [signature, setSignature] = useState('')
  const [body, setBody] = useState('')
  const [result, setResult] = useState<Schemas['ConsoleCheckedSignature'] | null>(null)
  const form = useSubmit(async () => {
    const path = { webhook_id: detail.webhook.id }
    const given = { id, timestamp, signature, body }
    setResult(
      await call(api.POST('/console/api/webhooks/{webhook_id}/check-signature', { params: { path }, body: given })),
    )
  })
  return (
    <form className="card card-body form" onSubmit={form.onSubmit}>
      <h2>Check a signature</h2>
      <p className="muted">If your code rejects a delivery, paste what it received.</p>
      <Field label="webhook-id" value={id} onChange={(event) => setId(event.target.value)} required />
      <Field
        label="webhook-timestamp"
        value={timestamp}
        onChange={(event) => setTimestamp(event.target.value)}
        required
      />
      <Field
        label="webhook-signature"
        value={signature}
        onChange={(event) => setSignature(event.target.value)}
        required
      />
      <TextArea label="Raw body" value={body} onChange={(event) => setBody(event.target.value)} required />
      <div aria-live="polite">
        {result && (
          <Notice tone={result.valid ? 'ok' : 'error'} icon={result.valid ? 'check' : 'alert'}>
            {result.reason}
          </Notice>
        )}
      </div>
      <FailureNotice failure={form.failure} />
      <div>
        <Button kind="primary" type="submit" busy={form.busy}>
          Check signature
        </Button>
      </div>
    </form>
  )
}
