import { isDeepStrictEqual } from 'node:util'
import { hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { StatusReason, TemplateQuality, TemplateStatus } from './content/template-types.ts'
import { newTemplate, type StoredTemplate, toRecord } from './stored-template.ts'

/** The platform's report about a template: in a callback, a list or the response to a creation. */
export type PlatformStatusReport = {
  status: string
  at: number
  reason?: string | null
  title?: string | null
  description?: string | null
  recommendation?: string | null
  disabledAt?: number | null
}
/** `previous_status` is where an archived template returns to. */
export type TemplateState = {
  status: TemplateStatus
  status_reason: StatusReason | null
  previous_status: TemplateStatus | null
  quality: TemplateQuality | null
}

/**
 * The state after a report. The platform is believed whatever our table of transitions says, for it decides; only a
 * deleted template stays deleted, because its late reports still arrive. Undefined when nothing changes.
 */
export function applyPlatformStatus(state: TemplateState, report: PlatformStatusReport): TemplateState | undefined {
  const status = statusFromPlatform(report.status, state.previous_status)
  if (!status || state.status === 'deleted') return undefined
  const returnsTo = state.status === 'archived' ? state.previous_status : state.status
  const next = {
    status,
    status_reason: reasonOf(status, report),
    previous_status: status === 'archived' ? returnsTo : null,
    quality: report.status.toUpperCase() === 'FLAGGED' ? ('low' as const) : state.quality,
  }
  return isDeepStrictEqual(next, state) ? undefined : next
}

/** Our word for the platform's; undefined for one that nobody knows, which changes nothing. */
export function statusFromPlatform(
  platformStatus: string,
  previousStatus: TemplateStatus | null = null,
): TemplateStatus | undefined {
  const word = platformStatus.toUpperCase()
  return word === 'UNARCHIVED' ? (previousStatus ?? 'approved') : fromPlatform.get(word)
}

export function qualityFromPlatform(score: string): TemplateQuality | null {
  return qualities.get(score.toUpperCase()) ?? null
}

export function sendable(status: TemplateStatus): boolean {
  return status === 'approved'
}

/** Why a template in this state cannot be sent; null when it can. */
export function sendRefusal(
  status: TemplateStatus,
): 'template_not_approved' | 'template_paused' | 'template_disabled' | 'template_not_found' | null {
  if (sendable(status)) return null
  if (status === 'paused') return 'template_paused'
  if (status === 'disabled') return 'template_disabled'
  return status === 'deleted' ? 'template_not_found' : 'template_not_approved'
}

/** Whether our own actions (submit, edit, delete) may lead from one state to the other. */
export function canBecome(from: TemplateStatus, to: TemplateStatus): boolean {
  return transitions[from].includes(to)
}

const fromPlatform: ReadonlyMap<string, TemplateStatus> = new Map<string, TemplateStatus>([
  ['PENDING', 'pending'],
  ['IN_APPEAL', 'pending'],
  ['SUBMITTED', 'pending'],
  ['APPROVED', 'approved'],
  ['FLAGGED', 'approved'],
  ['REINSTATED', 'approved'],
  ['REJECTED', 'rejected'],
  ['LIMIT_EXCEEDED', 'rejected'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  // It cannot be edited; sends go on.
  ['LOCKED', 'approved'],
  ['ARCHIVED', 'archived'],
  ['PENDING_DELETION', 'deleted'],
  ['DELETED', 'deleted'],
])

const qualities: ReadonlyMap<string, TemplateQuality> = new Map([
  ['GREEN', 'high'],
  ['YELLOW', 'medium'],
  ['RED', 'low'],
])

// A disabled template cannot be deleted at the platform; an edit sends any other through the review again.
const transitions: Record<TemplateStatus, readonly TemplateStatus[]> = {
  draft: ['pending', 'deleted'],
  pending: ['approved', 'rejected', 'deleted'],
  approved: ['paused', 'disabled', 'pending', 'archived', 'deleted'],
  rejected: ['pending', 'deleted'],
  paused: ['approved', 'disabled', 'pending', 'deleted'],
  disabled: ['approved'],
  archived: ['approved', 'rejected', 'paused', 'disabled', 'deleted'],
  deleted: [],
}

function reasonOf(status: TemplateStatus, report: PlatformStatusReport): StatusReason | null {
  const code = codeOf(status, report)
  if (!code) return null
  const pauseHours = status === 'paused' ? pauseHoursByTitle.get(report.title ?? '') : undefined
  return {
    code,
    message: report.description || sentenceOf(code, report) || 'Meta gave no explanation.',
    recommendation: report.recommendation || null,
    until: pauseHours === undefined ? null : formatInstant(report.at + pauseHours * hourMs),
  }
}

function sentenceOf(code: string, { disabledAt }: PlatformStatusReport): string | undefined {
  const since = disabledAt ? ` since ${formatInstant(disabledAt).slice(0, 10)}` : ''
  return code === 'disabled' ? `Disabled by Meta${since}, for its quality or for breaking a rule.` : sentences[code]
}

function codeOf(status: TemplateStatus, report: PlatformStatusReport): string | undefined {
  const word = report.status.toUpperCase()
  if (word === 'LIMIT_EXCEEDED' || word === 'FLAGGED') return word.toLowerCase()
  if (status === 'approved' || status === 'pending' || status === 'archived' || status === 'deleted') return undefined
  const given = report.reason && report.reason !== 'NONE' ? report.reason : report.title
  return (given || status).toLowerCase()
}

// The platform's own schedule: the first pause lasts 3 hours, the second 6, the third is for good.
const pauseHoursByTitle: ReadonlyMap<string, number> = new Map([
  ['FIRST_PAUSE', 3],
  ['SECOND_PAUSE', 6],
])

const sentences: Record<string, string | undefined> = {
  abusive_content: 'The reviewer found content that is threatening or abusive.',
  incorrect_category: 'The content does not belong to the category it was submitted in.',
  invalid_format: 'Placeholders or special characters are not in the form that Meta requires.',
  promotional: 'The content is promotional and belongs to the category marketing.',
  scam: 'The reviewer considered the content deceptive.',
  tag_content_mismatch: 'The content does not match the chosen language or category.',
  category_not_available: 'The category is not available to this business.',
  limit_exceeded: 'The account has reached its template limit.',
  flagged: 'Customers block or report it; it will be paused if that continues.',
  first_pause: 'Paused for 3 hours because customers block or report it.',
  second_pause: 'Paused for 6 hours because customers keep blocking or reporting it.',
  rate_limiting_pause: 'Paused because it was sent too fast for its quality.',
  rejected: 'The reviewer rejected it without giving a reason.',
  paused: 'Paused by Meta for its quality.',
}

export type ChangeKind = 'created' | 'content' | 'status' | 'category' | 'quality'
export type FieldChange = { field: string; from: unknown; to: unknown }
type EventfulChange = { kind: ChangeKind; diff: readonly FieldChange[]; number: number; at: number }

/** The data of a template event: the record as in the API, and its previous status. */
export function templateEvent(
  template: StoredTemplate,
  { kind, diff, number, at }: EventfulChange,
): Record<string, unknown> {
  const previous = (field: string, now: unknown) => diff.find((change) => change.field === field)?.from ?? now
  return {
    ...toRecord(template),
    previous_status: previous('status', template.status),
    change: kind,
    previous_category: previous('category', template.category),
    previous_quality: kind === 'quality' ? previous('quality', null) : template.quality,
    sequence: number,
    timestamp: formatInstant(at),
  }
}

/** A change that never was, for those who try their endpoint. */
export function sampleTemplateEvent(
  at: number,
  about: 'status' | 'quality' | 'category' | 'announced' = 'status',
): Record<string, unknown> {
  const content = {
    name: 'order_confirmation',
    language: 'en_US',
    category: 'utility',
    parameter_format: 'positional',
    components: [{ type: 'body', text: 'Hi {{1}}, your order is confirmed.' }],
    variables: [{ component: 'body', position: 1, name: 'name', example: 'Ana' }],
  } as const
  const owner = { account_id: '', channel_id: 'sample', channel_kind: 'sandbox', source: 'api' } as const
  const template = newTemplate(content, { id: `tpl_${'0'.repeat(26)}`, ...owner }, at)
  const approved = { ...template, status: 'approved', submitted_at: at, reviewed_at: at } as const
  if (about === 'quality') {
    const diff = [{ field: 'quality', from: 'high', to: 'low' }]
    return templateEvent({ ...approved, quality: 'low' }, { kind: 'quality', diff, number: 2, at })
  }
  if (about === 'category') {
    const diff = [{ field: 'category', from: 'utility', to: 'marketing' }]
    return templateEvent({ ...approved, category: 'marketing' }, { kind: 'category', diff, number: 2, at })
  }
  if (about === 'announced') {
    const diff = [{ field: 'next_category', from: null, to: 'marketing' }]
    return templateEvent({ ...approved, next_category: 'marketing' }, { kind: 'category', diff, number: 2, at })
  }
  const diff = [{ field: 'status', from: 'pending', to: 'approved' }]
  return templateEvent(approved, { kind: 'status', diff, number: 1, at })
}
