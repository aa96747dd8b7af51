import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Facts } from '../../components/facts.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { SecretValue } from '../../components/overlay/once-dialog.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { CallbackSection } from './callback-section.tsx'
import type { Connection } from './connection-state.tsx'
import { stepsOf } from './tool-steps.tsx'

type Secrets = Schemas['ConsoleConnectionSecrets']
type Props = { connection: Connection; secrets: Secrets | null; onSecrets: (secrets: Secrets) => void }

/** What to paste, the steps of the tool, and where it is told. */
export function SetupTab({ connection, secrets, onSecrets }: Props) {
  const { guide, guideTitle, steps } = stepsOf(connection)
  const { address, app_id: appId, numbers, previous_token_until: until } = connection
  const { token_in_address_since: inAddressSince } = connection
  return (
    <div className="stack connection-setup">
      <section className="card card-body stack">
        <h2>What to paste</h2>
        <Facts
          rows={[
            ['Address', <CopyText key="address" text={address} what="address" />],
            [
              'Access token',
              until ? (
                <span key="token">
                  Shown once. The previous one still works; it ends <RelativeTime at={until} />.
                </span>
              ) : (
                'Shown once, when it was created. Rotate it to get a new one.'
              ),
            ],
            ...(inAddressSince
              ? [
                  [
                    'Token in the address',
                    <span key="place">
                      Since <RelativeTime at={inAddressSince} />: proxies before Postern may log it. Keep addresses out
                      of their logs.
                    </span>,
                  ] as const,
                ]
              : []),
            ...numbers.map(
              ({ phone_number: phone, phone_number_id: id }) =>
                [`Phone number ID of ${phone}`, <CopyText key={id} text={id} what="phone number ID" />] as const,
            ),
            ...businessAccounts(numbers).map(
              ([name, id]) => [name, <CopyText key={id} text={id} what="business account ID" />] as const,
            ),
            ['App ID', <CopyText key="app" text={appId} what="app ID" />],
          ]}
        />
        <SecretsBox connection={connection} {...{ secrets, onSecrets }} />
      </section>
      <section className="card card-body stack">
        <h2>Steps</h2>
        <ol className="connection-steps">
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps never change places
            <li key={index}>{step}</li>
          ))}
        </ol>
        <p>
          <Link to={`/help/${guide}`}>{guideTitle}</Link>
        </p>
      </section>
      <CallbackSection connection={connection} />
    </div>
  )
}

/** Each once; with several, by its numbers. */
function businessAccounts(numbers: Connection['numbers']): (readonly [name: string, id: string])[] {
  const ids = [...new Set(numbers.map(({ waba_id: id }) => id))]
  if (ids.length === 1) return ids.map((id) => ['Business account ID', id])
  return ids.map((id) => {
    const phones = numbers.filter(({ waba_id: own }) => own === id).map(({ phone_number: phone }) => phone)
    return [`Business account ID of ${phones.join(', ')}`, id]
  })
}

/** Shown on request, after a password: with the secret, anyone can sign callbacks. */
function SecretsBox({ connection, secrets, onSecrets }: Props) {
  const mayWrite = useMay('connections:write')
  const confirmed = useConfirmed()
  const path = { connection_id: connection.id }
  const show = useSubmit(async () => {
    onSecrets(
      await confirmed(() => call(api.POST('/console/api/connections/{connection_id}/secrets', { params: { path } }))),
    )
  })
  if (!mayWrite) return null
  if (secrets === null) {
    return (
      <div className="stack stack-tight">
        <div>
          <Button icon="eye" busy={show.busy} onClick={() => void show.submit()}>
            Show app secret and verify token
          </Button>
        </div>
        <FailureNotice failure={show.failure} />
      </div>
    )
  }
  return (
    <>
      <SecretValue label="App secret" value={secrets.app_secret} testId="app-secret" />
      {secrets.next_app_secret && <SecretValue label="Next app secret" value={secrets.next_app_secret} />}
      {secrets.verify_token && <SecretValue label="Verify token" value={secrets.verify_token} />}
    </>
  )
}
