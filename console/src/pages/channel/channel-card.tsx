import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { limitInWords } from '../../components/message/messaging-limit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { checkSummary, tokenWithoutDate } from './check-summary.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { ManualSetup } from './manual-setup.tsx'
import { StepList } from './step-list.tsx'

type Channel = Schemas['ConsoleChannel']
type Num = Channel['numbers'][number]

export function ChannelCard({ channel, several }: { channel: Channel; several: boolean }) {
  const mayWrite = useMay('channel:write')
  const [isLeaving, setLeaving] = useState(false)
  return (
    <section className="stack" aria-label={channel.name ?? channel.business_id}>
      <div className="row row-apart">
        <h2>{channel.name ?? (channel.kind === 'sandbox' ? 'Sandbox' : 'WhatsApp Business account')}</h2>
        <span className="row">
          {channel.kind === 'sandbox' && (
            <ButtonLink to="/sandbox" icon="phone">
              Open the phone
            </ButtonLink>
          )}
          {mayWrite && channel.kind === 'cloud' && channel.token_expires_at && (
            <ButtonLink to="/connect" icon="refresh">
              Replace the token
            </ButtonLink>
          )}
          {mayWrite && (
            <Button kind="danger" onClick={() => setLeaving(true)}>
              Disconnect
            </Button>
          )}
        </span>
      </div>
      <div className="tiles">
        {channel.numbers.map((number) => (
          <NumberCard key={number.id} number={number} several={several} />
        ))}
        <AccountFacts channel={channel} />
      </div>
      <Checks channel={channel} />
      {isLeaving && <DisconnectDialog channel={channel} onClose={() => setLeaving(false)} />}
    </section>
  )
}

const qualities = {
  high: { tone: 'ok', icon: 'check' },
  medium: { tone: 'warn', icon: 'alert' },
  low: { tone: 'error', icon: 'alert' },
} as const

function NumberCard({ number, several }: { number: Num; several: boolean }) {
  const client = useQueryClient()
  const mayWrite = useMay('channel:write')
  const mayReadProfile = useMay('profile:read')
  const choose = useSubmit(async () => {
    const path = { number_id: number.id }
    client.setQueryData(
      ['channel'],
      await call(api.POST('/console/api/numbers/{number_id}/default', { params: { path } })),
    )
    toast(`${number.phone_number} is now the default`)
  })
  const isUp = number.status === 'CONNECTED'
  return (
    <article className="card card-body stack stack-tight">
      <div className="row">
        <strong className="big-number">
          <CopyText text={number.phone_number} what="phone number" />
        </strong>
        {number.default && <Chip icon="check">Default</Chip>}
      </div>
      <span>{number.display_name ?? 'No display name yet'}</span>
      <div className="row">
        <Chip tone={isUp ? 'ok' : 'error'} icon={isUp ? 'check' : 'alert'}>
          {isUp ? 'Connected' : number.status.toLowerCase().replaceAll('_', ' ')}
        </Chip>
        {number.quality ? (
          <Chip {...qualities[number.quality]}>{`Quality ${number.quality}`}</Chip>
        ) : (
          <Chip icon="info">Not rated yet</Chip>
        )}
      </div>
      <dl className="facts small">
        <dt>Limit</dt>
        <dd>{number.messaging_limit ? limitInWords(number.messaging_limit) : 'Not known'}</dd>
        <dt>Speed</dt>
        <dd>{formatNumber(number.sends_per_second)} messages per second</dd>
        <dt>Number id</dt>
        <dd>
          <CopyText text={number.id} what="number id" />
        </dd>
        <dt>Last inbound message</dt>
        <dd>{number.last_inbound_at ? <RelativeTime at={number.last_inbound_at} /> : 'None yet'}</dd>
      </dl>
      <div className="row">
        {mayReadProfile && (
          <ButtonLink to={`/number/${number.id}`} icon="user">
            Profile and blocked customers
          </ButtonLink>
        )}
        {mayWrite && several && !number.default && (
          <Button busy={choose.busy} onClick={() => void choose.submit()}>
            Make default
          </Button>
        )}
      </div>
      <FailureNotice failure={choose.failure} />
    </article>
  )
}

const states: Record<Channel['status'], ComponentProps<typeof Chip>> = {
  connected: { tone: 'ok', icon: 'check', children: 'Connected' },
  no_callbacks: { tone: 'error', icon: 'alert', children: 'No callbacks' },
  auth_failed: { tone: 'error', icon: 'alert', children: 'Token rejected' },
}

function AccountFacts({ channel }: { channel: Channel }) {
  return (
    <article className="card card-body stack stack-tight">
      <h3>WhatsApp Business account</h3>
      <div className="row">
        <Chip {...states[channel.status]} />
        <Chip tone={channel.business_verified ? 'ok' : 'info'} icon={channel.business_verified ? 'shield' : 'clock'}>
          {channel.business_verified ? 'Business verified' : 'Not verified yet'}
        </Chip>
      </div>
      <dl className="facts small">
        <dt>Account id</dt>
        <dd>
          <CopyText text={channel.business_id} what="account id" />
        </dd>
        <dt>Token</dt>
        <dd>
          {channel.token_expires_at ? (
            <>
              expires <RelativeTime at={channel.token_expires_at} />
            </>
          ) : (
            tokenWithoutDate(channel.steps)
          )}
        </dd>
        <dt>Callback</dt>
        <dd>
          <CopyText text={channel.callback_url} what="callback address" />
        </dd>
        <dt>Last event</dt>
        <dd>{channel.last_event_at ? <RelativeTime at={channel.last_event_at} /> : 'None yet'}</dd>
      </dl>
    </article>
  )
}

function Checks({ channel }: { channel: Channel }) {
  const client = useQueryClient()
  const mayWrite = useMay('channel:write')
  const [manual, setManual] = useState<Schemas['ConsoleManualSetup'] | null>(null)
  const check = (body: { repair?: boolean; take_over?: boolean }) => async () => {
    const path = { channel_id: channel.id }
    const result = await call(api.POST('/console/api/channels/{channel_id}/check', { params: { path }, body }))
    setManual(result.manual)
    await client.invalidateQueries({ queryKey: ['channel'] })
    toast(checkSummary(result.steps))
  }
  const run = useSubmit(check({}))
  const repair = useSubmit(check({ repair: true }))
  const takeOver = useSubmit(check({ take_over: true }))
  const isOffered = (flag: string) => channel.steps.some(({ fix }) => fix?.includes(flag))
  return (
    <article className="card">
      <div className="card-head">
        <h3>Checks</h3>
        <span className="row">
          {channel.checked_at && (
            <span className="muted small">
              Checked <RelativeTime at={channel.checked_at} />
            </span>
          )}
          {mayWrite && isOffered('--repair') && (
            <Button busy={repair.busy} onClick={() => void repair.submit()}>
              Repair
            </Button>
          )}
          {mayWrite && isOffered('--take-over') && (
            <Button busy={takeOver.busy} onClick={() => void takeOver.submit()}>
              Take over
            </Button>
          )}
          {mayWrite && (
            <Button icon="refresh" busy={run.busy} onClick={() => void run.submit()}>
              Run checks
            </Button>
          )}
        </span>
      </div>
      <div className="card-body stack" aria-live="polite">
        {channel.steps.length === 0 ? <p className="muted">Not checked yet.</p> : <StepList steps={channel.steps} />}
        <ManualSetup setup={manual} steps={channel.steps} />
        <FailureNotice failure={run.failure ?? repair.failure ?? takeOver.failure} />
      </div>
    </article>
  )
}
