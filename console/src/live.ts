import { useEffect } from 'react'
import { queryClient } from './query-client.ts'

/** Which queries look again when a topic changed; the first word of a query key is its noun. */
const nounsOf: Record<string, readonly string[]> = {
  messages: ['messages', 'home', 'analytics', 'sandbox', 'limits', 'requests'],
  events: ['events', 'messages', 'templates', 'webhooks', 'home', 'sandbox'],
  deliveries: ['webhooks', 'deliveries', 'home', 'sandbox'],
  callbacks: ['channel', 'messages'],
}

/** A word that gets lost on the way costs this long, nothing more. */
const lookAnywayMs = 5_000

/**
 * Follows the gateway while the tab is visible. A hidden tab closes its connection, because a browser keeps only six per
 * host. Whenever the connection opens, the first time too, everything is asked again: what changed between a page's
 * question and the opening would otherwise never be shown.
 */
export function useLiveUpdates(): void {
  useEffect(() => {
    let source: EventSource | null = null

    function open(): void {
      source = new EventSource('/console/api/live')
      source.addEventListener('open', () => void queryClient.invalidateQueries())
      source.addEventListener('changed', (event) => invalidate(JSON.parse(event.data as string).topics as string[]))
      source.addEventListener('signed_out', () => void queryClient.invalidateQueries({ queryKey: ['session'] }))
    }

    function follow(): void {
      if (document.visibilityState === 'visible' && !source) open()
      if (document.visibilityState === 'hidden' && source) {
        source.close()
        source = null
      }
    }

    follow()
    const safetyNet = setInterval(() => source && invalidate(Object.keys(nounsOf)), lookAnywayMs)
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(safetyNet)
      document.removeEventListener('visibilitychange', follow)
      source?.close()
    }
  }, [])
}

function invalidate(topics: readonly string[]): void {
  const nouns = new Set(topics.flatMap((topic) => nounsOf[topic] ?? []))
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => nouns.has(String(queryKey[0])) })
}
