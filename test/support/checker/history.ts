/** What was seen of one run from outside, in the order in which it was seen. Times are `performance.now()`. */
export type Entry =
  /** A client sends a request. `id` names the message; repeats of a request share it, `attempt` tells them apart. */
  | { kind: 'request'; at: number; tenant: string; id: string; attempt: number }
  | {
      kind: 'answer'
      at: number
      tenant: string
      id: string
      attempt: number
      status: number
      code: string | null
      /** Of a refusal: why. */
      reason?: string | null
      messageId: string | null
    }
  /** The connection ended without an answer: the client does not know whether the message was accepted. */
  | { kind: 'broken'; at: number; tenant: string; id: string; attempt: number }
  /** The connection was refused: the request did not leave the client. */
  | { kind: 'refused'; at: number; tenant: string; id: string; attempt: number }
  /** A message reached the platform, on a number of `tenant`. `silent`: the platform never tells what became of it. */
  | { kind: 'platform'; at: number; tenant: string; id: string; messageId: string; silent?: boolean }
  /** An event reached the webhook of `tenant`. */
  | { kind: 'webhook'; at: number; tenant: string; id: string; messageId: string; event: EventSeen }
  /** The API lists a message to `tenant` once everything is over. */
  | { kind: 'listed'; at: number; tenant: string; id: string; status: string }
  /** The gateway counts something for `tenant` once everything is over. */
  | { kind: 'figure'; at: number; tenant: string; name: FigureName; value: number }

/** `attempt` is what the gateway calls the delivery of it, from 1. */
export type EventSeen = { id: string; type: string; sequence: number; attempt: number }

/** `sent` and `delivered` are the analytics of the API, `requests` is what the quota counted. */
export type FigureName = 'sent' | 'delivered' | 'requests'

type WithoutTime<One> = One extends Entry ? Omit<One, 'at'> : never

export type Recorder = {
  readonly history: readonly Entry[]
  record(entry: WithoutTime<Entry>, at?: number): void
}

export function createRecorder(): Recorder {
  const history: Entry[] = []
  return {
    history,
    record: (entry, at = performance.now()) => void history.push({ ...entry, at } as Entry),
  }
}
