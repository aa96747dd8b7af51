import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { nameFile } from '../../store/messages/message-files.ts'
import { replaceContent } from '../../store/messages/messages.ts'
import { enterBulkhead } from '../rate-limits/bulkhead.ts'
import {
  callAndRecord,
  type Dispatch,
  type FallbackNeeded,
  queuedRow,
  refused,
  type Sent,
  storeFirst,
} from './dispatch-message.ts'
import type { Draft, Sender, TemplateRequest } from './draft.ts'
import { draftTemplate } from './send-template.ts'

/** The template that is sent instead of a text. */
export async function draftFallback(rt: Runtime, sender: Sender, request: TemplateRequest): Promise<Draft> {
  return { ...(await draftTemplate(rt, sender, request, 'fallback.')), used: 'template' }
}

/**
 * The platform refused a text because the window is closed, so nothing was sent. The same message, with its id and its
 * idempotency key, becomes its fallback and is sent as that, once. Where that cannot be, the message has failed with the
 * refusal of the text, and the caller is told what was in the way.
 */
export async function sendFallback(rt: Runtime, dispatch: Dispatch, needed: FallbackNeeded): Promise<Sent> {
  const { row: before, deadline } = needed.refusal
  const ready = await prepare(rt, dispatch, needed)
  try {
    const { id, created_at, history, settle_by, revision } = before
    const row = { ...queuedRow(rt, dispatch.sender, ready.draft), id, created_at, history, settle_by, revision }
    const queued = { row, draft: ready.draft, idempotencyKey: dispatch.idempotencyKey }
    const unit = unitOf(replaceContent, row)
    for (const media_id of ready.draft.files ?? []) unit.add(nameFile, { media_id, message_id: id })
    await storeFirst(rt, queued, deadline, () => rt.store.write(unit))
    const replaced = { row: { ...row, revision: revision + 1 }, limits: ready.limits, release: ready.release }
    return await callAndRecord(rt, { ...dispatch, draft: ready.draft }, replaced)
  } finally {
    ready.release()
  }
}

/** A second call needs what the first one needed: time, the rate limits and the concurrency limit of the number. */
async function prepare(rt: Runtime, dispatch: Dispatch, { request, refusal }: FallbackNeeded) {
  const { row, deadline } = refusal
  try {
    const draft = await draftFallback(rt, { ...dispatch.sender, deadline }, request)
    const { number, address } = draft
    const rate = { numberId: number.id, sendsPerSecond: number.sendsPerSecond, customer: address.value }
    const waitMaxMs = deadline.rateWaitMs()
    const limits = { rate, deadline, endsMs: performance.now() + waitMaxMs }
    await rt.sendRate.wait(rate, waitMaxMs)
    return { draft, limits, release: await enterBulkhead(rt, number, limits.endsMs - performance.now()) }
  } catch (error) {
    if (!(error instanceof AppError)) throw await refused(rt, dispatch, refusal)
    const told = new AppError(error.code, error.message, { ...error.extras, messageId: row.id })
    throw await refused(rt, dispatch, refusal, told)
  }
}
