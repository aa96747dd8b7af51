import type { ReactNode } from 'react'
import { toFailure } from '../api.ts'
import { buttons } from '../texts.ts'
import { Button } from './form/button.tsx'
import { ErrorState, FailureFacts, Notice, type Shape, Skeleton } from './state.tsx'
import { ClockTime } from './time.tsx'
import { Words } from './words.tsx'

/** A query, or a list of pages, as far as it is shown. */
export type Loading<T> = {
  data: T | undefined
  error: Error | null
  isError: boolean
  dataUpdatedAt: number
  refetch: () => Promise<unknown>
}

type ViewProps<T> = { query: Loading<T>; shape?: Shape; children: (data: T) => ReactNode }

/** Loading, refused, or there; what was there stays while a later attempt fails. */
export function QueryView<T>({ query, shape = 'lines', children }: ViewProps<T>) {
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorState failure={toFailure(query.error)} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton shape={shape} />
    )
  }
  return (
    <div className="stack">
      <StaleNotice query={query} />
      {children(query.data)}
    </div>
  )
}

/** Why what is shown is not of now, and how old it is. */
export function StaleNotice({ query }: { query: Loading<unknown> }) {
  if (!query.isError) return null
  const failure = toFailure(query.error)
  return (
    <Notice tone="warn" icon="alert">
      <p>
        <Words text={failure.message} /> Last updated at <ClockTime at={query.dataUpdatedAt} />.{' '}
        <Button kind="quiet" onClick={() => void query.refetch()}>
          {buttons.tryAgain}
        </Button>
      </p>
      <FailureFacts failure={failure} />
    </Notice>
  )
}
