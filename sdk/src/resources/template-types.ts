import type { Answer, Filters, Input, Word } from '../http/wire.ts'
import type { TemplateComponent } from './component-types.ts'

/** Where a template is in its review. Only `approved` ones can be sent. */
export type TemplateStatus = Answer<'Template'>['status']

/** What a template is for. */
export type TemplateCategory = Answer<'Template'>['category']

/** A button of a template. */
export type TemplateButton = {
  type:
    | 'url'
    | 'phone_number'
    | 'quick_reply'
    | 'copy_code'
    | 'flow'
    | 'catalog'
    | 'mpm'
    | 'spm'
    | 'otp'
    | 'other'
    | Word
  text: string
  url?: string
  phoneNumber?: string
  otpType?: string
  /** Of a button that hands a code to an app. */
  autofillText?: string
  supportedApps?: { packageName: string; signatureHash: string }[]
  zeroTapTermsAccepted?: true
  /** Of a button that opens a Flow. */
  flowId?: string
  flowAction?: 'navigate' | 'data_exchange'
  navigateScreen?: string
  /** Meta's name for a button of type `other`. */
  platformType?: string
  /** Sample of the variable part of the url, or of a coupon code. */
  example?: string
  /** True when a send may leave the value out. */
  optional?: true
}

/** One part of a template. Parts of templates made elsewhere can have forms of their own. */
export type TemplatePart = Pick<Answer<'Template'>['components'][number], 'type'> & {
  /** Of a header. */
  format?: 'text' | 'image' | 'document' | 'video' | 'location' | 'product' | 'other' | Word
  /** Text with placeholders `{{1}}` to `{{n}}`, whatever names they were written with. */
  text?: string
  /** The file a reviewer sees, of a header with one. */
  example?: { link: string } | { mediaId: string } | { handle: string } | null
  buttons?: TemplateButton[]
  /** True when a send may leave the part out. */
  optional?: true
  /** Of a `carousel`. */
  cards?: { components: TemplatePart[]; variables: Answer<'Template'>['variables'] }[]
  /** Of a `limited_time_offer`: whether the message counts down to its end. */
  hasExpiration?: boolean
  addSecurityRecommendation?: boolean
  codeExpirationMinutes?: number
  /** Meta's names for what is `other` here. */
  platformType?: string
  platformFormat?: string
}

/** A template in one language. */
export interface Template extends Answer<'Template'> {
  /** Why it was rejected or paused. */
  statusReason: Answer<'TemplateStatusReason'> | null
  /** The category Meta will move it to; `null` when nothing is announced. */
  nextCategory: TemplateCategory | null
  components: TemplatePart[]
  /** The values a send must give, in order. */
  variables: Answer<'Template'>['variables']
  /** Counts the contents it has had, from 1. */
  version: number
  /** The edit of an approved template that is under review. Sends use the approved content until that is over. */
  pendingEdit: PendingEdit | null
}

/** New content of an approved template, under review. */
export interface PendingEdit extends Answer<'TemplatePendingEdit'> {
  components: TemplatePart[]
  variables: Answer<'Template'>['variables']
}

/** A template in a list. */
export interface ListedTemplate extends Template, Omit<Answer<'ListedTemplate'>, keyof Template> {
  /** Of the name in all its languages, today and the six days before it in UTC. */
  last_7Days: Answer<'ListedTemplate'>['last_7Days']
}

/** A template with its past. */
export interface TemplateWithHistory extends ListedTemplate, Omit<Answer<'TemplateWithHistory'>, keyof ListedTemplate> {
  /** The last 50 changes, newest first. */
  history: Answer<'TemplateWithHistory'>['history']
}

/** Answer of `templates.delete()`. */
export type DeletedTemplate = Answer<'DeletedTemplate'>

/** One part of a new template. */
export interface TemplatePartDraft extends Input<'TemplateComponentDraft'> {
  type: 'header' | 'body' | 'footer' | 'buttons' | 'limited_time_offer' | 'carousel' | Word
  /** Of a header. Default: `text`. */
  format?: 'text' | 'image' | 'document' | 'video' | 'location' | 'product' | Word | null
  /** Text with placeholders: `{{1}}`, or named as `{{order_id}}`. */
  text?: string | null
  /** Samples of the placeholders in order, with names or without. */
  variables?: NonNullable<Input<'TemplateComponentDraft'>['variables']> | null
}

/** A new template. */
export interface TemplateDraft extends Input<'TemplateDraft'> {
  /** Lower-case letters, digits and `_`. */
  name: string
  /** Default: `en_US`. */
  language?: string | null
  /** Default: `utility`. */
  category?: TemplateCategory | null
  components?: readonly TemplatePartDraft[] | null
  /** Short for one body component. */
  body?: string | null
  /** False keeps it as a draft. Default: true, it goes to review. */
  submit?: boolean | null
}

/** Fields of a template to change. Name and language stay. */
export interface TemplateChanges extends Input<'TemplateChanges'> {
  category?: TemplateCategory | null
  components?: readonly TemplatePartDraft[] | null
}

/** Filters of `templates.list()`. */
export interface TemplateFilters extends Omit<Filters<'listTemplates'>, 'status' | 'category' | 'source'> {
  status?: TemplateStatus | readonly TemplateStatus[]
  category?: TemplateCategory
  /** Exact name. */
  name?: string
  /** Part of the name or of the body. */
  search?: string
  source?: Template['source']
  /** Items per page, 1 to 100. Default: 25. */
  limit?: number
}

/** What `templates.preview()` fills in. Without values it shows the examples. */
export interface PreviewValues extends Input<'TemplatePreviewRequest'> {
  components?: readonly TemplateComponent[] | null
}

/** A template as a customer would see it. */
export type TemplatePreview = Answer<'TemplatePreview'>
