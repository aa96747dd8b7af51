import { api, call } from '../api.ts'
import { conversationAddress } from '../conversation-address.ts'
import { preferences } from '../preferences.ts'
import { queryClient } from '../query-client.ts'

/** The newest message that this browser has told about. */
let toldUntil = new Date().toISOString()
let isLooking = false

/** One tab of a browser watches while all of them are hidden, and tells: the one that holds this lock. */
const lockName = 'postern.inbox'
let holdsLock = false

/** Whether this tab follows the gateway also while it is hidden. Without locks none does. */
export function watchesHidden(): boolean {
  return holdsLock
}

/** Asks to be the tab that watches, until the page goes. */
export function standForWatching(onChosen: () => void): () => void {
  const ended = new AbortController()
  // Held until the page goes: the browser then gives it to another tab.
  const hold = () =>
    new Promise<void>((resolve) => {
      holdsLock = true
      ended.signal.addEventListener('abort', () => {
        holdsLock = false
        resolve()
      })
      onChosen()
    })
  navigator.locks?.request(lockName, { signal: ended.signal }, hold).catch(() => {})
  return () => ended.abort()
}

/** Something was written or read: the number in the title is asked for in hidden tabs too, and news are told once. */
export function lookAtInbox(): void {
  void queryClient.invalidateQueries({ queryKey: ['inbox', 'counts'] })
  const { notify, sound } = preferences()
  if (holdsLock && (notify || sound) && !isLooking) void tellNews()
}

async function tellNews(): Promise<void> {
  isLooking = true
  try {
    const query = { unread: true, limit: 10 }
    const { conversations } = await call(api.GET('/console/api/conversations', { params: { query } }))
    const me = queryClient.getQueryData<{ user: { id: string } }>(['session'])?.user.id
    const news = conversations.filter(
      ({ active_at, assignee }) => active_at > toldUntil && (assignee === null || assignee.user_id === me),
    )
    toldUntil = conversations.reduce((last, { active_at: at }) => (at > last ? at : last), toldUntil)
    const untold = news.filter(({ customer }) => !isOpen(customer))
    if (untold.length === 0) return
    if (preferences().sound) playSound()
    if (preferences().notify) for (const line of untold.slice(0, 3)) show(line)
  } catch {
    // The next message, or the next look, tells.
  } finally {
    isLooking = false
  }
}

function isOpen(customer: string): boolean {
  return document.visibilityState === 'visible' && new URLSearchParams(location.search).get('customer') === customer
}

type News = { customer: string; name: string | null; last_message: { preview: string | null; type: string } | null }

function show({ customer, name, last_message: last }: News): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const body = last?.preview ?? last?.type ?? ''
  const notification = new Notification(name ?? customer, { body, tag: customer, icon: '/favicon.svg' })
  notification.addEventListener('click', () => {
    window.focus()
    window.location.assign(conversationAddress(customer))
    notification.close()
  })
}

/** Two soft tones, made here: no file has to be loaded. */
export function playSound(): void {
  const audio = new AudioContext()
  const tone = (frequency: number, from: number) => {
    const [source, volume] = [audio.createOscillator(), audio.createGain()]
    source.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, audio.currentTime + from)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + from + 0.25)
    source.connect(volume).connect(audio.destination)
    source.start(audio.currentTime + from)
    source.stop(audio.currentTime + from + 0.3)
  }
  tone(660, 0)
  tone(880, 0.14)
  setTimeout(() => void audio.close(), 1_000)
}
