import { lazy, Suspense, useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../form/button.tsx'
import { CopyButton } from '../form/copy.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { LoadBoundary } from '../load/load-boundary.tsx'
import { FailureNotice } from '../state.tsx'
import { AppCodeField, codeProblem, otherFailure } from './code-field.tsx'

const QrCode = lazy(() => import('./qr-code.tsx'))

export type TwoFactorSetup = Schemas['ConsoleTwoFactorSetup']

/** A new secret; asks for the password where the last one is older than five minutes. */
export function beginTwoFactor(): Promise<TwoFactorSetup> {
  return call(api.POST('/console/api/me/two-factor'))
}

/** The secret goes into the app by camera or by hand, and a first code proves that it arrived. */
export function SetupForm({ setup, onOn }: { setup: TwoFactorSetup; onOn: (recoveryCodes: string[]) => void }) {
  const [code, setCode] = useState('')
  const form = useSubmit(async () => {
    const { recovery_codes } = await call(api.POST('/console/api/me/two-factor/confirm', { body: { code } }))
    onOn(recovery_codes)
  })
  const grouped = setup.secret.match(/.{1,4}/g)?.join(' ') ?? setup.secret
  return (
    <form className="form" onSubmit={form.onSubmit}>
      <p>
        Scan this with an authenticator app, such as 1Password, Google Authenticator or Microsoft Authenticator. On the
        phone itself, <a href={setup.uri}>open it in the app</a>.
      </p>
      <div className="qr-frame">
        <LoadBoundary instead={<p className="small muted">The QR code could not be loaded. Use the key below.</p>}>
          <Suspense fallback={null}>
            <QrCode text={setup.uri} label="QR code for your authenticator app" />
          </Suspense>
        </LoadBoundary>
      </div>
      <div className="stack stack-tight">
        <p className="small muted">Or type this key into the app:</p>
        <div className="secret-row">
          <code className="secret-value" data-testid="two-factor-secret">
            {grouped}
          </code>
          <CopyButton text={setup.secret} label="Copy key" />
        </div>
      </div>
      <AppCodeField
        required
        value={code}
        error={codeProblem(form.failure)}
        onChange={(event) => setCode(event.target.value)}
      />
      <FailureNotice failure={otherFailure(form.failure)} />
      <div className="row row-end">
        <Button kind="primary" type="submit" busy={form.busy}>
          Turn on
        </Button>
      </div>
    </form>
  )
}
