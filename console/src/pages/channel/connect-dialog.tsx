import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { ManualSetup } from './manual-setup.tsx'
import { StepList } from './step-list.tsx'

type Checked = Schemas['ConsoleChannelChecked']
const empty = { business_id: '', phone_number_id: '', access_token: '', app_secret: '', app_id: '', pin: '' }

/** Four values from Meta's own pages; every step is carried out live and told in words. */
export function ConnectDialog({ sharedApp, onClose }: { sharedApp: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const [form, setForm] = useState(empty)
  const [result, setResult] = useState<Checked | null>(null)
  const submit = useSubmit(async () => {
    setResult(null)
    const { business_id, phone_number_id, access_token, ...others } = form
    const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''))
    const body = { business_id, phone_number_id, access_token, ...given }
    setResult(await call(api.POST('/console/api/channels', { body })))
    await client.invalidateQueries({ queryKey: ['channel'] })
  })
  const field = (name: keyof typeof empty) => ({
    value: form[name],
    error: submit.errorOf(name),
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value.trim() }),
  })
  const isDone = result?.ok === true
  return (
    <Dialog
      title="Connect a number"
      onClose={onClose}
      foot={
        isDone ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" busy={submit.busy} onClick={() => void submit.submit()}>
              {submit.busy ? 'Checking your number…' : 'Check and connect'}
            </Button>
          </>
        )
      }
    >
      {!isDone && (
        <form className="form" onSubmit={submit.onSubmit}>
          <p className="muted">
            <a href="/docs/go-live" target="_blank" rel="noreferrer">
              Going live
            </a>{' '}
            shows step by step where these values come from.
          </p>
          <Field
            label="WhatsApp Business account id"
            inputMode="numeric"
            hint="In the App Dashboard: Use cases, Customize, API Setup."
            {...field('business_id')}
          />
          <Field
            label="Phone number id"
            inputMode="numeric"
            hint="From the same page; not the number itself."
            {...field('phone_number_id')}
          />
          <Field
            label="Access token"
            type="password"
            hint="From Business settings, System users; with whatsapp_business_messaging and whatsapp_business_management."
            {...field('access_token')}
          />
          <Field
            label="App secret"
            type="password"
            optional={sharedApp}
            hint={
              sharedApp
                ? 'Leave it out to use the app of this gateway.'
                : 'From App settings, Basic, in the App Dashboard. Callbacks are signed with it.'
            }
            {...field('app_secret')}
          />
          <Field
            label="App id"
            optional
            inputMode="numeric"
            hint="From the same page; needed only if Meta does not return it."
            {...field('app_id')}
          />
          <Field
            label="PIN"
            optional
            inputMode="numeric"
            hint="Six digits; registers a number that cannot send yet."
            {...field('pin')}
          />
          <FailureNotice failure={submit.general} />
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </form>
      )}
      <div aria-live="polite" className="stack">
        {result && <Outcome result={result} />}
      </div>
    </Dialog>
  )
}

function Outcome({ result }: { result: Checked }) {
  return (
    <>
      <Notice tone={result.ok ? 'ok' : result.channel ? 'warn' : 'error'} icon={result.ok ? 'check' : 'alert'}>
        {result.ok
          ? 'Connected. All checks passed.'
          : result.channel
            ? 'Connected, but something is missing.'
            : 'Nothing was stored. Fix the problems below and try again.'}
      </Notice>
      <StepList steps={result.steps} />
      <ManualSetup setup={result.manual} steps={result.steps} />
    </>
  )
}
