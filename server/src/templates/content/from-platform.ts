import { parseLanguage } from '../../lib/language.ts'
import type * as port from '../../platform/platform-template.ts'
import { numberPlaceholders } from './placeholders.ts'
import { authenticationBody, expiryFooter } from './read-component.ts'
import type {
  HeaderComponent,
  TemplateButton,
  TemplateCategory,
  TemplateComponent,
  TemplateContent,
  TemplateVariable,
} from './template-types.ts'

/**
 * The content of a template as the platform lists it, in our form. The platform adds component and button types at will,
 * so what is unknown is kept by its name and never an error.
 */
export function contentFromPlatform(template: port.PlatformTemplate): TemplateContent {
  const category = categoryFromPlatform(template.category) ?? 'utility'
  const parts = template.components.map((component) => partOf(component, category))
  return {
    name: template.name,
    language: parseLanguage(template.language) ?? template.language,
    category,
    parameter_format: template.parameterFormat,
    components: parts.map(({ component }) => component),
    variables: parts.flatMap(({ variables }) => variables),
  }
}

export function categoryFromPlatform(category: string | null): TemplateCategory | null {
  const word = category?.toLowerCase()
  return word === 'marketing' || word === 'authentication' || word === 'utility' ? word : null
}

type Part = { component: TemplateComponent; variables: TemplateVariable[] }

function partOf(part: port.TemplateComponent, category: TemplateCategory): Part {
  switch (part.type) {
    case 'header': {
      if (part.format !== 'text') return { component: mediaHeader(part), variables: [] }
      const { text, variables } = numbered('header', part)
      return { component: { type: 'header', format: 'text', text }, variables }
    }
    case 'body': {
      const { text, variables } = numbered('body', part)
      return { component: { type: 'body', text }, variables }
    }
    case 'footer':
      return { component: { type: 'footer', text: part.text }, variables: [] }
    case 'buttons':
      return {
        component: { type: 'buttons', buttons: part.buttons.map((one) => buttonOf(one, category)) },
        variables: [],
      }
    case 'authentication_body':
      return authenticationBody(part.securityRecommendation)
    case 'authentication_footer':
      return { component: expiryFooter(part.codeExpirationMinutes), variables: [] }
    case 'other':
      return { component: otherPart(part.raw), variables: [] }
  }
}

function mediaHeader(header: Exclude<Extract<port.TemplateComponent, { type: 'header' }>, { format: 'text' }>) {
  if (header.format === 'location') {
    return { type: 'header', format: 'other', platform_format: 'location' } satisfies HeaderComponent
  }
  // Samples come back as links to the platform's own store, in the field where a handle was given.
  const { sample, format } = header
  const example = sample === null ? null : /^https?:/.test(sample) ? { link: sample } : { handle: sample }
  return { type: 'header', format, example } satisfies HeaderComponent
}

function otherPart(raw: Record<string, unknown>): TemplateComponent {
  const type = wordOf(raw.type)
  if (type === 'header') return { type: 'header', format: 'other', platform_format: wordOf(raw.format) }
  return { type: 'other', platform_type: type }
}

function buttonOf(button: port.TemplateButton, category: TemplateCategory): TemplateButton {
  if (button.type === 'quick_reply') return button
  if (button.type === 'phone_number')
    return { type: 'phone_number', text: button.text, phone_number: button.phoneNumber }
  if (button.type === 'otp') return { type: 'otp', otp_type: button.otpType, text: button.text ?? '' }
  if (button.type === 'copy_code') return { type: 'other', platform_type: 'copy_code', text: '' }
  if (button.type === 'url') {
    const { text, url, example } = button
    // Once created, the button that copies a code is listed as a url button that carries the code.
    const otp = category === 'authentication' ? /[?&]otp_type=(\w+)/i.exec(url)?.[1] : undefined
    if (otp) return { type: 'otp', otp_type: otp.toLowerCase(), text }
    return { type: 'url', text, url: numberPlaceholders(url).text, ...(example ? { example } : {}) }
  }
  const type = wordOf(button.raw.type)
  const text = typeof button.raw.text === 'string' ? button.raw.text : ''
  if (type === 'otp') return { type, otp_type: wordOf(button.raw.otp_type) || 'copy_code', text }
  return { type: 'other', platform_type: type, text }
}

function numbered(component: TemplateVariable['component'], part: { text: string; examples: port.TemplateExample[] }) {
  const { text, names, named } = numberPlaceholders(part.text)
  const variables = names.map((name, index): TemplateVariable => {
    const found = named ? part.examples.find((example) => example.name === name) : part.examples[index]
    return { component, position: index + 1, name, example: found?.value || null }
  })
  return { text, variables }
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '')
