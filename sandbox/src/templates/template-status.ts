import type { Json } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import type { Template } from '../world.ts'

const REINSTATED_AFTER_MS = [3 * 3_600_000, 6 * 3_600_000]

export type Decision = keyof typeof DECISIONS

export type DecisionDetails = { reason?: string; recommendation?: string }

/**
 * Review takes a moment and ends well, unless the name contains `reject`. A decision made meanwhile stands, and a later
 * edit has a review of its own.
 */
export function scheduleReview(platform: Platform, template: Template): void {
  const { components } = template
  platform.clock.after(platform.behaviour.reviewDelayMs, () => {
    if (template.status !== 'PENDING' || !platform.world.templates.has(template.id)) return
    if (template.components !== components) return
    changeStatus(platform, template, template.name.includes('reject') ? 'reject' : 'approve')
  })
}

/** Moves a template to another state and tells the business. A third pause disables it. */
export function changeStatus(
  platform: Platform,
  template: Template,
  decision: Decision,
  details: DecisionDetails = {},
): void {
  if (decision === 'pause' && template.pauses >= REINSTATED_AFTER_MS.length) {
    changeStatus(platform, template, 'disable')
    return
  }
  const { status, event } = DECISIONS[decision]
  if (status !== null) {
    setApproved(template, status)
    template.status = status
    template.pausedUntilMs = null
  }
  template.rejectedReason = decision === 'reject' ? (details.reason ?? 'INVALID_FORMAT') : 'NONE'
  if (decision === 'delete') platform.world.templates.delete(template.id)
  if (decision === 'pause') beginPause(platform, template)
  platform.changed()
  tell(platform, template, 'message_template_status_update', {
    event,
    reason: decision === 'pending_deletion' ? null : template.rejectedReason,
    message_template_category: template.category,
    ...extras(platform, template, decision, details),
  })
}

/** Approved, or approved before the edit that is under review. */
export function isInUse({ status, approvedComponents }: Template): boolean {
  return status === 'APPROVED' || (status === 'PENDING' && approvedComponents !== undefined)
}

/** A review of what is in use leaves it in use; its end decides. */
function setApproved(template: Template, next: string): void {
  if (next !== 'PENDING') delete template.approvedComponents
  else if (template.status === 'APPROVED') template.approvedComponents = template.components
}

export function isDecision(value: unknown): value is Decision {
  return typeof value === 'string' && Object.hasOwn(DECISIONS, value)
}

export function decisionNames(): string[] {
  return Object.keys(DECISIONS)
}

const DECISIONS = {
  approve: { status: 'APPROVED', event: 'APPROVED' },
  reject: { status: 'REJECTED', event: 'REJECTED' },
  pending: { status: 'PENDING', event: 'PENDING' },
  pause: { status: 'PAUSED', event: 'PAUSED' },
  unpause: { status: 'APPROVED', event: 'APPROVED' },
  disable: { status: 'DISABLED', event: 'DISABLED' },
  appeal: { status: 'IN_APPEAL', event: 'IN_APPEAL' },
  flag: { status: null, event: 'FLAGGED' },
  reinstate: { status: 'APPROVED', event: 'REINSTATED' },
  lock: { status: null, event: 'LOCKED' },
  limit: { status: 'LIMIT_EXCEEDED', event: 'LIMIT_EXCEEDED' },
  archive: { status: 'ARCHIVED', event: 'ARCHIVED' },
  unarchive: { status: 'APPROVED', event: 'UNARCHIVED' },
  pending_deletion: { status: 'PENDING_DELETION', event: 'PENDING_DELETION' },
  delete: { status: 'DELETED', event: 'DELETED' },
} as const

/** The first pause lasts 3 hours, the second 6. */
function beginPause(platform: Platform, template: Template): void {
  template.pausedUntilMs = platform.clock.now() + (REINSTATED_AFTER_MS[template.pauses] ?? 0)
  template.pauses++
  schedulePauseEnd(platform, template)
}

/** For a pause that begins, and for one that was under way when the sandbox was stopped. */
export function schedulePauseEnd(platform: Platform, template: Template): void {
  const pause = template.pauses
  platform.clock.after((template.pausedUntilMs ?? 0) - platform.clock.now(), () => {
    if (template.status === 'PAUSED' && template.pauses === pause) changeStatus(platform, template, 'unpause')
  })
}

function extras(platform: Platform, template: Template, decision: Decision, details: DecisionDetails): Json {
  if (decision === 'reject') {
    const recommendation = details.recommendation ?? 'Check the wording, the variables and their samples, then edit it.'
    return { rejection_info: { reason: 'The reviewer found a problem with the content.', recommendation } }
  }
  if (decision === 'pause') {
    const title = template.pauses === 1 ? 'FIRST_PAUSE' : 'SECOND_PAUSE'
    return { other_info: { title, description: 'Customers gave negative feedback; the template is paused.' } }
  }
  if (decision === 'unpause')
    return { other_info: { title: 'UNPAUSE', description: 'The template may be sent again.' } }
  if (decision === 'disable') {
    return {
      disable_info: { disable_date: Math.floor(platform.clock.now() / 1_000) },
      other_info: { title: 'DISABLED', description: 'The template was paused too often and is permanently disabled.' },
    }
  }
  return {}
}

export function changeQuality(platform: Platform, template: Template, score: string): void {
  const previous = template.quality
  template.quality = score
  template.qualityAtMs = platform.clock.now()
  platform.changed()
  tell(platform, template, 'message_template_quality_update', {
    previous_quality_score: previous,
    new_quality_score: score,
  })
}

/** At once, or announced: then `new_category` names the present one and `correct_category` the one to come. */
export function changeCategory(platform: Platform, template: Template, category: string, afterMs: number | null): void {
  if (afterMs !== null) {
    template.correctCategory = category
    tell(platform, template, 'template_category_update', {
      new_category: template.category,
      correct_category: category,
      category_update_timestamp: Math.floor((platform.clock.now() + afterMs) / 1000),
    })
    platform.clock.after(afterMs, () => changeCategory(platform, template, category, null))
    return
  }
  template.previousCategory = template.category
  template.correctCategory = null
  template.category = category
  platform.changed()
  tell(platform, template, 'template_category_update', {
    previous_category: template.previousCategory,
    new_category: category,
  })
}

/** Ids are JSON numbers in callbacks, strings everywhere else. */
export function tell(platform: Platform, template: Template, field: string, value: Json): void {
  platform.outbox.push({
    wabaId: template.wabaId,
    numberId: null,
    businessDigits: null,
    field,
    kind: 'value',
    contact: null,
    item: {
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
      ...value,
    },
  })
}
