import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { errors, Postern, type RateLimit } from '@postern/sdk'

const { values } = parseArgs({
  options: {
    campaign: { type: 'string', default: 'bulk-notify' },
    file: { type: 'string', default: new URL('recipients.csv', import.meta.url).pathname },
    parallel: { type: 'string', default: '4' },
    wait: { type: 'boolean', default: false },
  },
})

type Recipient = { to: string; values: string[] }

const postern = new Postern()
const waiting = readRecipients(values.file)
const counts = { sent: 0, refused: 0 }
let resumeAt = 0

await Promise.all(Array.from({ length: Number(values.parallel) }, serve))
console.log(`${counts.sent} sent, ${counts.refused} refused, ${waiting.length} left`)
if (waiting.length > 0) console.log(`the quota is used up: run again after ${new Date(resumeAt).toISOString()}`)

/** Takes recipients until none is waiting or the quota is used up. */
async function serve(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (!(await hasQuota()) || !(await notify(next))) {
      waiting.unshift(next)
      if (!values.wait) return
    }
  }
}

async function hasQuota(): Promise<boolean> {
  if (Date.now() < resumeAt && values.wait) await pause(resumeAt - Date.now())
  return Date.now() >= resumeAt
}

/** False when the quota was used up before this one. */
async function notify({ to, values: [name = '', order = '', total = ''] }: Recipient): Promise<boolean> {
  const message = { to, template: 'order_confirmation', language: 'en_US', body: [name, order, total] }
  const idempotencyKey = `${values.campaign}-${to}`
  try {
    const { data, response } = await postern.messages
      .sendTemplate(message, { idempotencyKey, maxRetries: values.wait ? 2 : 0 })
      .withResponse()
    counts.sent += 1
    console.log(`${to} ${response.idempotentReplayed ? 'has it already' : 'sent'} ${data.messageId}`)
    heed(response.rateLimit)
  } catch (error) {
    if (!(error instanceof errors.PosternError)) throw error
    if (error instanceof errors.RateLimitError) {
      resumeAt = Date.now() + (error.retryAfter ?? 60) * 1_000
      return false
    }
    counts.refused += 1
    console.log(`${to} refused ${error.code}`)
  }
  return true
}

/** The last request of a window is noticed before the first refusal. */
function heed(limits: RateLimit | undefined): void {
  const empty = Object.values(limits ?? {}).filter((window) => window?.remaining === 0)
  for (const window of empty) resumeAt = Math.max(resumeAt, Date.now() + (window?.resetsInSeconds ?? 0) * 1_000)
}

function readRecipients(file: string): Recipient[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(Boolean).map((line) => {
    const [to = '', ...rest] = line.split(',')
    return { to, values: rest }
  })
}
