import type { Caller } from '../accounts/caller.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { Throttle } from '../lib/gcra.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { deleteHistory } from '../store/template-changes.ts'
import { deleteDraft } from '../store/templates.ts'
import { Unit } from '../store/unit.ts'
import { addNew } from './change-template.ts'
import { newTemplate, type StoredTemplate, toRecord } from './stored-template.ts'
import { submitTemplate } from './submit-template.ts'
import type { TemplateInput, TemplateRecord } from './template-types.ts'
import { writeContent } from './write-content.ts'

export type NewTemplate = TemplateInput & { submit?: boolean | null }

/** Ten a minute: each may cost a review by a person. */
export const creationRule = { everyMs: 6_000, burst: 10 }

/**
 * Stores a template and, unless only a draft is wanted, submits it. It is stored before the platform is asked, so that
 * what arrives there is always known here; what the platform refuses is forgotten again, and its name stays free.
 */
export async function createTemplate(
  rt: Runtime,
  limit: Throttle,
  caller: Pick<Caller, 'accountId' | 'phoneNumberIds'>,
  input: NewTemplate,
): Promise<TemplateRecord> {
  const { accountId } = caller
  const channel = await requireNumber(rt, accountId, { allowedIds: caller.phoneNumberIds })
  const content = writeContent(input, channel.kind)
  requirePace(limit, accountId, rt.clock.now())
  const owner = {
    id: rt.newId('tpl'),
    accountId,
    channelId: channel.channelId,
    channelKind: channel.kind,
    source: 'api' as const,
  }
  const draft = newTemplate(content, owner, rt.clock.now())
  await storeDraft(rt, draft)
  if (input.submit === false) return toRecord(draft)
  try {
    return toRecord(await submitTemplate(rt, channel, draft))
  } catch (error) {
    // Without an answer it may be there: the draft stays, and the next sync finds out.
    if (!(error instanceof AppError && error.code === 'upstream_unavailable')) await forget(rt, draft)
    throw error
  }
}

async function storeDraft(rt: Runtime, draft: StoredTemplate): Promise<void> {
  const unit = new Unit()
  addNew(rt, unit, draft, 'api')
  try {
    await rt.store.write(unit)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('template_already_exists', `There is a template ${draft.name} in ${draft.language}.`)
  }
}

async function forget(rt: Runtime, { id }: StoredTemplate): Promise<void> {
  const unit = new Unit()
  unit.add(deleteDraft, { id })
  unit.add(deleteHistory, { template_id: id })
  await rt.store.write(unit)
}

function requirePace(limit: Throttle, accountId: string, now: number): void {
  const waitMs = limit.take(accountId, now)
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', 'At most ten templates can be created in a minute.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}
