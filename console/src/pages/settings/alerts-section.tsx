import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSession } from '../../session.ts'

type Alerts = Schemas['ConsoleAlerts']
type Kind = Alerts['kinds'][number]

const labels: Record<Kind, string> = {
  quality: 'Quality dropped, or Meta restricted the account',
  template: 'A template was rejected, paused or disabled',
  webhook: 'A webhook fails or was disabled',
  token: 'An access token expires or was lost',
  budget: 'A budget or the plan is nearly used up, or a broadcast is held or paused',
}

/** What this person is alerted of in this account, by mail or at an address of their own. */
export function AlertsSection() {
  const alerts = useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => call(api.GET('/console/api/me/alerts', { signal })),
  })
  return <QueryView query={alerts}>{(data) => <AlertsForm alerts={data} />}</QueryView>
}

function AlertsForm({ alerts }: { alerts: Alerts }) {
  const client = useQueryClient()
  const { user } = useSession()
  const [kinds, setKinds] = useState<readonly Kind[]>(alerts.kinds)
  const [mail, setMail] = useState(alerts.mail)
  const [url, setUrl] = useState(alerts.url ?? '')
  const form = useSubmit(async () => {
    const body = { kinds: [...kinds], mail, url: url.trim() || null }
    client.setQueryData(['alerts'], await call(api.PUT('/console/api/me/alerts', { body })))
    toast('Saved your alerts')
  })
  const toggle = (kind: Kind) => setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind])
  return (
    <section className="card card-body stack" aria-labelledby="own-alerts">
      <h2 id="own-alerts">Your alerts</h2>
      <p className="muted">Only for you, in this account. Your systems get the same as webhook events.</p>
      <form className="form" onSubmit={form.onSubmit}>
        <fieldset className="stack">
          <legend>Alert me when</legend>
          {alerts.possible.map((kind) => (
            <label key={kind} className="check">
              <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
              {labels[kind]}
            </label>
          ))}
        </fieldset>
        <fieldset className="stack">
          <legend>How</legend>
          <label className="check">
            <input
              type="checkbox"
              checked={mail}
              disabled={!alerts.mail_available}
              onChange={(event) => setMail(event.target.checked)}
            />
            {alerts.mail_available ? `By mail to ${user.email}` : 'By mail (this installation sends none)'}
          </label>
          <Field
            label="Webhook address (optional)"
            type="url"
            placeholder="https://chat.acme.example/hooks/alerts"
            hint="Gets a POST with JSON; text is the sentence. Chat tools such as Slack display it directly."
            value={url}
            error={form.errorOf('url')}
            onChange={(event) => setUrl(event.target.value)}
          />
        </fieldset>
        {alerts.failure && (
          <Notice tone="warn" icon="alert">
            The last alert did not reach this address: {alerts.failure.error}
            {alerts.failure.at && (
              <>
                , <RelativeTime at={alerts.failure.at} />
              </>
            )}
            .
          </Notice>
        )}
        <FailureNotice failure={form.general} />
        <div>
          <Button kind="primary" type="submit" busy={form.busy}>
            Save alerts
          </Button>
        </div>
      </form>
    </section>
  )
}
