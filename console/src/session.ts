import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, call, type Schemas } from './api.ts'

export type Session = Schemas['ConsoleSession']
export type Action = Session['actions'][number]

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call(api.GET('/console/api/session', { signal })),
  staleTime: 60_000,
})

/** A person signed in: what another person left in memory goes, and the application shows its pages. */
export function enterSession(client: QueryClient, session: Session): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  client.setQueryData(sessionQuery.queryKey, session)
}

const SessionContext = createContext<Session | null>(null)
export const SessionProvider = SessionContext.Provider

/** Who is signed in; every page below the shell has one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('No page outside the shell has a session.')
  return session
}

export function useMay(action: Action | null): boolean {
  const { actions } = useSession()
  return action === null || actions.includes(action)
}

export function useLimits() {
  return useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => call(api.GET('/console/api/limits', { signal })),
  })
}
