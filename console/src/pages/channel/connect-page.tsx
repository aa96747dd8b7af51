import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Page } from '../../components/page.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import { FirstMessage } from './first-message.tsx'
import { GuideStep } from './guide-step.tsx'
import { ManualSetup } from './manual-setup.tsx'
import { Away, MetaSteps } from './meta-steps.tsx'
import { checkTitles } from './step-list.tsx'

type Checked = Schemas['ConsoleChannelChecked']

const ids = { business_id: '', phone_number_id: '', app_id: '' }
const secrets = { access_token: '', app_secret: '', pin: '' }

/** The steps of docs/go-live.md, with the same names. Ids are kept in this tab; secrets only as long as the page is open. */
export default function ConnectPage() {
  const client = useQueryClient()
  const { user } = useSession()
  const channels = useQuery({
    queryKey: ['channel'],
    queryFn: ({ signal }) => call(api.GET('/console/api/channels', { signal })),
  })
  const hasSharedApp = channels.data?.shared_app ?? false
  const [kept, keep] = useKeptDraft(user.id, 'connect', ids)
  const [secret, setSecret] = useState(secrets)
  const [result, setResult] = useState<Checked | null>(null)
  const attempt = (takeOver: boolean) => async () => {
    setResult(null)
    const { business_id, phone_number_id, app_id } = kept
    const { access_token, ...others } = secret
    const given = Object.fromEntries(Object.entries({ app_id, ...others }).filter(([, value]) => value !== ''))
    const body = { business_id, phone_number_id, access_token, ...given, ...(takeOver ? { take_over: true } : {}) }
    const checked = await call(api.POST('/console/api/channels', { body }))
    setResult(checked)
    if (checked.channel) {
      setSecret(secrets)
      keep(null)
    }
    await client.invalidateQueries({ queryKey: ['channel'] })
  }
  const connect = useSubmit(attempt(false))
  const takeOver = useSubmit(attempt(true))
  const text = (name: keyof typeof ids) => ({
    value: kept[name],
    error: connect.errorOf(name),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => keep({ ...kept, [name]: event.target.value.trim() }),
  })
  const hidden = (name: keyof typeof secrets) => ({
    value: secret[name],
    error: connect.errorOf(name),
    type: 'password',
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setSecret({ ...secret, [name]: event.target.value.trim() }),
  })
  const found = (...names: string[]) => result?.steps.filter(({ name }) => names.includes(name)) ?? []
  const isConnected = result?.channel != null
  return (
    <Page
      title="Go live"
      lead={
        <>
          From a Meta developer account to the first real message. <Away to="/docs/go-live">The guide</Away> has every
          step in full, with links to Meta&apos;s pages.
        </>
      }
      trail={[{ title: 'Channel', to: '/channel' }]}
    >
      <form className="card" onSubmit={connect.onSubmit}>
        <ol className="steps-list">
          <MetaSteps {...{ text, hidden, found, hasSharedApp }} />
          <GuideStep
            number={6}
            title="Connect"
            found={found('app_callback', 'subscription', 'callback', 'read_back', 'number_callback', 'health')}
          >
            <p>Every step is checked with Meta. Nothing is stored while one of the first five fails.</p>
            <div className="row">
              <Button type="submit" kind="primary" busy={connect.busy}>
                {connect.busy ? 'Checking your number…' : 'Check and connect'}
              </Button>
              {result?.steps.some(({ fix }) => fix?.includes('--take-over')) && (
                <Button busy={takeOver.busy} onClick={() => void takeOver.submit()}>
                  Take over
                </Button>
              )}
            </div>
            <FailureNotice failure={connect.general ?? takeOver.general} />
            <div aria-live="polite" className="stack">
              {result && <Outcome result={result} />}
              {result && <ManualSetup setup={result.manual} steps={result.steps} />}
            </div>
          </GuideStep>
          <GuideStep number={7} title="Send the first message" found={[]}>
            {isConnected ? (
              <FirstMessage channelId={result.channel?.id ?? ''} list={channels.data} />
            ) : (
              <p className="muted">Once the number is connected, write to it from your own phone.</p>
            )}
          </GuideStep>
        </ol>
      </form>
    </Page>
  )
}

function Outcome({ result }: { result: Checked }) {
  if (result.ok)
    return (
      <Notice tone="ok" icon="check">
        Connected. All checks passed.
      </Notice>
    )
  return result.channel ? (
    <Notice tone="warn" icon="alert">
      Connected, but something is missing. <ButtonLink to="/channel">See the channel</ButtonLink>
    </Notice>
  ) : (
    <Notice tone="error" icon="alert">
      Nothing was stored. Fix what failed above and try again: {failedChecks(result)}.
    </Notice>
  )
}

function failedChecks({ steps }: Checked): string {
  return steps.flatMap(({ name, status }) => (status === 'failed' ? [checkTitles[name] ?? name] : [])).join(', ')
}
