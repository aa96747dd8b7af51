import type { Schemas } from '../../api.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Words } from '../../components/words.tsx'

type CheckStep = Schemas['ConsoleCheckStep']

const icons: Record<CheckStep['status'], IconName> = { ok: 'check', warning: 'info', failed: 'alert', skipped: 'pause' }
const words: Record<CheckStep['status'], string> = {
  ok: 'Passed',
  warning: 'Warning',
  failed: 'Failed',
  skipped: 'Skipped',
}
export const checkTitles: Record<string, string> = {
  address: 'Public address',
  token: 'Access token',
  permissions: 'Permissions',
  app_secret: 'App secret',
  number: 'Number',
  app_callback: 'Callback address of the app',
  subscription: 'Account subscription',
  callback: 'Callback address',
  read_back: 'Confirmation by Meta',
  number_callback: 'Callback address of the number',
  health: 'Health',
}

/** What is wrong is open; what passed is one line that opens. */
export function StepList({ steps }: { steps: readonly CheckStep[] }) {
  const numbered = steps.map((step, index) => ({ step, key: `${step.name} ${index}` }))
  const open = numbered.filter(({ step }) => step.status !== 'ok')
  const passed = numbered.filter(({ step }) => step.status === 'ok')
  return (
    <>
      {open.length > 0 && <Steps rows={open} />}
      {passed.length > 0 && (
        <details>
          <summary>
            {passed.length} of {steps.length} checks passed
          </summary>
          <Steps rows={passed} />
        </details>
      )}
    </>
  )
}

function Steps({ rows }: { rows: readonly { step: CheckStep; key: string }[] }) {
  return (
    <ol className="check-steps">
      {rows.map(({ step, key }) => (
        <li key={key} className="check-step" data-status={step.status}>
          <Icon name={icons[step.status]} />
          <div>
            <strong>{checkTitles[step.name] ?? step.name}</strong>{' '}
            <span className="visually-hidden">{words[step.status]}:</span>
            <span className="break">
              <Words text={step.sentence} />
            </span>
            {step.fix && (
              <p className="break">
                <Words text={inConsole(step.fix)} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** The gateway names the flag of its command; here the same is a button near the list. */
function inConsole(fix: string): string {
  return fix
    .replace('Run `postern channels check --repair`', 'Choose Repair')
    .replace('run the check with --repair', 'choose Repair')
    .replace('Repeat with --take-over', 'Choose Take over')
}
