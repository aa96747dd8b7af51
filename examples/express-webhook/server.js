import { errors, webhooks } from '@postern/sdk'
import express from 'express'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of your webhook.')

const app = express()
// A real receiver keeps the ids for three days, in its database.
const seen = new Set()

// The signature is over the bytes: no express.json() on this route.
app.post('/hooks', express.raw({ type: '*/*' }), (request, response) => {
  const event = verified(request)
  if (!event) return response.status(400).send('wrong signature')
  if (event.type === 'webhook.verification') return response.send(event.challenge)
  // Answer first. A real receiver puts the event into a queue before it answers, and works from there.
  response.send('ok')
  if (seen.has(event.id)) return
  seen.add(event.id)
  handle(event)
})

function verified(request) {
  try {
    return webhooks.verify({ body: request.body ?? '', headers: request.headers, secret })
  } catch (error) {
    if (!(error instanceof errors.WebhookVerificationError)) throw error
    console.log('refused:', error.reason)
    return null
  }
}

function handle(event) {
  switch (event.type) {
    case 'message.received':
      return console.log(event.type, event.data.from, event.data.content?.text ?? event.data.type)
    case 'message.failed':
      return console.log(event.type, event.data.messageId, event.data.error.code)
    default:
      return console.log(event.type, event.data.messageId ?? '')
  }
}

const port = process.env.PORT ?? 3000
app.listen(port, () => console.log(`listening on http://localhost:${port}/hooks`))
