import type {
  PlatformTemplate,
  TemplateButton,
  TemplateChange,
  TemplateComponent,
  TemplateDraft,
  TemplateExample,
} from '../platform-template.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, textOf } from './lenient-json.ts'

/** The body that creates a template, or changes the given parts of one. */
export function templateToWire(template: TemplateDraft | TemplateChange): JsonObject {
  const { components, category } = template
  return {
    ...('name' in template && {
      name: template.name,
      language: template.language,
      parameter_format: isNamed(template.components) ? 'NAMED' : 'POSITIONAL',
    }),
    ...(category !== undefined && { category: category.toUpperCase() }),
    ...(components !== undefined && { components: components.map(componentToWire) }),
  }
}

/** Null for an entry without id, name or language: such a template can be neither shown nor sent. */
export function templateFromWire(value: unknown): PlatformTemplate | null {
  const wire = objectOf(value)
  const templateId = textOf(wire?.id)
  const name = textOf(wire?.name)
  const language = languageOf(wire?.language)
  if (!wire || templateId === null || name === null || language === null) return null
  return {
    templateId,
    name,
    language,
    status: textOf(wire.status)?.toUpperCase() ?? 'PENDING',
    category: textOf(wire.category)?.toLowerCase() ?? null,
    previousCategory: textOf(wire.previous_category)?.toLowerCase() ?? null,
    parameterFormat: textOf(wire.parameter_format)?.toUpperCase() === 'NAMED' ? 'named' : 'positional',
    components: listOf(wire.components).map(componentFromWire),
    rejectedReason: textOf(wire.rejected_reason),
    quality: textOf(objectOf(wire.quality_score)?.score) ?? textOf(wire.quality_score),
  }
}

/** The platform writes `en_US` in answers and sometimes `en-US` in callbacks. */
export function languageOf(value: unknown): string | null {
  return textOf(value)?.replaceAll('-', '_') ?? null
}

function isNamed(components: TemplateComponent[]): boolean {
  return components.some((one) => 'examples' in one && one.examples.some((example) => example.name !== null))
}

function componentToWire(component: TemplateComponent): JsonObject {
  switch (component.type) {
    case 'header':
      return { type: 'HEADER', format: component.format.toUpperCase(), ...headerToWire(component) }
    case 'body':
      return { type: 'BODY', text: component.text, ...examplesToWire('body_text', component.examples) }
    case 'footer':
      return { type: 'FOOTER', text: component.text }
    case 'buttons':
      return { type: 'BUTTONS', buttons: component.buttons.map(buttonToWire) }
    case 'authentication_body':
      return { type: 'BODY', add_security_recommendation: component.securityRecommendation }
    case 'authentication_footer':
      return { type: 'FOOTER', code_expiration_minutes: component.codeExpirationMinutes }
    case 'other':
      return component.raw
  }
}

function headerToWire(header: Extract<TemplateComponent, { type: 'header' }>): JsonObject {
  if (header.format === 'text') return { text: header.text, ...examplesToWire('header_text', header.examples) }
  if (header.format === 'location' || header.sample === null) return {}
  return { example: { header_handle: [header.sample] } }
}

/** Positional examples of a body are a list in a list, those of a header a plain list. */
function examplesToWire(key: 'body_text' | 'header_text', examples: TemplateExample[]): JsonObject {
  if (examples.length === 0) return {}
  if (examples.some((example) => example.name !== null)) {
    const named = examples.map(({ name, value }) => ({ param_name: name, example: value }))
    return { example: { [`${key}_named_params`]: named } }
  }
  const values = examples.map(({ value }) => value)
  return { example: { [key]: key === 'body_text' ? [values] : values } }
}

function buttonToWire(button: TemplateButton): JsonObject {
  switch (button.type) {
    case 'quick_reply':
      return { type: 'QUICK_REPLY', text: button.text }
    case 'url':
      return {
        type: 'URL',
        text: button.text,
        url: button.url,
        ...(button.example !== null && { example: [button.example] }),
      }
    case 'phone_number':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phoneNumber }
    case 'copy_code':
      return { type: 'COPY_CODE', example: button.example }
    case 'otp':
      return { type: 'OTP', otp_type: 'COPY_CODE', ...(button.text !== null && { text: button.text }) }
    case 'other':
      return button.raw
  }
}

function componentFromWire(value: unknown): TemplateComponent {
  const wire = objectOf(value) ?? {}
  const text = textOf(wire.text)
  switch (textOf(wire.type)?.toUpperCase()) {
    case 'HEADER':
      return headerFromWire(wire)
    case 'BODY': {
      const security = booleanOf(wire.add_security_recommendation)
      if (security !== null) return { type: 'authentication_body', securityRecommendation: security }
      return text === null ? other(wire) : { type: 'body', text, examples: examplesFromWire('body_text', wire) }
    }
    case 'FOOTER': {
      const minutes = numberOf(wire.code_expiration_minutes)
      if (minutes !== null) return { type: 'authentication_footer', codeExpirationMinutes: minutes }
      return text === null ? other(wire) : { type: 'footer', text }
    }
    case 'BUTTONS':
      return { type: 'buttons', buttons: listOf(wire.buttons).map(buttonFromWire) }
    default:
      return other(wire)
  }
}

function headerFromWire(wire: JsonObject): TemplateComponent {
  const format = textOf(wire.format)?.toLowerCase()
  const text = textOf(wire.text)
  if (format === 'text' && text !== null) {
    return { type: 'header', format, text, examples: examplesFromWire('header_text', wire) }
  }
  if (format === 'image' || format === 'video' || format === 'document') {
    return { type: 'header', format, sample: textOf(listOf(objectOf(wire.example)?.header_handle)[0]) }
  }
  return format === 'location' ? { type: 'header', format } : other(wire)
}

function examplesFromWire(key: 'body_text' | 'header_text', wire: JsonObject): TemplateExample[] {
  const example = objectOf(wire.example)
  const named = listOf(example?.[`${key}_named_params`]).map(objectOf)
  if (named.length > 0) {
    return named.map((one) => ({ name: textOf(one?.param_name), value: textOf(one?.example) ?? '' }))
  }
  return listOf(example?.[key])
    .flat()
    .map((value) => ({ name: null, value: textOf(value) ?? '' }))
}

function buttonFromWire(value: unknown): TemplateButton {
  const wire = objectOf(value) ?? {}
  const text = textOf(wire.text)
  const example = textOf(listOf(wire.example)[0]) ?? textOf(wire.example)
  const url = textOf(wire.url)
  const phoneNumber = textOf(wire.phone_number)
  switch (textOf(wire.type)?.toUpperCase()) {
    case 'QUICK_REPLY':
      return text === null ? other(wire) : { type: 'quick_reply', text }
    case 'URL':
      return text === null || url === null ? other(wire) : { type: 'url', text, url, example }
    case 'PHONE_NUMBER':
      return text === null || phoneNumber === null ? other(wire) : { type: 'phone_number', text, phoneNumber }
    case 'COPY_CODE':
      return { type: 'copy_code', example }
    default:
      return other(wire)
  }
}

function other(raw: JsonObject): { type: 'other'; raw: JsonObject } {
  return { type: 'other', raw }
}
