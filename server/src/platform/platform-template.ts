/** A message template as the platform keeps it, in our own words (lower case, camel case). */
export type PlatformTemplate = {
  templateId: string
  name: string
  language: string
  /** The platform's word, upper case: APPROVED, PENDING, REJECTED, PAUSED, DISABLED, IN_APPEAL, ... */
  status: string
  category: string | null
  previousCategory: string | null
  parameterFormat: 'positional' | 'named'
  components: TemplateComponent[]
  rejectedReason: string | null
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: string | null
}

export type TemplateDraft = {
  name: string
  language: string
  category: TemplateCategory
  components: TemplateComponent[]
}

export type TemplateChange = { components?: TemplateComponent[]; category?: TemplateCategory }
export type TemplateCategory = 'marketing' | 'utility' | 'authentication'

export type TemplateComponent =
  | { type: 'header'; format: 'text'; text: string; examples: TemplateExample[] }
  /** `sample` is an upload handle when creating and a url when read back. */
  | { type: 'header'; format: 'image' | 'video' | 'document'; sample: string | null }
  | { type: 'header'; format: 'location' }
  | { type: 'body'; text: string; examples: TemplateExample[] }
  | { type: 'footer'; text: string }
  | { type: 'buttons'; buttons: TemplateButton[] }
  /** Authentication templates have a preset text. */
  | { type: 'authentication_body'; securityRecommendation: boolean }
  | { type: 'authentication_footer'; codeExpirationMinutes: number }
  /** A kind we do not model (carousel, limited-time offer, ...), kept as the platform wrote it. */
  | { type: 'other'; raw: Record<string, unknown> }

/** `name` is null for positional placeholders. */
export type TemplateExample = { name: string | null; value: string }

export type TemplateButton =
  | { type: 'quick_reply'; text: string }
  | { type: 'url'; text: string; url: string; example: string | null }
  | { type: 'phone_number'; text: string; phoneNumber: string }
  | { type: 'copy_code'; example: string | null }
  | { type: 'otp'; otpType: 'copy_code'; text: string | null }
  | { type: 'other'; raw: Record<string, unknown> }
