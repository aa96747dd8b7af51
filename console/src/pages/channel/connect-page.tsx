import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Page } from '../../components/page.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { checkSummary } from './check-summary.ts'
import { FirstMessage } from './first-message.tsx'
import { GuideStep } from './guide-step.tsx'
import { ManualSetup } from './manual-setup.tsx'
import { Away, MetaSteps } from './meta-steps.tsx'
import { SignupSection } from './signup-section.tsx'
import { checkTitles } from './step-list.tsx'
import { type Checked, useConnect } from './use-connect.ts'

/** The steps of docs/go-live.md, with the same names. */
export default function ConnectPage() {
  const state = useConnect()
  const { channels, connect, result, text, hidden, found } = state
  return (
    <Page
      title="Go live"
      lead={
        <>
          From a Meta developer account to the first real message. <Away to="/docs/go-live">The guide</Away> has every
          step in full, with links to Meta&apos;s pages.
        </>
      }
      trail={[{ title: 'Phone numbers', to: '/channel' }]}
    >
      <div className="stack">
        {channels?.signup && <SignupSection />}
        <form className="card" onSubmit={connect.onSubmit}>
          <ol className="steps-list">
            <MetaSteps {...{ text, hidden, found }} hasSharedApp={channels?.shared_app ?? false} />
            <ConnectStep state={state} />
            <GuideStep number={7} title="Send the first message" found={[]}>
              {result?.channel ? (
                <FirstMessage channelId={result.channel.id} list={channels} />
              ) : (
                <p className="muted">Once the number is connected, write to it from your own phone.</p>
              )}
            </GuideStep>
          </ol>
        </form>
      </div>
    </Page>
  )
}

function ConnectStep({ state }: { state: ReturnType<typeof useConnect> }) {
  const { connect, takeOver, result, found } = state
  const checks = found('app_callback', 'subscription', 'callback', 'read_back', 'number_callback', 'health')
  return (
    <GuideStep number={6} title="Connect" found={checks}>
      <p>Every step is checked with Meta. Nothing is stored until the first five pass.</p>
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
  )
}

function Outcome({ result }: { result: Checked }) {
  if (result.ok)
    return (
      <Notice tone="ok" icon="check">
        Connected. {checkSummary(result.steps)}.
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
