import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { DayOf } from '../../components/time.tsx'
import { beginTwoFactor, type TwoFactorSetup } from '../../components/two-factor/setup-form.tsx'
import { useSession } from '../../session.ts'
import { OffDialog, RenewDialog, SetupDialog, twoFactorQuery } from './two-factor-dialogs.tsx'

type State = Schemas['ConsoleTwoFactorState']
const fewCodes = 3

export function TwoFactorCard() {
  const state = useQuery(twoFactorQuery)
  return (
    <section className="card card-body stack" aria-labelledby="two-factor">
      <h2 id="two-factor">Two-factor sign-in</h2>
      <QueryView query={state}>{(data) => <Content state={data} />}</QueryView>
    </section>
  )
}

function Content({ state }: { state: State }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [isRenewing, setRenewing] = useState(false)
  const [isEnding, setEnding] = useState(false)
  const begin = useSubmit(async () => setSetup(await confirmed(beginTwoFactor)))
  const close = () => {
    setSetup(null)
    setRenewing(false)
    setEnding(false)
    void client.invalidateQueries()
  }
  return (
    <>
      {state.since === null ? (
        <OffState busy={begin.busy} onBegin={() => void begin.submit()} />
      ) : (
        <OnState state={state} onRenew={() => setRenewing(true)} onEnd={() => setEnding(true)} />
      )}
      <FailureNotice failure={begin.failure} />
      {setup && <SetupDialog setup={setup} onClose={close} />}
      {isRenewing && <RenewDialog onClose={close} />}
      {isEnding && <OffDialog onClose={close} />}
    </>
  )
}

function OffState({ busy, onBegin }: { busy: boolean; onBegin: () => void }) {
  return (
    <>
      <p className="muted">Each sign-in then asks for your password and a code from an app on your phone.</p>
      <div>
        <Button icon="shield" busy={busy} onClick={onBegin}>
          Turn on
        </Button>
      </div>
    </>
  )
}

type OnProps = { state: State; onRenew: () => void; onEnd: () => void }

function OnState({ state: { since, recovery_codes_left: left }, onRenew, onEnd }: OnProps) {
  const { account } = useSession()
  return (
    <>
      <div className="row">
        <Chip tone="ok" icon="check">
          On
        </Chip>
        <span className="muted">since {since && <DayOf at={since} />}</span>
      </div>
      {left > fewCodes ? (
        <p className="muted">{countOf(left, 'recovery code')} left. New ones replace them.</p>
      ) : (
        <Notice tone="warn" icon="key">
          {left === 0 ? 'No recovery codes left' : `Only ${countOf(left, 'recovery code')} left`}. Create new ones.
        </Notice>
      )}
      {account.two_factor_required && <p className="small muted">Required in {account.name}.</p>}
      <div className="row">
        <Button onClick={onRenew}>New recovery codes</Button>
        <Button onClick={onEnd}>Turn off</Button>
      </div>
    </>
  )
}
