import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'

/** Nothing of what was shown stays in memory; the application then finds no session and asks for one. */
export async function signOut(): Promise<void> {
  await api.POST('/console/api/sign-out')
  queryClient.clear()
  window.location.assign('/')
}
