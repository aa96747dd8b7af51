import {
  type TemplateComponent,
  type TemplateContent,
  type TemplateVariable,
  variablesOf,
} from '../../contract/template-content.ts'
import type { MediaReference, TemplateChange, TemplateDraft } from '../outbound-message.ts'
import type { JsonObject } from './lenient-json.ts'
import { buttonToWire } from './template-button-wire.ts'

/** The body that creates a template. */
export function templateToWire(draft: TemplateDraft): JsonObject {
  const { content } = draft
  return {
    name: content.name,
    language: content.language,
    parameter_format: isNamed(content) ? 'NAMED' : 'POSITIONAL',
    category: content.category.toUpperCase(),
    ...ttlToWire(content),
    components: componentsToWire(content),
  }
}

/** The body that changes one. */
export function changeToWire(change: TemplateChange): JsonObject {
  return {
    ...(change.category !== undefined && { category: change.category.toUpperCase() }),
    ...ttlToWire(change.content),
    components: componentsToWire(change.content),
  }
}

function ttlToWire({ message_send_ttl_seconds }: TemplateContent): JsonObject {
  return (message_send_ttl_seconds ?? null) === null ? {} : { message_send_ttl_seconds }
}

/** Meta names the one variable of an authentication template itself. */
function isNamed({ parameter_format, category, components, variables }: TemplateContent): boolean {
  if (parameter_format !== 'named' || category === 'authentication') return false
  const cards = components.flatMap((component) => (component.type === 'carousel' ? component.cards : []))
  return [variables, ...cards.map((card) => card.variables)].some((some) => some.length > 0)
}

function componentsToWire(content: TemplateContent): JsonObject[] {
  return content.components.flatMap((component) => componentToWire(content, component))
}

function componentToWire(content: TemplateContent, component: TemplateComponent): JsonObject[] {
  switch (component.type) {
    case 'header': {
      if (component.format === 'other') return []
      const format = component.format.toUpperCase()
      if (component.format === 'location' || component.format === 'product') return [{ type: 'HEADER', format }]
      if (component.format === 'text') {
        return [{ type: 'HEADER', format, ...textToWire(content, 'header', component.text) }]
      }
      const sample = component.example && 'handle' in component.example ? component.example.handle : null
      return [{ type: 'HEADER', format, ...(sample === null ? {} : { example: { header_handle: [sample] } }) }]
    }
    case 'body': {
      const { text, add_security_recommendation = false } = component
      if (content.category === 'authentication') return [{ type: 'BODY', add_security_recommendation }]
      return [{ type: 'BODY', ...textToWire(content, 'body', text) }]
    }
    case 'footer': {
      const { text, code_expiration_minutes } = component
      return [{ type: 'FOOTER', ...(code_expiration_minutes === undefined ? { text } : { code_expiration_minutes }) }]
    }
    case 'buttons':
      return [{ type: 'BUTTONS', buttons: component.buttons.flatMap((button) => buttonToWire(button) ?? []) }]
    case 'carousel':
      return [
        {
          type: 'CAROUSEL',
          cards: component.cards.map((card) => ({ components: componentsToWire({ ...content, ...card }) })),
        },
      ]
    case 'limited_time_offer': {
      const { text, has_expiration } = component
      return [{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text, has_expiration } }]
    }
    case 'other':
      return []
  }
}

/** Positional examples of a body are a list in a list, those of a header a plain list. */
function textToWire(content: TemplateContent, component: TemplateVariable['component'], text: string): JsonObject {
  const variables = variablesOf(content, component)
  if (variables.length === 0) return { text }
  const key = `${component}_text`
  if (content.parameter_format !== 'named') {
    const values = variables.map(({ example }) => example ?? '')
    return { text, example: { [key]: component === 'body' ? [values] : values } }
  }
  const nameAt = (position: number) => variables[position - 1]?.name ?? `value_${position}`
  return {
    text: text.replace(/\{\{(\d+)\}\}/g, (_, position: string) => `{{${nameAt(Number(position))}}}`),
    example: {
      [`${key}_named_params`]: variables.map(({ position, example }) => ({
        param_name: nameAt(position),
        example: example ?? '',
      })),
    },
  }
}

export function media(reference: MediaReference): JsonObject {
  return 'link' in reference ? { link: reference.link } : { id: reference.platformMediaId }
}

/** The entries that have a value: the platform refuses explicit nulls. */
export function given(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null))
}
