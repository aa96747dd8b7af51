import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiFailure, api, call, type Schemas, toFailure } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Check, FilterSelect } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FailureNotice } from '../../components/state.tsx'
import { WindowChip } from '../../components/window-chip.tsx'
import type { Place } from './place.ts'

type SandboxPhone = Schemas['ConsoleSandboxPhone']
type Behaviour = SandboxPhone['behaviour']

const fates: readonly { value: Behaviour['next']; label: string }[] = [
  { value: 'read', label: 'be read' },
  { value: 'delivered', label: 'be delivered, not read' },
  { value: 'sent', label: 'be sent, not delivered' },
  { value: 'unreachable', label: 'fail: unreachable' },
  { value: 'fails_after_sent', label: 'fail after sending' },
  { value: 'rate_limited', label: 'be rejected: rate limit' },
  { value: 'no_answer', label: 'get no response' },
]
const delays = [
  { value: '0', label: 'No delay' },
  { value: '1000', label: '1 s between steps' },
  { value: '5000', label: '5 s between steps' },
  { value: '30000', label: '30 s between steps' },
]

type ControlsProps = {
  at: Place
  phone: SandboxPhone
  conversation: Schemas['ConsoleSandboxConversation'] | undefined
}

export function Controls({ at, phone, conversation }: ControlsProps) {
  const client = useQueryClient()
  // What was just chosen is shown at once; the sandbox has the last word.
  const [chosen, setChosen] = useState<Behaviour | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const shown = chosen ?? phone.behaviour

  async function change(part: Partial<Behaviour>): Promise<void> {
    const wanted = { ...shown, ...part }
    setChosen(wanted)
    setFailure(null)
    try {
      await call(api.PUT('/console/api/sandbox/behaviour', { body: { number_id: at.numberId, ...wanted } }))
      await client.invalidateQueries({ queryKey: ['sandbox'] })
    } catch (error) {
      setFailure(toFailure(error))
    }
    setChosen(null)
  }

  return (
    <section className="card card-body stack" aria-label="Controls">
      <h2>Controls</h2>
      <fieldset className="field">
        <legend className="field-label">The next message will</legend>
        <div className="fates">
          {fates.map(({ value, label }) => (
            <label key={value} className="check">
              <input
                type="radio"
                name="next-message"
                checked={shown.next === value}
                onChange={() => void change({ next: value })}
              />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="row">
        <FilterSelect
          label="Delay"
          options={delays}
          value={String(shown.delay_ms)}
          onChange={(event) => void change({ delay_ms: Number(event.target.value) })}
        />
        <Check checked={shown.read_receipts} onChange={(event) => void change({ read_receipts: event.target.checked })}>
          Read receipts
        </Check>
      </div>
      {conversation && <WindowControl at={at} window={conversation.window} />}
      <FailureNotice failure={failure} />
    </section>
  )
}

type WindowProps = { at: Place; window: Schemas['ConsoleSandboxConversation']['window'] }

function WindowControl({ at, window }: WindowProps) {
  const client = useQueryClient()
  const isOpen = window.state === 'open'
  const form = useSubmit(async () => {
    const body = { number_id: at.numberId, customer: at.customer, state: isOpen ? 'closed' : 'open' } as const
    await call(api.POST('/console/api/sandbox/window', { body }))
    await client.invalidateQueries({ queryKey: ['sandbox'] })
  })
  return (
    <div className="row">
      <WindowChip window={window} />
      <span className="grow" />
      <Button busy={form.busy} onClick={() => void form.submit()}>
        {isOpen ? 'Close window' : 'Open window'}
      </Button>
      <FailureNotice failure={form.failure} />
    </div>
  )
}
