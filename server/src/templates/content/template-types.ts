import type { TemplateCategory, TemplateContent } from '../../contract/template-content.ts'
import type { templateSources, templateStatuses } from '../../contract/templates.ts'

export * from '../../contract/template-content.ts'

export type TemplateStatus = (typeof templateStatuses)[number]
export type TemplateQuality = 'high' | 'medium' | 'low'
export type StatusReason = { code: string; message: string; recommendation: string | null; until: string | null }
/** `catalog` came with the account, `api` was created here, `platform` was found at the platform. */
export type TemplateSource = (typeof templateSources)[number]
export type ChannelKind = 'sandbox' | 'cloud'

/** New content of an approved template that waits for its review. */
export type PendingEdit = Pick<TemplateContent, 'parameter_format' | 'components' | 'variables'> & {
  message_send_ttl_seconds: number | null
  submitted_at: string
}

/** The record of the API; times as RFC 3339 text. */
export type TemplateRecord = TemplateContent & {
  id: string
  message_send_ttl_seconds: number | null
  /** Where the platform will move it; null when nothing is announced. */
  next_category: TemplateCategory | null
  /** The channel it belongs to; null while the account has none. */
  channel: ChannelKind | null
  /** Counts the contents it has had, from 1. */
  version: number
  pending_edit: PendingEdit | null
  status: TemplateStatus
  status_reason: StatusReason | null
  quality: TemplateQuality | null
  source: TemplateSource
  channel_template_id: string | null
  created_at: string
  updated_at: string
  submitted_at: string | null
  reviewed_at: string | null
  last_used_at: string | null
}

/** What a caller may write; components are read with care, because case and examples come in several forms. */
export type TemplateInput = {
  name: string
  language?: string | null
  category?: string | null
  /** Positional without one. */
  parameter_format?: string | null
  body?: string | null
  components?: readonly unknown[] | null
  message_send_ttl_seconds?: number | null
}

/** What Meta accepts at most. */
export const cardsMax = 10
export const cardCharactersMax = 160
export const offerCodeCharactersMax = 15
export const couponCharactersMax = 20
