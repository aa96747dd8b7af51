import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { ApiFailure, api, call, type Schemas, showAccount, shownAccount } from './api.ts'

export type Session = Schemas['ConsoleSession']
export type Action = Session['actions'][number]

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => askWhoIsHere(signal),
  staleTime: 60_000,
})

/** One page shows one account: the session of another tab that switched is not shown under the pages of this one. */
async function askWhoIsHere(signal: AbortSignal): Promise<Session> {
  const session = await call(api.GET('/console/api/session', { signal }))
  const { id, name } = session.account
  if (shownAccount() !== null && shownAccount() !== id) {
    const message = `In another tab you switched to ${name}. This page shows another account.`
    throw new ApiFailure({ code: 'account_switched', message, retryable: false })
  }
  showAccount(id)
  return session
}

/** Another account begins with a fresh page: nothing of the one before stays in memory. */
export async function switchAccount(accountId: string): Promise<void> {
  await call(api.POST('/console/api/session/account', { body: { account_id: accountId } }))
}

/** A person signed in: what another person left in memory goes, and the application shows its pages. */
export function enterSession(client: QueryClient, session: Session): void {
  showAccount(session.account.id)
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
