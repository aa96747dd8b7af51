import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { FieldProblem } from '../contract/field-codes.ts'
import { parseRecipient } from '../lib/phone.ts'
import type { Runtime } from '../runtime.ts'
import { type Draft, type SendCommon, type Sender, windowOf } from './draft.ts'
import { formatted } from './message-record.ts'

export type DryRunProblem = { code: string; message: string; details: FieldProblem[] }

/** Everything a send would check, and nothing sent or stored. */
export async function dryRun(
  rt: Runtime,
  sender: Sender,
  request: SendCommon,
  draftOf: (sender: Sender) => Promise<Draft>,
) {
  const problems: DryRunProblem[] = []
  let draft: Draft | null = null
  try {
    draft = await draftOf({ ...sender, dryRun: true })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problems.push({ code: error.code, message: error.message, details: error.extras.details ?? [] })
  }
  return {
    dry_run: true as const,
    would_send: draft !== null,
    type: draft?.type ?? null,
    used: draft?.used ?? null,
    window: await windowFacts(rt, sender, request),
    template: draft?.template
      ? { name: draft.template.name, language: draft.template.language, category: draft.template.category }
      : null,
    content: draft?.content ?? null,
    problems,
  }
}

async function windowFacts(rt: Runtime, sender: Sender, request: SendCommon) {
  const parsed = parseRecipient(request.to)
  if (!parsed.ok) return null
  try {
    const number = await requireNumber(rt, sender.accountId, {
      from: request.from ?? null,
      allowedIds: sender.phoneNumberIds,
    })
    const { state, expiresAt } = await windowOf(rt, number, parsed.value)
    return { state, expires_at: formatted(expiresAt) }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
