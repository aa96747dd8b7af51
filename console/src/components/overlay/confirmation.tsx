import { createContext, type ReactNode, useContext, useState } from 'react'
import { ApiFailure, api, call } from '../../api.ts'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'
import { Button } from '../form/button.tsx'
import { CurrentPasswordField } from '../form/current-password-field.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { FailureNotice } from '../state.tsx'
import { Dialog } from './dialog.tsx'

type Confirmed = <T>(act: () => Promise<T>) => Promise<T>
const ConfirmationContext = createContext<Confirmed>((act) => act())

/** Runs an act; when the gateway wants the password first, asks for it and runs the act again. */
export function useConfirmed(): Confirmed {
  return useContext(ConfirmationContext)
}

type Waiting = { resolve: () => void; reject: (error: Error) => void }

export function ConfirmationProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  async function confirmed<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ApiFailure && error.requiredScope === 'recent_sign_in')) throw error
      await new Promise<void>((resolve, reject) => setWaiting({ resolve, reject: () => reject(error) }))
      return act()
    }
  }

  function settle(how: 'resolve' | 'reject'): void {
    setWaiting(null)
    waiting?.[how](new Error('not confirmed'))
  }

  return (
    <ConfirmationContext value={confirmed}>
      {children}
      {waiting && <ConfirmDialog onDone={() => settle('resolve')} onClose={() => settle('reject')} />}
    </ConfirmationContext>
  )
}

function ConfirmDialog(props: { onDone: () => void; onClose: () => void }) {
  const { user } = useSession()
  return user.password ? <PasswordConfirm {...props} /> : <ProviderConfirm {...props} />
}

/** For people without a password: the provider asks them again, and they come back to this page. */
function ProviderConfirm({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const form = useSubmit(async () => {
    const body = { return_to: window.location.pathname + window.location.search }
    const { url } = await call(api.POST('/console/api/oidc/confirm', { body }))
    window.location.assign(url)
    await new Promise(() => {})
  })
  return (
    <Dialog title="Confirm who you are" onClose={onClose}>
      <div className="stack">
        <p>
          {`You sign in again at ${user.provider ?? 'your provider'} and come back to this page. Then repeat what you did; the confirmation lasts five minutes.`}
        </p>
        <FailureNotice failure={form.failure} />
        <div className="row row-end">
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="primary" busy={form.busy} onClick={() => void form.submit()}>
            Continue
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function PasswordConfirm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/confirm', { body: { password } }))
    onDone()
  })
  return (
    <Dialog title="Confirm your password" onClose={onClose}>
      <form className="form" onSubmit={form.onSubmit}>
        <p>Confirm your identity. The confirmation lasts five minutes.</p>
        <CurrentPasswordField value={password} onChange={setPassword} />
        <FailureNotice failure={form.failure} />
        <div className="row row-end">
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
