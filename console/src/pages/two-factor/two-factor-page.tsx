import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { ConfirmationProvider, useConfirmed } from '../../components/overlay/confirmation.tsx'
import { SignOutDialog } from '../../components/overlay/sign-out-dialog.tsx'
import { SoloPage } from '../../components/solo-page.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { RecoveryCodes } from '../../components/two-factor/recovery-codes.tsx'
import { beginTwoFactor, SetupForm, type TwoFactorSetup } from '../../components/two-factor/setup-form.tsx'
import { sessionQuery, useSession } from '../../session.ts'

/** Before anything else: the account requires a second factor, and this person has none. */
export default function TwoFactorPage({ onDone }: { onDone: () => void }) {
  return (
    <SoloPage title="Set up two-factor sign-in">
      <ConfirmationProvider>
        <Steps onDone={onDone} />
      </ConfirmationProvider>
    </SoloPage>
  )
}

function Steps({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const { account } = useSession()
  const confirmed = useConfirmed()
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const begin = useSubmit(async () => setSetup(await confirmed(beginTwoFactor)))
  const finish = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }).then(onDone)
  if (codes) return <RecoveryCodes codes={codes} onDone={finish} />
  if (setup) return <SetupForm setup={setup} onOn={setCodes} />
  return (
    <div className="stack">
      <p>
        {account.name} requires it for all members. From now on, you sign in with your password and a code from an app
        on your phone. It takes two minutes.
      </p>
      <FailureNotice failure={begin.failure} />
      <div className="row row-apart">
        <Button kind="quiet" onClick={() => setLeaving(true)}>
          Sign out
        </Button>
        <Button kind="primary" busy={begin.busy} onClick={() => void begin.submit()}>
          Set up
        </Button>
      </div>
      {isLeaving && <SignOutDialog onClose={() => setLeaving(false)} />}
    </div>
  )
}
