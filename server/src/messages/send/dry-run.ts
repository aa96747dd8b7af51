import { rateWaitMaxMs } from '../../access/send-deadline.ts'
import { findFull } from '../../budgets/follow-budgets.ts'
import { requireNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import type { FieldProblem } from '../../contract/schema.ts'
import { estimateCost } from '../../costs/price-of.ts'
import { formatInstant } from '../../lib/instant.ts'
import { countryOf, parseRecipient } from '../../lib/phone.ts'
import { type MediaRecord, toMediaRecord } from '../../media/upload-media.ts'
import type { Runtime } from '../../runtime.ts'
import { findMedia } from '../../store/media/media.ts'
import { customerInRates } from '../customers/recipient.ts'
import { senderAt, sendTime } from './accept-waiting.ts'
import { type Draft, type SendCommon, type Sender, windowOf } from './draft.ts'
import { queuedRow } from './grant-send.ts'
import { draftMessage, type SendRequest } from './send-request.ts'

type DryRunProblem = { code: string; message: string; details: FieldProblem[] }

/** Everything a send would check, and nothing sent or stored. */
export async function dryRun(rt: Runtime, sender: Sender, request: SendRequest, seesCosts = false) {
  const problems: DryRunProblem[] = []
  let draft: Draft | null = null
  let sendAt: number | null = null
  try {
    sendAt = sendTime(rt, request.body)
    const checked = senderAt(sender, sendAt)
    draft = await draftMessage(rt, { ...checked, dryRun: true }, request)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problems.push(toProblem(error))
  }
  const { refusal, ...place } = await placeFacts(rt, sender, request.body, draft)
  if (refusal) problems.push(toProblem(refusal))
  if (draft && sendAt !== null && !mayLeaveAt(rt, draft, place.window, sendAt)) {
    problems.push(toProblem(new AppError('customer_window_closed', closedThen)))
  }
  // A send that waits reserves when it leaves.
  const full = draft && sendAt === null && (await findFull(rt, sender.accountId, [queuedRow(rt, sender, draft)]))
  if (full) problems.push(toProblem(new AppError('budget_exceeded', full.message)))
  return {
    dry_run: true as const,
    would_send: problems.length === 0,
    type: draft?.type ?? null,
    used: draft?.used ?? null,
    ...place,
    template: draft?.template
      ? { name: draft.template.name, language: draft.template.language, category: draft.template.category }
      : null,
    estimate: seesCosts ? await estimateOf(rt, sender, draft) : null,
    media: await fileFacts(rt, sender, draft),
    content: draft?.content ?? null,
    problems,
  }
}

const closedThen =
  'If the customer does not write again, the 24-hour window is closed at `send_at`, and this message fails. Send a template, or add a `fallback`.'

/** As far as can be said today. */
function mayLeaveAt(
  rt: Runtime,
  draft: Draft,
  window: { state: string; expires_at: string | null } | null,
  at: number,
) {
  if (draft.type === 'template' || draft.direct || draft.fallback) return true
  if (!window || window.state === 'unknown' || rt.config.windowPolicy === 'platform') return true
  return window.expires_at !== null && at < Date.parse(window.expires_at)
}

async function estimateOf(rt: Runtime, { accountId }: Sender, draft: Draft | null) {
  if (!draft) return null
  const category = (draft.template?.category ?? draft.direct?.category ?? 'service').toLowerCase()
  const recipients = new Map([[countryOf(draft.address.value), 1]])
  const {
    priced: _,
    unpriced: __,
    ...estimate
  } = await estimateCost(rt, {
    accountId,
    numberId: draft.number.id,
    category,
    recipients,
  })
  return estimate
}

function toProblem({ code, message, extras }: AppError): DryRunProblem {
  return { code, message, details: extras.details ?? [] }
}

/** The upload that the message would carry; nothing is known of what is behind a link. */
async function fileFacts(rt: Runtime, { accountId }: Sender, draft: Draft | null): Promise<MediaRecord | null> {
  const [id] = draft?.files ?? []
  if (id === undefined) return null
  const [row] = await rt.store.read(findMedia, { account_id: accountId, id })
  return row ? toMediaRecord(row) : null
}

const nowhere = { window: null, pace: null, refusal: null }

/** The checks of number and customer, also if the message itself has problems. */
async function placeFacts(rt: Runtime, sender: Sender, request: SendCommon, draft: Draft | null) {
  const parsed = parseRecipient(request.to)
  if (!parsed.ok) return nowhere
  try {
    const wanted = { from: request.from ?? null, allowedIds: sender.phoneNumberIds }
    const number = draft?.number ?? (await requireNumber(rt, sender.accountId, wanted))
    const { state, expiresAt } = await windowOf(rt, number, parsed.value)
    const { id: numberId, sendsPerSecond } = number
    const rate = { numberId, sendsPerSecond, customer: customerInRates(rt, sender.accountId, parsed.value) }
    const { waitMs, refusal } = await rt.sendRate.look(rate, rateWaitMaxMs(rt))
    return {
      window: { state, expires_at: formatInstant(expiresAt) },
      pace: { sends_per_second: sendsPerSecond, wait_ms: Math.ceil(waitMs) },
      refusal,
    }
  } catch (error) {
    if (error instanceof AppError) return nowhere
    throw error
  }
}
