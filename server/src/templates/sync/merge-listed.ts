import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '../../lib/durations.ts'
import type { PlatformTemplate } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import {
  sendTtlSeconds,
  type TemplateButton,
  type TemplateComponent,
  type TemplateContent,
  type TemplateVariable,
} from '../content/template-types.ts'
import type { StoredEdit, StoredTemplate } from '../stored-template.ts'
import {
  applyPlatformStatus,
  type PlatformStatusReport,
  qualityFromPlatform,
  statusFromPlatform,
} from '../template-status.ts'

/** A stored template after the platform's list told us how it stands there. */
export function mergeListed(rt: Pick<Runtime, 'clock'>, own: StoredTemplate, listed: PlatformTemplate): StoredTemplate {
  const category = listed.category ?? own.category
  return {
    ...mergeReview(own, listed, rt.clock.now()),
    category,
    next_category: own.next_category === category ? null : own.next_category,
    quality: listed.quality === null ? own.quality : qualityFromPlatform(listed.quality),
    channel_template_id: listed.templateId,
  }
}

/** Reviews take up to 24 hours; an edit that the platform has not taken over by then will not come. */
const reviewMaxMs = 2 * dayMs

/** Status and content. While an edit is under review the list may show it, or the content that is in use. */
function mergeReview(own: StoredTemplate, listed: PlatformTemplate, now: number): StoredTemplate {
  const { content } = listed
  const status = statusFromPlatform(listed.status, own.previous_status)
  const edit = own.pending_edit
  if (own.status === 'approved' && status === 'pending') {
    const isKnown = edit !== null && (looksLike(edit, content) || looksLike(own, content))
    return isKnown ? own : { ...own, pending_edit: asEdit({ ...own, ...mergeContent(own, content) }, now) }
  }
  const reported = { ...own, ...mergeStatus(own, listed, now) }
  if (edit === null) return { ...reported, ...mergeContent(own, content) }
  if (status === 'approved' && looksLike(own, content) && !looksLike(edit, content)) {
    return now - edit.submittedAt < reviewMaxMs ? reported : { ...reported, pending_edit: null }
  }
  if (status === 'approved' || status === 'rejected') {
    return { ...settleEdit(reported, edit), ...mergeContent(edit, content) }
  }
  return { ...reported, pending_edit: status === 'disabled' ? null : edit }
}

/** Gone from the platform: deleted there. A deletion has no reason, and is logged once. */
export function deletedAtPlatform(rt: Pick<Runtime, 'log'>, own: StoredTemplate): StoredTemplate | undefined {
  if (own.status === 'draft' || own.status === 'deleted') return undefined
  rt.log.info({ account_id: own.account_id, template_id: own.id }, 'template.deleted_at_platform')
  return { ...own, status: 'deleted', status_reason: null, previous_status: null }
}

/** The list names a status and at most a word for a rejection; a callback may have said more, and that is kept. */
function mergeStatus(own: StoredTemplate, { status, rejectedReason }: PlatformTemplate, at: number) {
  const same = statusFromPlatform(status, own.previous_status) === own.status
  const reason = rejectedReason === null || rejectedReason.toUpperCase() === 'NONE' ? null : rejectedReason
  const known = own.status_reason?.code ?? null
  if (same && (reason === null || reason.toLowerCase() === known)) return {}
  const { status_reason, previous_status, ...next } = applyPlatformStatus(own, { status, at, reason }) ?? own
  return { status: next.status, status_reason, previous_status }
}

/**
 * The platform knows neither our names of positional variables nor what may be left out, and shows samples as links of
 * its own. So a content counts as changed only where customers would see it.
 */
function mergeContent(own: Content, listed: TemplateContent): Partial<TemplateContent> {
  const ttl = ttlOf(own, listed)
  if (looksLike(own, listed)) return ttl
  const { parameter_format, components } = listed
  const variables = listed.variables.map((variable) => withOwnName(own, variable))
  return { parameter_format, components, variables, ...ttl }
}

/** The list may show the default of a template that has none of its own. */
function ttlOf(
  own: Content,
  { category, message_send_ttl_seconds: seconds }: TemplateContent,
): Partial<TemplateContent> {
  const isDefault = (own.message_send_ttl_seconds ?? null) === null && seconds === sendTtlSeconds[category].default
  return seconds === undefined || isDefault ? {} : { message_send_ttl_seconds: seconds }
}

type Content = Pick<TemplateContent, 'parameter_format' | 'components' | 'variables' | 'message_send_ttl_seconds'>

function looksLike(own: Content, listed: Content): boolean {
  return (
    own.parameter_format === listed.parameter_format &&
    isDeepStrictEqual(own.components.map(visible), listed.components.map(visible))
  )
}

function visible(component: TemplateComponent): unknown {
  if (component.type === 'header') return 'text' in component ? component.text : component.format
  if (component.type === 'body' || component.type === 'footer') return { type: component.type, text: component.text }
  if (component.type === 'carousel') return component.cards.map((card) => card.components.map(visible))
  if (component.type !== 'buttons') return component
  return component.buttons.map((button) => ({
    type: button.type,
    // The label of the button that copies a code belongs to the platform.
    text: button.type === 'otp' ? '' : button.text,
    target: targetOf(button),
  }))
}

/** The target of a button. */
function targetOf(button: TemplateButton): string | null {
  if (button.type === 'url') return button.url
  if (button.type === 'phone_number') return button.phone_number
  if (button.type === 'flow') return button.flow_id ?? null
  return button.type === 'otp' ? JSON.stringify([button.otp_type, button.supported_apps ?? []]) : null
}

function withOwnName(own: Content, variable: TemplateVariable): TemplateVariable {
  const known = own.variables.find(
    ({ component, position }) => component === variable.component && position === variable.position,
  )
  return { ...variable, name: variable.name ?? known?.name ?? null }
}

/**
 * A template after the platform reported its status. An approved one that is under review again was edited: the approved
 * content stays in use until the verdict. A rejection ends that: the template then has the content that was rejected.
 */
export function applyReport(now: StoredTemplate, report: PlatformStatusReport): StoredTemplate {
  const status = statusFromPlatform(report.status, now.previous_status)
  // Which words are under review, the list will tell.
  if (now.status === 'approved' && status === 'pending')
    return { ...now, pending_edit: now.pending_edit ?? asEdit(now, report.at) }
  const reported = { ...now, ...applyPlatformStatus(now, report) }
  if (now.pending_edit === null) return reported
  if (isVerdict(report)) return settleEdit(reported, now.pending_edit)
  return status === 'disabled' || status === 'deleted' ? { ...reported, pending_edit: null } : reported
}

/** The edit becomes the content, whatever the verdict: it is what the platform has. */
function settleEdit(template: StoredTemplate, edit: StoredEdit): StoredTemplate {
  const { submittedAt: _, ...content } = edit
  return { ...template, ...content, pending_edit: null }
}

export function asEdit(
  { parameter_format, components, variables, message_send_ttl_seconds }: Omit<StoredEdit, 'submittedAt'>,
  submittedAt: number,
): StoredEdit {
  const ttl = message_send_ttl_seconds === undefined ? {} : { message_send_ttl_seconds }
  return { parameter_format, components, variables, ...ttl, submittedAt }
}

/** The end of a pause is reported as an approval, too. */
function isVerdict({ status, title }: PlatformStatusReport): boolean {
  const word = status.toUpperCase()
  return (word === 'APPROVED' && title !== 'UNPAUSE') || word === 'REJECTED'
}
