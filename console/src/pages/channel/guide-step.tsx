import type { ReactNode } from 'react'
import type { Schemas } from '../../api.ts'
import { Icon } from '../../components/icon.tsx'
import { StepList } from './step-list.tsx'

type CheckStep = Schemas['ConsoleCheckStep']
type Props = {
  number: number
  title: string
  /** What the checks of this step found; empty before they ran. */
  found: readonly CheckStep[]
  children: ReactNode
}

/** One step of going live: what to do at Meta, the values to bring along, and what the checks say about them. */
export function GuideStep({ number, title, found, children }: Props) {
  const state = stateOf(found)
  return (
    <li className="guide-step">
      <span className="setup-mark" data-state={state}>
        {state === 'done' ? (
          <Icon name="check" size={15} />
        ) : state === 'problem' ? (
          <Icon name="alert" size={15} />
        ) : (
          number
        )}
      </span>
      <div className="stack">
        <h2>
          <span className="visually-hidden">{`Step ${number}${state === 'todo' ? '' : `, ${state}`}: `}</span>
          {title}
        </h2>
        {children}
        {found.length > 0 && <StepList steps={found} />}
      </div>
    </li>
  )
}

function stateOf(found: readonly CheckStep[]): 'todo' | 'done' | 'problem' {
  if (found.some(({ status }) => status === 'failed')) return 'problem'
  return found.length > 0 && found.every(({ status }) => status === 'ok' || status === 'warning') ? 'done' : 'todo'
}
