import type { Check, FirstRun, ServiceSandbox } from '@postern/server/gateway.ts'
import { timedOut, withTimeout } from '@postern/server/tools.ts'

/** What the supervisor can be asked by one of its processes. */
export type SupervisorCalls = {
  join(): { number: number; sandbox: ServiceSandbox | null }
  started(facts: Started): void
  health(): Promise<Check[]>
}
export type Started = { readonly base_url: string; readonly console_url: string; readonly firstRun: FirstRun | null }

/** What one of the processes can be asked by the supervisor. */
export type ProcessCalls = {
  check(): Promise<Check[]>
  metrics(): Promise<string>
  stop(): void
}

type Handlers = SupervisorCalls | ProcessCalls
type Message = { call: string; id: number; argument: unknown } | { answerTo: number; answer: unknown }
type Channel = {
  send?(message: Message, sent: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: Message) => void): unknown
}

/** Null: no answer in time, or the other process is gone. */
export type Ask<Theirs> = <Name extends keyof Theirs & string>(
  name: Name,
  timeoutMs: number,
  ...argument: Theirs[Name] extends (...given: infer Given) => unknown ? Given : never
) => Promise<Theirs[Name] extends (...given: never) => infer Answer ? Awaited<Answer> | null : never>

/** Answers the calls of the process at the other end of the channel with `own`, and calls it in turn. */
export function connectProcess<Theirs extends Handlers>(channel: Channel, own: Handlers): Ask<Theirs> {
  const handlers = own as Readonly<Record<string, ((argument: unknown) => unknown) | undefined>>
  const waiting = new Map<number, (answer: unknown) => void>()
  let lastId = 0
  // A process that is gone needs no message.
  const send = (message: Message) => channel.send?.(message, () => {})
  channel.on('message', (message) => {
    if ('call' in message) void answerCall(message)
    else waiting.get(message.answerTo)?.(message.answer)
  })
  // One that fails has no answer, and the process that asked does not wait for ever.
  async function answerCall({ call, id, argument }: Extract<Message, { call: string }>): Promise<void> {
    try {
      send({ answerTo: id, answer: await handlers[call]?.(argument) })
    } catch {}
  }
  return async (name, timeoutMs, ...[argument]) => {
    const id = ++lastId
    const answered = new Promise<unknown>((resolve) => void waiting.set(id, resolve))
    send({ call: name, id, argument })
    const outcome = await withTimeout(answered, timeoutMs)
    waiting.delete(id)
    return (outcome === timedOut ? null : outcome) as never
  }
}
