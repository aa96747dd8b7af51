import type { Schemas } from '../../api.ts'
import { CopyText } from '../../components/form/copy.tsx'

type Setup = Schemas['ConsoleManualSetup']
type CheckStep = Schemas['ConsoleCheckStep']

/** What to enter in the App Dashboard by hand, where the gateway could not set the address of the app itself. */
export function ManualSetup({ setup, steps }: { setup: Setup | null; steps: readonly CheckStep[] }) {
  const isNeeded = steps.some(({ name, status }) => name === 'app_callback' && status === 'failed')
  if (!setup || !isNeeded) return null
  return (
    <details>
      <summary>Enter the app's callback address manually</summary>
      <p>
        In Meta&apos;s App Dashboard open Use cases, Customize, Configuration. Enter these two values, choose Verify and
        save, subscribe to the fields, and run the checks again.
      </p>
      <dl className="facts small">
        <dt>Callback URL</dt>
        <dd>
          <CopyText text={setup.callback_url} what="callback URL" />
        </dd>
        <dt>Verify token</dt>
        <dd>
          <CopyText text={setup.verify_token} what="verify token" />
        </dd>
        <dt>Fields</dt>
        <dd className="break">{setup.fields.join(', ')}</dd>
        <dt>Handshake</dt>
        <dd>{setup.verified ? 'Meta has verified the address' : 'Not yet'}</dd>
      </dl>
    </details>
  )
}
