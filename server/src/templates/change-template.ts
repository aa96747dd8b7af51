import { isDeepStrictEqual } from 'node:util'
import { type AuditEntry, writeChange } from '../audit/audit.ts'
import type { EventType } from '../contract/events.ts'
import { publishEvent } from '../events/publish-event.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { insertTemplateChange } from '../store/templates/template-changes.ts'
import { findTemplateById, insertTemplate, updateTemplate } from '../store/templates/templates.ts'
import { contentOf, fromRow, type StoredTemplate, toEditRecord, toRow } from './stored-template.ts'
import { type ChangeKind, type FieldChange, templateEvent } from './template-status.ts'

/** The source of the change: a caller, the catalog, a callback of the platform, or a sync with its list. */
type ChangeCause = 'api' | 'catalog' | 'callback' | 'sync'

/** Whose change it is; `line` goes into the audit log with it. */
type ChangeOf = { accountId: string; id: string; cause: ChangeCause; line?: AuditEntry | null }

const triesMax = 5

/**
 * Reads a template, asks what it should become, and writes that with its history and events, unless another request was
 * faster: then it asks again. Returns the template as it is now; undefined when there is none.
 */
export async function changeTemplate(
  rt: Runtime,
  { accountId, id, cause, line = null }: ChangeOf,
  decide: (template: StoredTemplate) => StoredTemplate | undefined,
): Promise<StoredTemplate | undefined> {
  for (let tries = 1; ; tries++) {
    const [row] = await rt.store.read(findTemplateById, { account_id: accountId, id })
    if (!row) return undefined
    const before = fromRow(row)
    const after = decide(before)
    const changed = after ? changeTo(rt, before, after) : undefined
    if (!changed) return before
    try {
      await writeChange(rt, line, (unit) => addChange(rt, unit, changed, cause))
      countChanges(rt, before, changed.next)
      return { ...changed.next, revision: changed.next.revision + 1 }
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries >= triesMax) throw error
    }
  }
}

/** Adds a template that nobody had before, with the first line of its history. */
export function addNew(unit: Unit, template: StoredTemplate, cause: ChangeCause): void {
  unit.add(insertTemplate, toRow(template))
  unit.add(insertTemplateChange, {
    template_id: template.id,
    number: 0,
    account_id: template.account_id,
    kind: 'created',
    cause,
    status: template.status,
    version: template.version,
    diff: '[]',
    content: JSON.stringify(contentOf(template)),
    at: template.created_at,
  })
}

type Changed = { before: StoredTemplate; next: StoredTemplate; changes: Change[]; at: number }

/** The changed columns; undefined if nothing changed. */
function changeTo(rt: Runtime, before: StoredTemplate, after: StoredTemplate): Changed | undefined {
  const changes = changesBetween(before, after)
  const silent = (['channel_template_id', 'submitted_at', 'reported_at'] as const).some(
    (name) => before[name] !== after[name],
  )
  if (changes.length === 0 && !silent) return undefined
  const now = rt.clock.now()
  const newContent = changes.some(({ kind }) => kind === 'content')
  const next: StoredTemplate = {
    ...after,
    version: before.version + (newContent ? 1 : 0),
    change_count: before.change_count + changes.length,
    updated_at: changes.length > 0 ? now : before.updated_at,
    reviewed_at: isReview(before, after) ? now : after.reviewed_at,
  }
  return { before, next, changes, at: now }
}

/** Adds an update with a line of history and an event for each kind of change. */
function addChange(rt: Runtime, unit: Unit, { before, next, changes, at }: Changed, cause: ChangeCause): void {
  unit.add(updateTemplate, toRow(next))
  for (const [index, { kind, diff }] of changes.entries()) {
    const number = before.change_count + index + 1
    unit.add(insertTemplateChange, {
      template_id: next.id,
      number,
      account_id: next.account_id,
      kind,
      cause,
      status: next.status,
      version: next.version,
      diff: JSON.stringify(diff),
      content: kind === 'content' ? JSON.stringify(contentOf(next)) : null,
      at,
    })
    publishEvent(rt, unit, {
      accountId: next.account_id,
      type: eventTypeOf(kind, next),
      subject: next.id,
      sequence: number,
      data: templateEvent(next, { kind, diff, number, at }),
    })
  }
}

function eventTypeOf(kind: ChangeKind, { next_category: announced }: StoredTemplate): EventType {
  if (kind === 'quality') return 'template.quality_changed'
  if (kind !== 'category') return 'template.status_changed'
  return announced === null ? 'template.category_changed' : 'template.category_change_announced'
}

/** A new reason for the same status, or a category that is only announced, is no change of either. */
function countChanges({ metrics }: Runtime, before: StoredTemplate, after: StoredTemplate): void {
  for (const kind of ['status', 'category', 'quality'] as const) {
    if (before[kind] !== after[kind]) metrics.templateChanges.inc({ kind, to: after[kind] ?? 'unknown' })
  }
}

/** A verdict: from under review to something else. The answer to a submission may already be one. */
function isReview(before: StoredTemplate, after: StoredTemplate): boolean {
  const editSettled = before.pending_edit !== null && after.pending_edit === null
  const isOpen = before.status === 'pending' || before.status === 'draft' || editSettled
  return isOpen && (after.status === 'approved' || after.status === 'rejected')
}

type Change = { kind: ChangeKind; diff: FieldChange[] }

function changesBetween(before: StoredTemplate, after: StoredTemplate): Change[] {
  const groups: readonly (readonly [ChangeKind, FieldChange[]])[] = [
    ['content', contentDiff(before, after)],
    [
      'category',
      diffOf(
        { category: before.category, next_category: before.next_category },
        { category: after.category, next_category: after.next_category },
      ),
    ],
    ['quality', diffOf({ quality: before.quality }, { quality: after.quality })],
    ['status', diffOf(statusFields(before), statusFields(after))],
  ]
  return groups.filter(([, diff]) => diff.length > 0).map(([kind, diff]) => ({ kind, diff }))
}

function statusFields({ status, status_reason, pending_edit }: StoredTemplate): Record<string, unknown> {
  return { status, status_reason, pending_edit: toEditRecord(pending_edit) }
}

/** Component by component, so that a reader of the history sees which part was rewritten. */
function contentDiff(before: StoredTemplate, after: StoredTemplate): FieldChange[] {
  const parts = (template: StoredTemplate) => ({
    ...Object.fromEntries(template.components.map((component) => [component.type, component])),
    variables: template.variables,
    parameter_format: template.parameter_format,
    message_send_ttl_seconds: template.message_send_ttl_seconds,
  })
  return diffOf(parts(before), parts(after))
}

function diffOf(before: Record<string, unknown>, after: Record<string, unknown>): FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return fields
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
}
