import type { TemplateCategory, TemplateContent } from '../contract/template-content.ts'

/** A message template as the platform lists it. */
export type PlatformTemplate = {
  templateId: string
  /** The platform's word, upper case: APPROVED, PENDING, REJECTED, PAUSED, DISABLED, IN_APPEAL, ... */
  status: string
  /** Null where the platform names none that is known here; the content is then filed under utility. */
  category: TemplateCategory | null
  rejectedReason: string | null
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: string | null
  content: TemplateContent
}

/** The samples of its files are handles, uploaded for the review. */
export type TemplateDraft = { content: TemplateContent }

/** The components are replaced by those of the content; the category only where it is given. */
export type TemplateChange = TemplateDraft & { category?: TemplateCategory }
