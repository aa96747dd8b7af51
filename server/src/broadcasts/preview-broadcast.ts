import { sendDeadline } from '../access/send-deadline.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { Sender } from '../messages/send/draft.ts'
import { send } from '../messages/send/send.ts'
import type { SendAnswers, SendRequest } from '../messages/send/send-request.ts'
import type { Runtime } from '../runtime.ts'
import type { BroadcastRow } from '../store/broadcasts/broadcasts.ts'
import { findByLine, type RecipientRow } from '../store/broadcasts/recipients.ts'
import { findUploads, type UploadRow } from '../store/broadcasts/uploads.ts'
import { requireSendableTemplate } from '../templates/find-template.ts'
import { matchParameters } from '../templates/values/match-parameters.ts'
import { type Owner, patternOf, requireBroadcast } from './broadcast.ts'

/** The components for one recipient. */
export function filledFor(row: BroadcastRow, columns: readonly string[], cells: string): unknown {
  const values = JSON.parse(cells) as (string | null)[]
  const filled = patternOf(row).fill((name) => values[columns.indexOf(name)] ?? undefined)
  return filled ?? undefined
}

/** The message as one of its recipients would see it. */
export async function previewBroadcast(rt: Runtime, owner: Owner, id: string, line: number | null) {
  const row = await requireBroadcast(rt, owner, id)
  const { recipient, components } = await recipientOf(rt, row, line)
  const number = await requireNumber(rt, row.account_id, { from: row.number_id })
  const template = await requireSendableTemplate(rt, number, { name: row.template, language: row.language })
  const matched = matchParameters(template, components)
  if (matched.ok) return { line: recipient.line, to: recipient.address, content: matched.rendered }
  throw new AppError(matched.error, matched.problems[0]?.message ?? 'The values do not fit the template.', {
    details: matched.problems,
  })
}

async function recipientOf(rt: Runtime, row: BroadcastRow, line: number | null) {
  const uploads = (await rt.store.read(findUploads, { broadcast_id: row.id })).filter(
    ({ state }) => state === 'complete',
  )
  const upload = uploads.at(-1)
  const recipient = upload && (await findRecipient(rt, upload, line))
  if (!recipient) {
    if (!upload) throw new AppError('broadcast_empty', 'The broadcast has no recipients. Upload some first.')
    throw new AppError('broadcast_empty', `Line ${line ?? 1} of the last upload is no recipient.`)
  }
  return { recipient, components: filledFor(row, JSON.parse(upload.columns) as string[], recipient.cells) }
}

async function findRecipient(rt: Runtime, upload: UploadRow, line: number | null): Promise<RecipientRow | undefined> {
  const { broadcast_id, first_group, last_group } = upload
  return (await rt.store.read(findByLine, { broadcast_id, first_group, last_group, line: line ?? 0 }))[0]
}

type Test = { to: readonly string[]; line?: number | null }

/** Sends the message of one recipient to others. These are sends as all others: they count and cost. */
export async function testBroadcast(rt: Runtime, sender: Sender, id: string, { to, line = null }: Test) {
  const row = await requireBroadcast(rt, sender, id)
  const { components } = await recipientOf(rt, row, line)
  const { template, language, number_id } = row
  const messages = []
  for (const address of to) {
    const body = {
      to: address,
      from: number_id,
      template,
      language,
      components: (components ?? null) as unknown[] | null,
    }
    messages.push({ to: address, ...(await sendOne(rt, sender, body)) })
  }
  return { messages }
}

type Body = Extract<SendRequest, { kind: 'template' }>['body']
type Sent = { message_id: string | null; error: { code: string; message: string } | null }

async function sendOne(rt: Runtime, sender: Sender, body: Body): Promise<Sent> {
  try {
    const { data } = await send(rt, {
      sender,
      request: { kind: 'template', body },
      idempotencyKey: null,
      deadline: sendDeadline(rt),
    })
    return { message_id: (data as SendAnswers['template']).message_id, error: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, extras } = error
    return { message_id: extras.messageId ?? null, error: { code, message } }
  }
}
