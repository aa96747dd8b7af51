import { type InteractiveMessage, Postern, type PosternEvent } from '@postern/sdk'

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
  // The same event read again, after a restart, gets no second answer.
  const once = { idempotencyKey: event.id }
  if ('say' in answer) await postern.messages.send({ to, message: answer.say }, once)
  else await postern.messages.sendInteractive({ to, ...answer.ask }, once)
  console.log(`answered ${event.data.messageId} with ${'say' in answer ? 'a text' : `a ${answer.ask.type} message`}`)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

console.log('listening')
try {
  const feed = postern.events.list({ type: 'message.received', since: new Date() }, { signal: stopping.signal })
  for await (const event of feed) if (event.type === 'message.received') await reply(event)
} catch (error) {
  if (!stopping.signal.aborted) throw error
  console.log('stopped')
}
