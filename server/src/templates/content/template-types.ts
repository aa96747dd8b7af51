export type TemplateCategory = 'marketing' | 'utility' | 'authentication'
export type TemplateStatus =
  | 'draft'
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'paused'
  | 'disabled'
  | 'archived'
  | 'deleted'
export type TemplateQuality = 'high' | 'medium' | 'low'
export type StatusReason = { code: string; message: string; recommendation: string | null; until: string | null }
/** `catalog` came with the account, `api` was created here, `platform` was found at the platform. */
export type TemplateSource = 'catalog' | 'api' | 'platform'
export type ChannelKind = 'sandbox' | 'cloud'

export type MediaKind = 'image' | 'video' | 'document'
/** The file a reviewer sees: on the web, uploaded to us, or uploaded to the platform (`handle`). */
export type MediaSample = { link: string } | { media_id: string } | { handle: string }

export type TextHeader = { type: 'header'; format: 'text'; text: string }
/** `optional`: a send may leave it out. Only the sandbox is that lenient. */
export type MediaHeader = { type: 'header'; format: MediaKind; example: MediaSample | null; optional?: true }
/** A header this gateway shows but cannot fill, for example a location. */
export type OtherHeader = { type: 'header'; format: 'other'; platform_format: string }
export type HeaderComponent = TextHeader | MediaHeader | OtherHeader
export type BodyComponent = { type: 'body'; text: string; add_security_recommendation?: boolean }
export type FooterComponent = { type: 'footer'; text: string; code_expiration_minutes?: number }
export type ButtonsComponent = { type: 'buttons'; buttons: readonly TemplateButton[] }
/** A part of a template made elsewhere that this gateway shows but cannot fill, for example a carousel. */
export type OtherComponent = { type: 'other'; platform_type: string }
export type TemplateComponent = HeaderComponent | BodyComponent | FooterComponent | ButtonsComponent | OtherComponent

export type QuickReplyButton = { type: 'quick_reply'; text: string }
export type UrlButton = { type: 'url'; text: string; url: string; example?: string; optional?: true }
export type PhoneButton = { type: 'phone_number'; text: string; phone_number: string }
/** Copies the one-time code of an authentication template. */
export type OtpButton = { type: 'otp'; otp_type: string; text: string }
export type OtherButton = { type: 'other'; platform_type: string; text: string }
export type TemplateButton = QuickReplyButton | UrlButton | PhoneButton | OtpButton | OtherButton

/** One placeholder of header or body text; that of a url button has its example in the button. */
export type TemplateVariable = {
  component: 'header' | 'body'
  position: number
  name: string | null
  example: string | null
}

/** What a template says, in our form: texts hold `{{1}}` to `{{n}}`, whatever names they were written with. */
export type TemplateContent = {
  name: string
  language: string
  category: TemplateCategory
  /** How the platform knows the variables. Templates made here are positional there. */
  parameter_format: 'positional' | 'named'
  components: readonly TemplateComponent[]
  variables: readonly TemplateVariable[]
}

/** New content of an approved template that waits for its review. */
export type PendingEdit = Pick<TemplateContent, 'parameter_format' | 'components' | 'variables'> & {
  submitted_at: string
}

/** The record of the API; times as RFC 3339 text. */
export type TemplateRecord = TemplateContent & {
  id: string
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
  body?: string | null
  components?: readonly unknown[] | null
}

/** The first component of a type; a checked template has no second. */
export function findComponent<Type extends TemplateComponent['type']>(
  template: Pick<TemplateContent, 'components'>,
  type: Type,
): Extract<TemplateComponent, { type: Type }> | undefined {
  return template.components.find(
    (component): component is Extract<TemplateComponent, { type: Type }> => component.type === type,
  )
}

export function variablesOf(
  template: Pick<TemplateContent, 'variables'>,
  component: TemplateVariable['component'],
): TemplateVariable[] {
  return template.variables.filter((variable) => variable.component === component)
}
