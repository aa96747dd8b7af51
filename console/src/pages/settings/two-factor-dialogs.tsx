import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CurrentPasswordField } from '../../components/form/current-password-field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { LeaveQuestion } from '../../components/overlay/leave-question.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { CodeField, otherFailure } from '../../components/two-factor/code-field.tsx'
import { RecoveryCodes } from '../../components/two-factor/recovery-codes.tsx'
import { SetupForm, type TwoFactorSetup } from '../../components/two-factor/setup-form.tsx'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'

type Closing = { onClose: () => void }

/** Asked again while a dialog is open, so that the page behind it is right when it closes. */
export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: ({ signal }) => call(api.GET('/console/api/me/two-factor', { signal })),
})

export function SetupDialog({ setup, onClose }: { setup: TwoFactorSetup } & Closing) {
  const client = useQueryClient()
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <Dialog title="Turn on two-factor sign-in" onClose={onClose}>
      <SetupForm
        setup={setup}
        onOn={(recoveryCodes) => {
          setCodes(recoveryCodes)
          void client.invalidateQueries(twoFactorQuery)
          toast('Two-factor sign-in is on; your other sessions ended')
        }}
      />
    </Dialog>
  )
}

export function CodesDialog({ codes, onClose }: { codes: readonly string[] } & Closing) {
  const [asks, setAsks] = useState(false)
  return (
    <Dialog
      title="Your recovery codes"
      onClose={() => setAsks(true)}
      foot={
        asks && (
          <LeaveQuestion
            question="Close without saving the codes?"
            leave="Close without them"
            onStay={() => setAsks(false)}
            onLeave={onClose}
          />
        )
      }
    >
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
  )
}

export function OffDialog({ onClose }: Closing) {
  const client = useQueryClient()
  const { account } = useSession()
  return (
    <BothFactorsDialog
      title="Turn off two-factor sign-in?"
      consequence={
        account.two_factor_required
          ? `${account.name} requires it, so you will set it up again immediately, for example with another phone.`
          : 'You will sign in with your password only. Your recovery codes stop working.'
      }
      action="Turn off"
      kind="danger"
      onClose={onClose}
      onGiven={async (body) => {
        await call(api.POST('/console/api/me/two-factor/off', { body }))
        await client.invalidateQueries(twoFactorQuery)
        onClose()
        toast('Two-factor sign-in is off')
      }}
    />
  )
}

export function RenewDialog({ onClose }: Closing) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <BothFactorsDialog
      title="Create new recovery codes?"
      consequence="Your current recovery codes stop working."
      action="Create codes"
      kind="primary"
      onClose={onClose}
      onGiven={async (body) => {
        const renewed = await call(api.POST('/console/api/me/two-factor/recovery-codes', { body }))
        setCodes(renewed.recovery_codes)
      }}
    />
  )
}

type BothFactorsProps = Closing & {
  title: string
  consequence: string
  action: string
  kind: 'danger' | 'primary'
  onGiven: (given: Schemas['ConsoleBothFactors']) => Promise<void>
}

/** Asks for the password and a code: what weakens the second factor needs both once more. */
function BothFactorsDialog({ title, consequence, action, kind, onClose, onGiven }: BothFactorsProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const form = useSubmit(() => onGiven({ password, code }))
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="form" onSubmit={form.onSubmit}>
        <p>{consequence}</p>
        <CurrentPasswordField value={password} onChange={setPassword} />
        <CodeField value={code} onChange={setCode} failure={form.failure} />
        <FailureNotice failure={otherFailure(form.failure)} />
        <div className="row row-end">
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind={kind} type="submit" busy={form.busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
