import { formatInstant } from '../lib/instant.ts'
import type { TemplateRow } from '../store/templates/templates.ts'
import type {
  ChannelKind,
  PendingEdit,
  StatusReason,
  TemplateCategory,
  TemplateContent,
  TemplateQuality,
  TemplateRecord,
  TemplateSource,
  TemplateStatus,
} from './content/template-types.ts'
import { findComponent } from './content/template-types.ts'

/** New content of an approved template, under review while the approved one stays in use. */
export type StoredEdit = Pick<TemplateContent, 'parameter_format' | 'components' | 'variables'> & {
  submittedAt: number
}

/** A template as we keep it: its content, where it stands, and how often it changed. Times in epoch milliseconds. */
export type StoredTemplate = TemplateContent & {
  id: string
  accountId: string
  /** Empty while the account has no channel. */
  channelId: string
  channelKind: ChannelKind
  status: TemplateStatus
  statusReason: StatusReason | null
  previousStatus: TemplateStatus | null
  quality: TemplateQuality | null
  pendingEdit: StoredEdit | null
  /** The category the platform has announced for later. */
  nextCategory: TemplateCategory | null
  source: TemplateSource
  channelTemplateId: string | null
  /** Counts the contents from 1. */
  version: number
  /** Counts everything that ever happened to it. */
  changeCount: number
  createdAt: number
  updatedAt: number
  submittedAt: number | null
  reviewedAt: number | null
  /** When the platform last reported a status, by our clock. */
  reportedAt: number | null
  lastUsedAt: number | null
  revision: number
}

export function fromRow(row: TemplateRow): StoredTemplate {
  return {
    id: row.id,
    accountId: row.account_id,
    channelId: row.channel_id,
    channelKind: row.channel_kind as ChannelKind,
    name: row.name,
    language: row.language,
    category: row.category as TemplateCategory,
    nextCategory: row.next_category as TemplateCategory | null,
    parameter_format: row.parameter_format as TemplateContent['parameter_format'],
    components: JSON.parse(row.components) as TemplateContent['components'],
    variables: JSON.parse(row.variables) as TemplateContent['variables'],
    status: row.status as TemplateStatus,
    statusReason: row.status_reason === null ? null : (JSON.parse(row.status_reason) as StatusReason),
    previousStatus: row.previous_status as TemplateStatus | null,
    quality: row.quality as TemplateQuality | null,
    pendingEdit: row.pending_edit === null ? null : (JSON.parse(row.pending_edit) as StoredEdit),
    source: row.source as TemplateSource,
    channelTemplateId: row.channel_template_id,
    version: row.version,
    changeCount: row.change_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    submittedAt: row.submitted_at,
    reviewedAt: row.reviewed_at,
    reportedAt: row.reported_at,
    lastUsedAt: row.last_used_at,
    revision: row.revision,
  }
}

export function toRow(template: StoredTemplate): TemplateRow {
  const { statusReason, pendingEdit } = template
  return {
    id: template.id,
    account_id: template.accountId,
    channel_id: template.channelId,
    channel_kind: template.channelKind,
    name: template.name,
    language: template.language,
    category: template.category,
    next_category: template.nextCategory,
    parameter_format: template.parameter_format,
    components: JSON.stringify(template.components),
    variables: JSON.stringify(template.variables),
    search_text: searchTextOf(template),
    status: template.status,
    status_reason: statusReason === null ? null : JSON.stringify(statusReason),
    previous_status: template.previousStatus,
    quality: template.quality,
    pending_edit: pendingEdit === null ? null : JSON.stringify(pendingEdit),
    source: template.source,
    channel_template_id: template.channelTemplateId,
    version: template.version,
    change_count: template.changeCount,
    created_at: template.createdAt,
    updated_at: template.updatedAt,
    submitted_at: template.submittedAt,
    reviewed_at: template.reviewedAt,
    reported_at: template.reportedAt,
    last_used_at: template.lastUsedAt,
    revision: template.revision,
  }
}

export function toRecord(template: StoredTemplate): TemplateRecord {
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    next_category: template.nextCategory,
    status: template.status,
    status_reason: template.statusReason,
    quality: template.quality,
    source: template.source,
    channel: template.channelId === '' ? null : template.channelKind,
    parameter_format: template.parameter_format,
    components: template.components,
    variables: template.variables,
    version: template.version,
    pending_edit: toEditRecord(template.pendingEdit),
    channel_template_id: template.channelTemplateId,
    created_at: formatInstant(template.createdAt),
    updated_at: formatInstant(template.updatedAt),
    submitted_at: formatInstant(template.submittedAt),
    reviewed_at: formatInstant(template.reviewedAt),
    last_used_at: formatInstant(template.lastUsedAt),
  }
}

export function toEditRecord(edit: StoredEdit | null): PendingEdit | null {
  if (edit === null) return null
  const { parameter_format, components, variables, submittedAt } = edit
  return { parameter_format, components, variables, submitted_at: formatInstant(submittedAt) }
}

/** A template that has just come into being; `status` and dates follow from how. */
export function newTemplate(
  content: TemplateContent,
  owner: { id: string; accountId: string; channelId: string; channelKind: ChannelKind; source: TemplateSource },
  now: number,
): StoredTemplate {
  return {
    ...contentOf(content),
    ...owner,
    status: 'draft',
    statusReason: null,
    previousStatus: null,
    quality: null,
    pendingEdit: null,
    nextCategory: null,
    channelTemplateId: null,
    version: 1,
    changeCount: 0,
    createdAt: now,
    updatedAt: now,
    submittedAt: null,
    reviewedAt: null,
    reportedAt: null,
    lastUsedAt: null,
    revision: 1,
  }
}

/** What a template says, without where it stands. */
export function contentOf(template: TemplateContent): TemplateContent {
  const { name, language, category, parameter_format, components, variables } = template
  return { name, language, category, parameter_format, components, variables }
}

/** Lower case, because the two engines compare letters differently. */
function searchTextOf(template: TemplateContent): string {
  return `${template.name}\n${findComponent(template, 'body')?.text ?? ''}`.toLowerCase()
}
