export type TemplateCategory = 'marketing' | 'utility' | 'authentication'

export type MediaKind = 'image' | 'video' | 'document'
/** The file a reviewer sees: on the web, uploaded to us, or uploaded to the platform (`handle`). */
export type MediaSample = { link: string } | { media_id: string } | { handle: string }

export type TextHeader = { type: 'header'; format: 'text'; text: string }
/** `optional`: a send may leave it out. Only the sandbox is that lenient. */
export type MediaHeader = { type: 'header'; format: MediaKind; example: MediaSample | null; optional?: true }
/** Shows a map, or a product of the catalog; which one comes with each send. */
export type FilledHeader = { type: 'header'; format: 'location' } | { type: 'header'; format: 'product' }
/** A header of a template made elsewhere that this gateway cannot fill. */
export type OtherHeader = { type: 'header'; format: 'other'; platform_format: string }
export type HeaderComponent = TextHeader | MediaHeader | FilledHeader | OtherHeader
export type BodyComponent = { type: 'body'; text: string; add_security_recommendation?: boolean }
export type FooterComponent = { type: 'footer'; text: string; code_expiration_minutes?: number }
export type ButtonsComponent = { type: 'buttons'; buttons: readonly TemplateButton[] }
/** Above the body: what the offer is, and with `has_expiration` when it ends, counted down. */
export type OfferComponent = { type: 'limited_time_offer'; text: string; has_expiration: boolean }
/** A card is a small template of its own: a file or a product, for files also words and buttons. */
export type CarouselCard = { components: readonly TemplateComponent[]; variables: readonly TemplateVariable[] }
/** Below the body: cards to scroll through. */
export type CarouselComponent = { type: 'carousel'; cards: readonly CarouselCard[] }
/** A part of a template made elsewhere that this gateway shows but cannot fill. */
export type OtherComponent = { type: 'other'; platform_type: string }
export type TemplateComponent =
  | HeaderComponent
  | BodyComponent
  | FooterComponent
  | ButtonsComponent
  | OfferComponent
  | CarouselComponent
  | OtherComponent

export type QuickReplyButton = { type: 'quick_reply'; text: string }
export type UrlButton = { type: 'url'; text: string; url: string; example?: string; optional?: true }
export type PhoneButton = { type: 'phone_number'; text: string; phone_number: string }
export const otpTypes = ['copy_code', 'one_tap', 'zero_tap'] as const
/** An Android app that may receive a code: its package, and the hash of the key it is signed with. */
export type SupportedApp = { package_name: string; signature_hash: string }
/**
 * Hands over the one-time code of an authentication template: copied by the customer, filled in by one tap, or by none.
 * The latter two need an app; `text` is the label for phones without it.
 */
export type OtpButton = {
  type: 'otp'
  otp_type: string
  text: string
  autofill_text?: string
  supported_apps?: readonly SupportedApp[]
  zero_tap_terms_accepted?: true
}
/** Copies a coupon code. Meta labels it, in the language of the customer. */
export type CopyCodeButton = { type: 'copy_code'; text: ''; example?: string }
export const flowActions = ['navigate', 'data_exchange'] as const
/** Opens a Flow. */
export type FlowButton = {
  type: 'flow'
  text: string
  flow_id?: string
  flow_action?: (typeof flowActions)[number]
  navigate_screen?: string
}
/** Shows the catalog, several products of it, or the one of the header. The labels are Meta's. */
export type ProductsButton = { type: 'catalog' | 'mpm' | 'spm'; text: string }
export const productLabels = { catalog: 'View catalog', mpm: 'View items', spm: 'View' } as const
/** Asks for the customer's phone number. Meta labels it; a send says nothing about it. */
export type ContactInfoButton = { type: 'request_contact_info'; text: string }
export const contactInfoLabel = 'Share Contact Info'
/** A button of a template made elsewhere that has no form here. */
export type OtherButton = { type: 'other'; platform_type: string; text: string }
export type TemplateButton =
  | QuickReplyButton
  | UrlButton
  | PhoneButton
  | OtpButton
  | CopyCodeButton
  | FlowButton
  | ProductsButton
  | ContactInfoButton
  | OtherButton

/** One placeholder of header or body text; that of a url button has its example in the button. */
export type TemplateVariable = {
  component: 'header' | 'body'
  position: number
  name: string | null
  example: string | null
}

/** The content of a template, normalized: texts hold `{{1}}` to `{{n}}`, whatever names they were written with. */
export type TemplateContent = {
  name: string
  language: string
  category: TemplateCategory
  /** How the platform identifies variables. Templates created here use positions there. */
  parameter_format: 'positional' | 'named'
  components: readonly TemplateComponent[]
  variables: readonly TemplateVariable[]
  /** How long Meta tries to deliver a message of it; -1 is 30 days. Without one Meta's own default holds. */
  message_send_ttl_seconds?: number | null
}

/** How long Meta tries to deliver without being told, and what it can be told; -1 is 30 days, all but for marketing. */
export const sendTtlSeconds = {
  authentication: { default: 600, least: 30, most: 900 },
  utility: { default: 2_592_000, least: 30, most: 43_200 },
  marketing: { default: 2_592_000, least: 43_200, most: 2_592_000 },
} as const satisfies Record<TemplateCategory, { default: number; least: number; most: number }>

/** The category behind a word of Meta, in whatever case; null for one that is not known here. */
export function categoryOf(word: string | null): TemplateCategory | null {
  const category = word?.toLowerCase()
  return category === 'marketing' || category === 'authentication' || category === 'utility' ? category : null
}

/** Whether the cards of a carousel show products; of those a send may have more than the template. */
export function hasProductCards({ cards }: CarouselComponent): boolean {
  return cards.some((card) => findComponent(card, 'header')?.format === 'product')
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

/** Meta writes the text of an authentication template itself, in each language; this is its English form. */
export function authenticationBody(withSecurityAdvice: boolean): {
  component: BodyComponent
  variables: TemplateVariable[]
} {
  const advice = withSecurityAdvice ? ' For your security, do not share this code.' : ''
  return {
    component: {
      type: 'body',
      text: `{{1}} is your verification code.${advice}`,
      add_security_recommendation: withSecurityAdvice,
    },
    variables: [{ component: 'body', position: 1, name: 'code', example: '123456' }],
  }
}

/** Meta writes this text too; this is its English form. */
export function expiryFooter(minutes: number): FooterComponent {
  return { type: 'footer', text: `This code expires in ${minutes} minutes.`, code_expiration_minutes: minutes }
}
