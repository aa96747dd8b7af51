import { useSearchParams } from 'wouter'

/** Another customer in the same list; `at`: with this message in sight. */
export function addressIn(search: URLSearchParams, customer: string, at?: string): string {
  const next = new URLSearchParams(search)
  next.set('customer', customer)
  next.delete('at')
  if (at) next.set('at', at)
  return `/conversations?${next}`
}

/** The address of the list without a conversation. */
export function useListAddress(): string {
  const [search] = useSearchParams()
  const back = new URLSearchParams(search)
  back.delete('customer')
  back.delete('at')
  return `/conversations?${back}`
}
