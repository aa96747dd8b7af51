import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { errors, type InteractiveMessage, Postern, type PosternEvent } from '@postern/sdk'

const postern = new Postern()
const orders: Record<string, string> = {
  'A-1001': 'It is packed and leaves today.',
  'A-1002': 'It is with the courier and comes tomorrow.',
}

type Received = Extract<PosternEvent, { type: 'message.received' }>
type Reply =
  | { say: string }
  | { ask: Omit<Extract<InteractiveMessage, { type: 'buttons' }>, 'to'> }
  | { ask: Omit<Extract<InteractiveMessage, { type: 'list' }>, 'to'> }

/** What to say to what the customer wrote or tapped. */
function answerTo({ data }: Received): Reply {
  const chosen = data.content?.reply?.id ?? ''
  const state = orders[chosen.replace('order:', '')]
  if (state !== undefined) return { say: state }
  if (chosen === 'orders') return { ask: orderList() }
  if (chosen === 'person') return { say: 'A colleague will write to you here, Monday to Friday from 9 to 17.' }
  return { ask: menu() }
}

function menu() {
  const buttons = [
    { id: 'orders', title: 'My order' },
    { id: 'person', title: 'A person' },
  ]
  return { type: 'buttons' as const, body: 'Hello! What can we do for you?', buttons }
}

function orderList() {
  const rows = Object.keys(orders).map((order) => ({ id: `order:${order}`, title: order }))
  return { type: 'list' as const, body: 'Which order is it about?', button: 'Choose', sections: [{ rows }] }
}

async function reply(event: Received): Promise<void> {
  const to = event.data.from ?? event.data.userId
  if (to === null) return
  const answer = answerTo(event)
  // The same event again, after a crash, gets no second reply.
  const once = { idempotencyKey: event.id }
  try {
    if ('say' in answer) await postern.messages.send({ to, message: answer.say }, once)
    else await postern.messages.sendInteractive({ to, ...answer.ask }, once)
  } catch (error) {
    if (!isFinal(error)) throw error
    console.log(`no reply to ${event.data.messageId}: ${error.code}`)
    return
  }
  console.log(`answered ${event.data.messageId} with ${'say' in answer ? 'a text' : `a ${answer.ask.type} message`}`)
}

/** Trying again would change nothing: WhatsApp rejects the reply, or nobody can say whether it was sent. */
function isFinal(error: unknown): error is errors.PosternError {
  if (error instanceof errors.ChannelError) return !error.retryable
  return error instanceof errors.PosternError && error.code === 'send_outcome_unknown'
}

/** Where the bot is in the feed. The file is replaced as a whole, so a crash leaves the old position or the new one. */
const file = 'position.txt'
const load = () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
function save(position: string): void {
  writeFileSync(`${file}.new`, position)
  renameSync(`${file}.new`, file)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

console.log('listening')
await postern.events.consume({
  type: 'message.received',
  load,
  save,
  handle: async (event) => {
    if (event.type === 'message.received') await reply(event)
  },
  signal: stopping.signal,
  onRetry: ({ error, waitMs }) => console.log(`${error.code}: trying again in ${Math.ceil(waitMs / 1_000)} s`),
  onRestart: ({ since }) => console.log(`the position is no longer valid: continuing with events since ${since}`),
})
console.log('stopped')
