import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Check, Choices, Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { StepList } from './step-list.tsx'

type Signup = Schemas['ConsoleSignup']

/** Embedded Signup: the browser leaves for Meta and comes back to this page with a code. */
export function SignupSection() {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [onBusinessApp, setOnBusinessApp] = useState(false)
  const [signup, setSignup] = useState<Signup | null>(null)
  const state = search.get('state')
  const open = useQuery({
    queryKey: ['signups'],
    queryFn: ({ signal }) => call(api.GET('/console/api/signups', { signal })),
  })
  const show = async (found: Signup) => {
    setSignup(found)
    await client.invalidateQueries({ queryKey: ['signups'] })
    if (found.channel) await client.invalidateQueries({ queryKey: ['channel'] })
  }
  const start = useSubmit(async () => {
    const body = { on_business_app: onBusinessApp }
    const { url } = await call(api.POST('/console/api/signups', { body }))
    window.location.assign(url)
  })
  const comeBack = useSubmit(async () => {
    const [code, error, businessId] = ['code', 'error', 'waba_id'].map((name) => search.get(name))
    const body = {
      state: state ?? '',
      ...(code && { code }),
      ...(error && { error }),
      ...(businessId && { business_id: businessId }),
    }
    try {
      await show(await call(api.POST('/console/api/signups/return', { body })))
    } finally {
      // The code is spent, and has no place in the history of the browser.
      setSearch({}, { replace: true })
    }
  })
  const { submit } = comeBack
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each return from Meta
  useEffect(() => {
    if (state !== null) void submit()
  }, [state])
  const waiting = signup ?? open.data?.signups.find(({ step }) => step === 'granted') ?? null
  return (
    <section className="card card-body stack" aria-label="Connect with Facebook">
      <h2>Connect with Facebook</h2>
      <p>
        Meta&apos;s page lets the owner of a business choose or create the WhatsApp Business account and verify the
        number. Nothing has to be copied.
      </p>
      <Check checked={onBusinessApp} onChange={(event) => setOnBusinessApp(event.target.checked)}>
        The number stays in use with the WhatsApp Business app
      </Check>
      <div className="row">
        <Button kind="primary" busy={start.busy} onClick={() => void start.submit()}>
          Continue at Meta
        </Button>
      </div>
      <FailureNotice failure={start.failure ?? comeBack.failure} />
      <div aria-live="polite" className="stack">
        {comeBack.busy && <p className="muted">Completing the signup…</p>}
        {waiting && <SignupState key={waiting.id} signup={waiting} onChange={show} />}
      </div>
    </section>
  )
}

function SignupState({ signup, onChange }: { signup: Signup; onChange: (found: Signup) => Promise<void> }) {
  if (signup.problem) {
    return (
      <Notice tone="warn" icon="alert">
        {signup.problem}
      </Notice>
    )
  }
  if (signup.step === 'redeeming') return <p className="muted">Another page is finishing this signup.</p>
  if (signup.step === 'connected') {
    return (
      <>
        <Notice tone="ok" icon="check">
          Connected. <ButtonLink to="/channel">See the channel</ButtonLink>
        </Notice>
        <StepList steps={signup.steps} />
        <Past signup={signup} />
      </>
    )
  }
  return <NumberChoice signup={signup} onChange={onChange} />
}

function NumberChoice({ signup, onChange }: { signup: Signup; onChange: (found: Signup) => Promise<void> }) {
  const { choices, steps } = signup
  const [chosen, choose] = useState('')
  const [pin, setPin] = useState('')
  const path = { signup_id: signup.id }
  const number = choices.find(({ phone_number_id }) => phone_number_id === (chosen || choices[0]?.phone_number_id))
  const go = (more: { take_over?: boolean }) => async () => {
    const given = { ...(number && { phone_number_id: number.phone_number_id }), ...(pin && { pin }) }
    const body = { ...given, ...more }
    await onChange(await call(api.POST('/console/api/signups/{signup_id}/continue', { params: { path }, body })))
  }
  const finish = useSubmit(go({}))
  const takeOver = useSubmit(go({ take_over: true }))
  const giveUp = useSubmit(async () => {
    await onChange(await call(api.POST('/console/api/signups/{signup_id}/give-up', { params: { path } })))
  })
  return (
    <form className="stack" onSubmit={finish.onSubmit}>
      <Notice>{nextStep(choices.length)}</Notice>
      {choices.length > 1 && (
        <Choices
          legend="Number"
          name="signup-number"
          value={number?.phone_number_id ?? ''}
          options={choices.map((one) => ({
            value: one.phone_number_id,
            label: one.phone_number ?? one.phone_number_id,
            hint: one.display_name ?? 'No display name yet',
          }))}
          onChange={choose}
        />
      )}
      {number?.needs_pin && (
        <Field
          label={`PIN for ${number.phone_number ?? 'the number'}`}
          hint="Six digits: choose new ones, or use those of its two-step verification."
          type="password"
          inputMode="numeric"
          autoComplete="off"
          value={pin}
          error={finish.errorOf('pin')}
          onChange={(event) => setPin(event.target.value.trim())}
        />
      )}
      {steps.length > 0 && <StepList steps={steps.filter(({ status }) => status !== 'skipped')} />}
      <div className="row">
        <Button type="submit" kind="primary" busy={finish.busy}>
          {choices.length === 0 ? 'Show the numbers' : 'Connect the number'}
        </Button>
        {steps.some(({ fix }) => fix?.includes('--take-over')) && (
          <Button busy={takeOver.busy} onClick={() => void takeOver.submit()}>
            Take over
          </Button>
        )}
        <Button busy={giveUp.busy} onClick={() => void giveUp.submit()}>
          Give up
        </Button>
      </div>
      <FailureNotice failure={finish.general ?? takeOver.failure ?? giveUp.failure} />
    </form>
  )
}

function nextStep(numbers: number): string {
  if (numbers === 0) {
    return 'Meta granted access, but no number is connected yet. If none was shared, add one in WhatsApp Manager first.'
  }
  return `Meta granted access. ${numbers > 1 ? 'Choose the number to connect.' : 'One step is left.'}`
}

const pastSentences: Record<NonNullable<Signup['history_sync']>, string> = {
  due: 'requested as soon as callbacks arrive here',
  asking: 'being requested',
  done: 'requested; they arrive within minutes to a day',
  late: 'not requested: the 24 hours in which Meta accepts it were over',
  refused: 'rejected by Meta',
  unknown:
    "Meta's response got lost, and it can be requested only once: if nothing arrives, disconnect and sign up again",
}

function Past({ signup: { contacts_sync: contacts, history_sync: history } }: { signup: Signup }) {
  if (!contacts || !history) return null
  return (
    <dl className="facts small">
      <dt>Contacts</dt>
      <dd>{pastSentences[contacts]}</dd>
      <dt>History</dt>
      <dd>{pastSentences[history]}</dd>
    </dl>
  )
}
