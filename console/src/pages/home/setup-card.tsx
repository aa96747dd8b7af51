import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Meter } from '../../components/meter.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { setPreference, usePreferences } from '../../preferences.ts'
import { type Action, useMay, useSession } from '../../session.ts'

type Progress = Schemas['ConsoleProgress']
type Step = Schemas['ConsoleSetupStep']

const neededSteps = 4

export function useProgress() {
  return useQuery({
    queryKey: ['home', 'progress'],
    queryFn: ({ signal }) => call(api.GET('/console/api/progress', { signal })),
  })
}

/** The optional line counts too: the card stays, folded if the person likes, until real customers can be reached. */
export function isSetUp(progress: Progress): boolean {
  return progress.live && progress.steps.every(({ state }) => state === 'done')
}

/** What can be done at once with the sandbox, and what needs Meta. */
const tryIt: readonly Step['id'][] = ['key', 'webhook']

/** All that the sandbox is for: what is left needs a number of one's own. */
function isTried({ live, sandbox, steps }: Progress): boolean {
  return !live && sandbox.connected && steps.every(({ id, state }) => state === 'done' || !tryIt.includes(id))
}

const links: Record<Step['id'], { to: string; action: Action; todo: string; later: string }> = {
  channel: { to: '/channel', action: 'channel:read', todo: 'Connect', later: 'View' },
  business: { to: '/channel', action: 'channel:read', todo: 'View', later: 'View' },
  templates: { to: '/templates', action: 'templates:read', todo: 'Create templates', later: 'View' },
  key: { to: '/api-keys?create', action: 'keys:write', todo: 'Create New API Key', later: 'View' },
  webhook: { to: '/webhooks?create', action: 'webhooks:write', todo: 'Add a webhook', later: 'View' },
}
const marks: Record<Step['state'], IconName> = { todo: 'plus', waiting: 'clock', done: 'check', problem: 'alert' }
const words: Record<Step['state'], string> = { todo: 'To do', waiting: 'Waiting', done: 'Done', problem: 'Problem' }

/** The prerequisites, each as it is found to be. */
export function SetupCard({ progress }: { progress: Progress }) {
  const { setupFolded: isFolded } = usePreferences()
  if (isTried(progress)) return <OwnNumber />
  return (
    <section className="card" aria-label="Get ready to send">
      <div className="card-head">
        <h2>Get ready to send</h2>
        <span className="row grow row-end">
          <span className="muted">
            {progress.done} of {neededSteps} done
          </span>
          <span className="setup-meter">
            <Meter label="Steps done" used={progress.done} quota={neededSteps} />
          </span>
          <Button kind="quiet" aria-expanded={!isFolded} onClick={() => setPreference('setupFolded', !isFolded)}>
            {isFolded ? 'Show steps' : 'Hide'}
          </Button>
        </span>
      </div>
      {!isFolded && (
        <>
          <StepGroup title="Try it" steps={progress.steps.filter(({ id }) => tryIt.includes(id))} />
          <Shortcut progress={progress} />
          <StepGroup title="Go live" steps={progress.steps.filter(({ id }) => !tryIt.includes(id))} />
        </>
      )}
    </section>
  )
}

function StepGroup({ title, steps }: { title: string; steps: readonly Step[] }) {
  return (
    <>
      <h3 className="setup-group">{title}</h3>
      <ol className="steps-list">
        {steps.map((step, index) => (
          <SetupStep key={step.id} step={step} number={index + 1} />
        ))}
      </ol>
    </>
  )
}

/** What is left on Home when all was done with the sandbox. */
function OwnNumber() {
  const mayConnect = useMay('channel:write')
  if (!mayConnect) return null
  return (
    <section className="card card-body row" aria-label="Go live">
      <span className="grow">
        This is the sandbox: its messages reach nobody. To reach real customers, connect a number of your own.
      </span>
      <ButtonLink to="/connect" icon="channel">
        Go live
      </ButtonLink>
    </section>
  )
}

/** The first success must not wait for an approval. */
function Shortcut({ progress: { sandbox, first_message_sent: hasSent } }: { progress: Progress }) {
  const client = useQueryClient()
  const mayPlay = useMay('sandbox:use')
  const mayConnect = useMay('channel:write')
  const connect = useSubmit(async () => {
    await call(api.POST('/console/api/channels/sandbox'))
    await client.invalidateQueries()
    toast('The sandbox is connected')
  })
  const canConnect = sandbox.available && !sandbox.connected && mayConnect
  if (hasSent || !(canConnect || (sandbox.connected && mayPlay))) return null
  return (
    <div className="card-body row setup-shortcut">
      <span className="grow">You can try it without any approval: the sandbox has a customer waiting.</span>
      {canConnect ? (
        <Button kind="primary" icon="phone" busy={connect.busy} onClick={() => void connect.submit()}>
          Skip and try it in the sandbox
        </Button>
      ) : (
        <ButtonLink to="/sandbox" icon="phone" kind="primary">
          Try the sandbox
        </ButtonLink>
      )}
      <FailureNotice failure={connect.failure} />
    </div>
  )
}

function SetupStep({ step, number }: { step: Step; number: number }) {
  const { actions } = useSession()
  const link = links[step.id]
  return (
    <li className="setup-step">
      <span className="setup-mark" data-state={step.state} title={words[step.state]}>
        {step.state === 'todo' && !step.optional ? number : <Icon name={marks[step.state]} size={15} />}
        <span className="visually-hidden">{words[step.state]}</span>
      </span>
      <div>
        <h4>
          {step.title}
          {step.optional && <span className="field-optional"> (optional)</span>}
        </h4>
        <p className="muted">
          {step.text ?? step.why}
          {step.refusal && <Refusal refusal={step.refusal} />}
        </p>
      </div>
      {actions.includes(link.action) && (
        <ButtonLink
          to={step.state === 'todo' ? link.to : (link.to.split('?')[0] ?? '')}
          kind={step.state === 'todo' ? 'plain' : 'quiet'}
        >
          {step.state === 'todo' ? link.todo : link.later}
        </ButtonLink>
      )}
    </li>
  )
}

/** When it was, the code in the API's words, and the request itself. */
function Refusal({ refusal: { at, code, request_id: id } }: { refusal: NonNullable<Step['refusal']> }) {
  const mayRead = useMay('logs:read')
  return (
    <>
      {' '}
      <RelativeTime at={at} />: <Link to={`/help/errors#${code}`}>{code}</Link>
      {mayRead && (
        <>
          {' · '}
          <Link to={`/logs?search=${id}`}>See the request</Link>
        </>
      )}
    </>
  )
}
