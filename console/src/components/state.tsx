import type { ReactNode } from 'react'
import type { ApiFailure } from '../api.ts'
import { buttons } from '../texts.ts'
import { Button } from './form/button.tsx'
import { CopyText } from './form/copy.tsx'
import { Icon, type IconName } from './icon.tsx'
import { countOf } from './plural.ts'
import { Words } from './words.tsx'

/** Nothing here yet, or nothing that matches: what will be here, why, and the one thing to do. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} size={24} />
      </span>
      <h2>{title}</h2>
      {children}
      {action}
    </div>
  )
}

/** The API's own sentence, its code with the page that explains it, and the id that leads to the log. */
export function ErrorState({ failure, onRetry }: { failure: ApiFailure; onRetry?: () => void }) {
  // Asking again finds no more than the first time.
  const isMissing = failure.code.endsWith('_not_found')
  return (
    <div className="state" role="alert">
      <span className="state-icon" data-tone={isMissing ? 'neutral' : 'error'}>
        <Icon name={isMissing ? 'search' : 'alert'} size={24} />
      </span>
      <h2>{isMissing ? 'Not found' : 'This could not be loaded'}</h2>
      <p>
        <Words text={failure.message} />
      </p>
      <FailureFacts failure={failure} />
      {onRetry && !isMissing && (
        <Button icon="refresh" onClick={onRetry}>
          {buttons.tryAgain}
        </Button>
      )}
    </div>
  )
}

/** A refusal inside a form or a dialog. */
export function FailureNotice({ failure }: { failure: ApiFailure | null }) {
  if (!failure) return null
  return (
    <div className="notice" data-tone="error" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          <Words text={failure.message} />
        </p>
        <FailureFacts failure={failure} />
      </div>
    </div>
  )
}

export function NoPermission({ role, what, owners }: { role: string; what: string; owners: readonly string[] }) {
  return (
    <div className="state">
      <span className="state-icon" data-tone="neutral">
        <Icon name="lock" size={24} />
      </span>
      <h2>You don&apos;t have access</h2>
      <p>
        Your role <span className="role">{role}</span> cannot open {what}. Owners: {owners.join(', ')}.
      </p>
    </div>
  )
}

export function Notice({
  tone = 'info',
  icon = 'info',
  children,
}: {
  tone?: 'info' | 'ok' | 'warn' | 'error'
  icon?: IconName
  children: ReactNode
}) {
  return (
    <div className="notice" data-tone={tone}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}

/** What a page is made of, while it is on its way. */
export type Shape = 'lines' | 'table' | 'figures'

/** Shown only after 300 ms, so that a fast answer does not flicker; in the shape of what comes, so that little moves. */
export function Skeleton({ rows, shape = 'lines' }: { rows?: number; shape?: Shape }) {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other name
      <span key={row} className="skeleton" style={{ width: `${90 - ((row * 17) % 40)}%` }} />
    ))
  return (
    <div className="stack" role="status" aria-label="Loading">
      {shape === 'figures' && <div className="skeleton-figures">{lines(5)}</div>}
      <div className={shape === 'table' ? 'table-box skeleton-table' : 'card card-body stack'}>
        {lines(rows ?? (shape === 'table' ? 10 : 5))}
      </div>
    </div>
  )
}

/** The code with the page that explains it, when to try again, and the id to ask about. */
export function FailureFacts({ failure }: { failure: ApiFailure }) {
  if (failure.code === 'no_answer') return null
  return (
    <p className="small row">
      <a href={`/docs/errors#${failure.code}`} target="_blank" rel="noreferrer">
        <code>{failure.code}</code>
      </a>
      {failure.retryAfterSeconds !== null && <span>Try again in {waitInWords(failure.retryAfterSeconds)}.</span>}
      {failure.requestId && <CopyText text={failure.requestId} what="request id" />}
    </p>
  )
}

function waitInWords(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : countOf(Math.ceil(seconds / 60), 'minute')
}
