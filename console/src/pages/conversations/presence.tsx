import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Notice } from '../../components/state.tsx'
import { Avatar } from '../../inbox/avatar.tsx'
import { useMay, useSession } from '../../session.ts'
import type { Conversation } from './conversations-query.ts'

export type Person = Schemas['ConsolePresence']['people'][number]

/** The gateway drops what comes sooner than 5 s after the last signal. */
const signalEveryMs = 5_100
/** Without input for so long, a person is no longer here, although the page is. */
const awayAfterMs = 5 * 60_000

const nobody: readonly Person[] = []

/** Who else has the conversation open. While the page is in sight, the others see this person too. */
export function usePresence(customer: string, text: string): readonly Person[] {
  const client = useQueryClient()
  const mayRead = useMay('conversations:read')
  const typedAt = useRef(Number.NEGATIVE_INFINITY)
  const before = useRef(text)
  useEffect(() => {
    if (before.current !== text) typedAt.current = text === '' ? Number.NEGATIVE_INFINITY : performance.now()
    before.current = text
  }, [text])
  useEffect(() => {
    if (!mayRead) return
    let seenAt = performance.now()
    const seen = () => (seenAt = performance.now())
    const signal = () => {
      const now = performance.now()
      if (document.visibilityState === 'hidden' || now - seenAt > awayAfterMs) return
      const typing = now - typedAt.current < signalEveryMs * 2
      call(api.POST('/console/api/conversation/presence', { body: { customer, typing } }))
        .then((data) => client.setQueryData(['presence', customer], data))
        .catch(() => {})
    }
    signal()
    const timer = setInterval(signal, signalEveryMs)
    for (const type of ['pointermove', 'keydown', 'wheel']) window.addEventListener(type, seen, { passive: true })
    return () => {
      clearInterval(timer)
      for (const type of ['pointermove', 'keydown', 'wheel']) window.removeEventListener(type, seen)
    }
  }, [client, customer, mayRead])
  const found = useQuery({
    queryKey: ['presence', customer],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/conversation/presence', { params: { query: { customer } }, signal })),
    enabled: mayRead,
  })
  return found.data?.people ?? nobody
}

/** Above the reply, so that nobody answers a customer whom a colleague is answering. */
export function PeopleHere({ people }: { people: readonly Person[] }) {
  return (
    <div className="people-here" role="status">
      {people.map(({ user_id: id, name, typing }) => (
        <span key={id} className="row small" data-typing={typing}>
          <Avatar name={name} of={id} small />
          <span dir="auto">{typing ? `${name} is writing a reply` : `${name} is here`}</span>
        </span>
      ))}
    </div>
  )
}

/**
 * Why a reply should not leave without a second look: a colleague is writing one, or has sent one since this one was
 * begun. Null: nothing speaks against it.
 */
export function useCollision(conversation: Conversation, text: string, people: readonly Person[]): string | null {
  const { user } = useSession()
  const theirs = conversation.messages.find(({ sent_by: by }) => by !== null && by !== user.name)
  const begunAfter = useRef<string | undefined>(theirs?.id)
  if (text === '') begunAfter.current = theirs?.id
  const typing = people.find((one) => one.typing)
  if (typing) return `${typing.name} is writing a reply to this customer.`
  if (theirs && begunAfter.current !== theirs.id) return `${theirs.sent_by} replied while you were writing.`
  return null
}

export function CollisionNote({ sentence }: { sentence: string }) {
  return (
    <div role="alert">
      <Notice tone="warn" icon="alert">
        {`${sentence} Press Send again to send yours too.`}
      </Notice>
    </div>
  )
}
