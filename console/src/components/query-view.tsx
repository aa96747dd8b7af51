import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toFailure } from '../api.ts'
import { Button } from './button.tsx'
import { ErrorState, Notice, Skeleton } from './state.tsx'
import { clockTime } from './time.tsx'

/** Loading, refused, or there; what was there stays while a later attempt fails. */
export function QueryView<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const retry = () => void query.refetch()
  if (query.data === undefined) {
    return query.isError ? <ErrorState failure={toFailure(query.error)} onRetry={retry} /> : <Skeleton />
  }
  return (
    <div className="stack">
      {query.isError && (
        <Notice tone="warn" icon="alert">
          {toFailure(query.error).message} What you see is as of {clockTime(query.dataUpdatedAt)}.{' '}
          <Button kind="quiet" onClick={retry}>
            Try again
          </Button>
        </Notice>
      )}
      {children(query.data)}
    </div>
  )
}
