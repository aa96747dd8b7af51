import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CurrentPasswordField } from '../../components/form/current-password-field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { CodeField, otherFailure } from '../../components/two-factor/code-field.tsx'
import { RecoveryCodes } from '../../components/two-factor/recovery-codes.tsx'
import { SetupForm, type TwoFactorSetup } from '../../components/two-factor/setup-form.tsx'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'

type Closing = { onClose: () => void }

export function SetupDialog({ setup, onClose }: { setup: TwoFactorSetup } & Closing) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <Dialog title="Switch on two-factor sign-in" onClose={onClose}>
      <SetupForm
        setup={setup}
        onOn={(recoveryCodes) => {
          setCodes(recoveryCodes)
          toast('Two-factor sign-in is on; your other sessions ended')
        }}
      />
    </Dialog>
  )
}

export function CodesDialog({ codes, onClose }: { codes: readonly string[] } & Closing) {
  return (
    <Dialog title="Your recovery codes" onClose={onClose}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
  )
}

export function OffDialog({ onClose }: Closing) {
  const { account } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/me/two-factor/off', { body: { password, code } }))
    onClose()
    toast('Two-factor sign-in is off')
  })
  return (
    <Dialog title="Switch off two-factor sign-in?" onClose={onClose}>
      <form className="form" onSubmit={form.onSubmit}>
        <p>
          {account.two_factor_required
            ? `${account.name} requires it, so you set it up again at once, for example with another phone.`
            : 'Your password alone signs you in then. Your recovery codes stop working.'}
        </p>
        <CurrentPasswordField value={password} onChange={setPassword} />
        <CodeField value={code} onChange={setCode} failure={form.failure} />
        <FailureNotice failure={otherFailure(form.failure)} />
        <div className="row row-end">
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="danger" type="submit" busy={form.busy}>
            Switch off
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
