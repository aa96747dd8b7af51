import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Check, Choices, Field, Select } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { type Broadcast, broadcastQuery, pathOf } from './broadcast-query.ts'

const daySeconds = 86_400
/** From so many on, an event for each message is more than most receivers want. */
const manyRecipients = 10_000

/** When it starts and how; the number of recipients is typed, so that nobody writes to more people than they meant. */
export function StartForm({ record }: { record: Broadcast }) {
  const client = useQueryClient()
  const { id, counts } = record
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [when, setWhen] = useState<'now' | 'later'>('now')
  const [at, setAt] = useState('')
  const [isQuiet, setQuiet] = useState(record.quiet_hours !== null)
  const [quiet, setQuietHours] = useState(record.quiet_hours ?? { from: '21:00', to: '08:00', time_zone: 'recipient' })
  const [validFor, setValidFor] = useState(String(record.valid_for))
  const [events, setEvents] = useState(
    record.message_events === 'all' && counts.accepted >= manyRecipients ? 'failed' : record.message_events,
  )
  const [typed, setTyped] = useState('')
  const isTyped = typed.replaceAll(/[\s.,'’]/g, '') === String(counts.accepted)
  const form = useSubmit(async () => {
    const changes = { quiet_hours: isQuiet ? quiet : null, valid_for: Number(validFor), message_events: events }
    await call(api.PUT('/console/api/broadcasts/{broadcast_id}', { ...pathOf(id), body: changes }))
    const start = {
      recipients: counts.accepted,
      ...(when === 'later' ? { start_at: new Date(at).toISOString() } : {}),
    }
    const started = await call(api.POST('/console/api/broadcasts/{broadcast_id}/start', { ...pathOf(id), body: start }))
    client.setQueryData(broadcastQuery(id).queryKey, started)
    toast(when === 'later' ? 'Scheduled' : 'Started')
    await client.invalidateQueries({ queryKey: ['broadcasts', 'list'] })
  })
  const isReady = isTyped && (when === 'now' || !Number.isNaN(Date.parse(at)))
  return (
    <form className="card card-body form" aria-label="Start" onSubmit={form.onSubmit}>
      <Choices
        legend="Start"
        name="when"
        value={when}
        pairs
        options={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'Later' },
        ]}
        onChange={setWhen}
      />
      {when === 'later' && (
        <Field
          label="Start at"
          type="datetime-local"
          hint={`In ${zone}, up to 30 days ahead.`}
          value={at}
          error={form.errorOf('start_at')}
          onChange={(event) => setAt(event.target.value)}
        />
      )}
      <Check checked={isQuiet} onChange={(event) => setQuiet(event.target.checked)}>
        Keep quiet hours
      </Check>
      {isQuiet && (
        <div className="row broadcast-quiet">
          <Field
            label="From"
            type="time"
            value={quiet.from}
            onChange={(event) => setQuietHours({ ...quiet, from: event.target.value })}
          />
          <Field
            label="To"
            type="time"
            value={quiet.to}
            onChange={(event) => setQuietHours({ ...quiet, to: event.target.value })}
          />
          <Select
            label="Time of"
            options={[
              { value: 'recipient', label: 'each recipient, by country' },
              { value: zone, label: `${zone}, for everybody` },
            ]}
            value={quiet.time_zone}
            onChange={(event) => setQuietHours({ ...quiet, time_zone: event.target.value })}
          />
        </div>
      )}
      <Select
        label="Sends for"
        hint="Recipients who have not been processed by then get nothing."
        options={daysOf(record.valid_for).map((seconds) => ({ value: String(seconds), label: durationLabel(seconds) }))}
        value={validFor}
        onChange={(event) => setValidFor(event.target.value)}
      />
      <Select
        label="Events of its messages"
        hint="Which events your webhooks and the event feed get. The results here are always complete."
        options={[
          { value: 'all', label: 'All' },
          { value: 'failed', label: 'Failed only' },
          { value: 'none', label: 'None' },
        ]}
        value={events}
        onChange={(event) => setEvents(event.target.value as typeof events)}
      />
      <Field
        label={`Type the number of recipients to ${when === 'later' ? 'schedule' : 'start'}`}
        inputMode="numeric"
        autoComplete="off"
        hint={`${formatNumber(counts.accepted)} recipients.`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <FailureNotice failure={form.general} />
      <div className="row">
        <Button kind="primary" icon="play" type="submit" busy={form.busy} disabled={!isReady}>
          {when === 'later' ? 'Schedule' : 'Start'} broadcast
        </Button>
      </div>
    </form>
  )
}

const usualDays = [1, 3, 7, 14, 30]

/** The usual ones, and what was chosen with the API. */
function daysOf(own: number): number[] {
  return [...new Set([...usualDays.map((days) => days * daySeconds), own])].sort((a, b) => a - b)
}

function durationLabel(seconds: number): string {
  const days = seconds / daySeconds
  if (Number.isInteger(days)) return days === 1 ? '1 day' : `${days} days`
  const hours = Math.round((seconds / 3_600) * 10) / 10
  return `${hours} hours`
}
