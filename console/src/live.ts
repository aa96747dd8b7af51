import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shownAccount, toFailure } from './api.ts'
import { lookAtInbox, standForWatching, watchesHidden } from './inbox/inbox-watch.ts'
import { liveState, onLiveChange, setConnection, setFailedReads } from './live-state.ts'
import { lookAgain } from './look-again.ts'
import { queryClient } from './query-client.ts'

/** Which queries look again when a topic changed; the first word of a query key is its noun. */
const nounsOf: Record<string, readonly string[]> = {
  messages: [
    'inbox',
    'messages',
    'conversations',
    'home',
    'analytics',
    'costs',
    'sandbox',
    'limits',
    'usage',
    'requests',
  ],
  events: ['events', 'messages', 'broadcasts', 'templates', 'webhooks', 'home', 'sandbox'],
  deliveries: ['webhooks', 'connections', 'deliveries', 'home', 'sandbox'],
  attempts: ['webhooks', 'deliveries', 'messages', 'home', 'sandbox'],
  presence: ['presence'],
  channels: ['channel', 'templates', 'home'],
  audit: ['audit', 'keys', 'connections', 'members', 'account', 'sessions', 'session', 'limits', 'usage', 'home'],
}

/** A word that gets lost on the way costs this long, nothing more. */
const lookAnywayMs = 30_000
/** How soon what could not be read is read again. */
const readAgainMs = 5_000
const reopenFirstMs = 1_000
const reopenMostMs = 5_000
/** Heartbeats come every 3 s. A connection on which three are missing is dead, though the browser may not know. */
const silentMaxMs = 10_000

/**
 * Follows the gateway while the tab is visible. A hidden tab closes its connection, because a browser keeps only six per
 * host; one of all tabs keeps it, to tell of customers who write. Whenever the connection opens, the first time too, everything is asked again: what changed between a page's
 * question and the opening would otherwise never be shown.
 */
export function useLiveUpdates(): void {
  useEffect(() => {
    const stop = followGateway()
    const stopCatchingUp = catchUpAfterPause()
    const stopWatchingReads = watchReads()
    const safetyNet = setInterval(lookAnyway, lookAnywayMs)
    const secondTry = setInterval(readAgain, readAgainMs)
    return () => {
      clearInterval(safetyNet)
      clearInterval(secondTry)
      stopWatchingReads()
      stopCatchingUp()
      stop()
    }
  }, [])
}

function followGateway(): () => void {
  let source: EventSource | null = null
  let reopening: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  /** Whether the gateway can read its database; it goes on sending heartbeats when it cannot. */
  let isReadable = true

  function open(): void {
    clearTimeout(reopening)
    const opened = new EventSource(`/console/api/live?account=${shownAccount() ?? ''}`)
    source = opened
    waitForHeartbeat()
    opened.addEventListener('open', () => {
      failures = 0
      waitForHeartbeat()
      catchUp()
    })
    opened.addEventListener('heartbeat', (event) => {
      waitForHeartbeat()
      const { readable } = JSON.parse(event.data as string) as { readable: boolean }
      if (readable && !isReadable) catchUp()
      if (!readable) setConnection('unreadable')
      isReadable = readable
    })
    opened.addEventListener('changed', (event) => changed(JSON.parse(event.data as string).topics as string[]))
    opened.addEventListener('signed_out', askForSession)
    opened.addEventListener('error', () => {
      setConnection('lost')
      // The browser reconnects by itself after an interruption; an answer other than 200 it takes as final.
      if (opened.readyState !== EventSource.CLOSED) return
      source = null
      askForSession()
      reopening = setTimeout(follow, Math.min(reopenMostMs, reopenFirstMs * 2 ** failures))
      failures += 1
    })
  }

  function catchUp(): void {
    isReadable = true
    setConnection('open')
    lookAgain(() => true)
  }

  function waitForHeartbeat(): void {
    clearTimeout(silence)
    silence = setTimeout(() => {
      setConnection('lost')
      close()
      follow()
    }, silentMaxMs)
  }

  function close(): void {
    clearTimeout(reopening)
    clearTimeout(silence)
    source?.close()
    source = null
  }

  function follow(): void {
    if (document.visibilityState === 'hidden' && !watchesHidden()) close()
    else if (!source) open()
  }

  follow()
  const stopStanding = standForWatching(follow)
  document.addEventListener('visibilitychange', follow)
  return () => {
    stopStanding()
    document.removeEventListener('visibilitychange', follow)
    close()
    setConnection('opening')
  }
}

/** However well the connection is: what is shown is old where it could not be read again. */
function watchReads(): () => void {
  const reads = queryClient.getQueryCache()
  const look = () => setFailedReads(reads.findAll({ type: 'active', predicate: hasFailed }).length > 0)
  look()
  return reads.subscribe(look)
}

/** A read that never succeeded is left to the person and to `lookAnywayMs`: each try puts its page back to loading. */
function readAgain(): void {
  if (document.visibilityState === 'hidden') return
  lookAgain((query) => hasFailed(query) && query.state.data !== undefined)
}

/** A refusal is no failure: asking again would not help, and the page says why. */
function hasFailed({ state: { status, error } }: Query): boolean {
  return status === 'error' && toFailure(error).isRetryable
}

/** What happened during a pause is shown when it ends. */
function catchUpAfterPause(): () => void {
  let before = liveState()
  return onLiveChange(() => {
    const wasPaused = before === 'paused'
    before = liveState()
    if (wasPaused) lookAgain(() => true)
  })
}

function changed(topics: readonly string[]): void {
  if (topics.includes('messages')) lookAtInbox()
  if (document.visibilityState === 'hidden') return
  const nouns = new Set(topics.flatMap((topic) => nounsOf[topic] ?? []))
  lookAgain(({ queryKey }) => nouns.has(String(queryKey[0])))
}

/** Of what no topic is about, such as the check of a draft, that which failed: nothing else would ask for it again. */
function lookAnyway(): void {
  if (document.visibilityState === 'hidden') return
  const nouns = new Set(Object.values(nounsOf).flat())
  lookAgain((query) => nouns.has(String(query.queryKey[0])) || hasFailed(query))
}

/** The stream also ends with the session; then the application shows the sign-in form. */
function askForSession(): void {
  void queryClient.invalidateQueries({ queryKey: ['session'] })
}
