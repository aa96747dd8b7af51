import { formatInstant } from '../lib/instant.ts'
import type { TemplateRow } from '../store/templates/templates.ts'
import {
  type ChannelKind,
  contactInfoLabel,
  findComponent,
  type PendingEdit,
  type StatusReason,
  type TemplateButton,
  type TemplateCategory,
  type TemplateComponent,
  type TemplateContent,
  type TemplateQuality,
  type TemplateRecord,
  type TemplateSource,
  type TemplateStatus,
} from './content/template-types.ts'

/** New content of an approved template, under review while the approved one stays in use. */
export type StoredEdit = Pick<
  TemplateContent,
  'parameter_format' | 'components' | 'variables' | 'message_send_ttl_seconds'
> & {
  submittedAt: number
}

/** A template as we keep it: its row, with what is stored as JSON read. Times in epoch milliseconds. */
export type StoredTemplate = Omit<TemplateRow, 'search_text' | keyof Read> & Read

type Read = TemplateContent & {
  channel_kind: ChannelKind
  status: TemplateStatus
  status_reason: StatusReason | null
  previous_status: TemplateStatus | null
  quality: TemplateQuality | null
  pending_edit: StoredEdit | null
  next_category: TemplateCategory | null
  source: TemplateSource
}

export function fromRow({ search_text: _, message_send_ttl_seconds: ttl, ...row }: TemplateRow): StoredTemplate {
  const read = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return {
    ...row,
    components: withKnownParts(read(row.components) as TemplateComponent[]),
    ...(ttl === null ? {} : { message_send_ttl_seconds: ttl }),
    variables: read(row.variables),
    status_reason: read(row.status_reason),
    pending_edit: read(row.pending_edit),
  } as StoredTemplate
}

export function toRow(template: StoredTemplate): TemplateRow {
  const { components, variables, message_send_ttl_seconds, status_reason, pending_edit } = template
  return {
    ...template,
    components: JSON.stringify(components),
    variables: JSON.stringify(variables),
    message_send_ttl_seconds: message_send_ttl_seconds ?? null,
    search_text: searchTextOf(template),
    status_reason: status_reason && JSON.stringify(status_reason),
    pending_edit: pending_edit && JSON.stringify(pending_edit),
  }
}

export function toRecord(template: StoredTemplate): TemplateRecord {
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    next_category: template.next_category,
    status: template.status,
    status_reason: template.status_reason,
    quality: template.quality,
    source: template.source,
    channel: template.channel_id === '' ? null : template.channel_kind,
    parameter_format: template.parameter_format,
    components: template.components,
    variables: template.variables,
    message_send_ttl_seconds: template.message_send_ttl_seconds ?? null,
    version: template.version,
    pending_edit: toEditRecord(template.pending_edit),
    channel_template_id: template.channel_template_id,
    created_at: formatInstant(template.created_at),
    updated_at: formatInstant(template.updated_at),
    submitted_at: formatInstant(template.submitted_at),
    reviewed_at: formatInstant(template.reviewed_at),
    last_used_at: formatInstant(template.last_used_at),
  }
}

export function toEditRecord(edit: StoredEdit | null): PendingEdit | null {
  if (edit === null) return null
  const { parameter_format, components, variables, message_send_ttl_seconds = null, submittedAt } = edit
  const submitted_at = formatInstant(submittedAt)
  return { parameter_format, components, variables, message_send_ttl_seconds, submitted_at }
}

/** A template that has just come into being; `status` and dates follow from how. */
export function newTemplate(
  content: TemplateContent,
  owner: Pick<StoredTemplate, 'id' | 'account_id' | 'channel_id' | 'channel_kind' | 'source'>,
  now: number,
): StoredTemplate {
  return {
    ...contentOf(content),
    ...owner,
    status: 'draft',
    status_reason: null,
    previous_status: null,
    quality: null,
    pending_edit: null,
    next_category: null,
    channel_template_id: null,
    version: 1,
    change_count: 0,
    created_at: now,
    updated_at: now,
    submitted_at: null,
    reviewed_at: null,
    reported_at: null,
    last_used_at: null,
    revision: 1,
  }
}

/** The content of a template, without its status. */
export function contentOf(template: TemplateContent): TemplateContent {
  const { name, language, category, parameter_format, components, variables, message_send_ttl_seconds } = template
  const ttl = message_send_ttl_seconds === undefined ? {} : { message_send_ttl_seconds }
  return { name, language, category, parameter_format, components, variables, ...ttl }
}

/** Lower case, because the two engines compare letters differently. */
function searchTextOf(template: TemplateContent): string {
  return `${template.name}\n${findComponent(template, 'body')?.text ?? ''}`.toLowerCase()
}

/**
 * Parts that were stored before they had a form here, under Meta's name, in that form. What Meta says of them beside
 * that name comes with the next list.
 */
export function withKnownParts(components: readonly TemplateComponent[]): readonly TemplateComponent[] {
  return components.map((component) => {
    if (component.type === 'header' && component.format === 'other') {
      const format = filledFormats.find((known) => known === component.platform_format)
      return format ? { type: 'header', format } : component
    }
    return component.type === 'buttons' ? { ...component, buttons: component.buttons.map(knownButton) } : component
  })
}

const filledFormats = ['location', 'product'] as const

function knownButton(button: TemplateButton): TemplateButton {
  if (button.type !== 'other') return button
  const { platform_type: type, type: _, ...rest } = button
  if (type === 'copy_code') return { ...rest, type, text: '' }
  if (type === 'request_contact_info') return { type, text: rest.text || contactInfoLabel }
  const isKnown = type === 'flow' || type === 'catalog' || type === 'mpm' || type === 'spm'
  return isKnown ? { ...rest, type } : button
}
