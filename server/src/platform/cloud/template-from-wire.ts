import {
  authenticationBody,
  type CarouselCard,
  categoryOf,
  expiryFooter,
  type TemplateCategory,
  type TemplateComponent,
  type TemplateContent,
  type TemplateVariable,
} from '../../contract/template-content.ts'
import { parseLanguage } from '../../lib/text/language.ts'
import { numberPlaceholders } from '../../lib/text/placeholders.ts'
import type { PlatformTemplate } from '../outbound-message.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, textOf, wordOf } from './lenient-json.ts'
import { buttonFromWire } from './template-button-wire.ts'

/**
 * A template as Meta lists it. Meta adds types of components and buttons at will, so what is unknown is kept by its name
 * and never an error. Null for an entry without id, name or language: it can be neither shown nor sent.
 */
export function templateFromWire(value: unknown): PlatformTemplate | null {
  const wire = objectOf(value)
  const templateId = textOf(wire?.id)
  const name = textOf(wire?.name)
  const language = languageOf(wire?.language)
  if (!wire || templateId === null || name === null || language === null) return null
  const category = categoryOf(textOf(wire.category))
  return {
    templateId,
    status: textOf(wire.status)?.toUpperCase() ?? 'PENDING',
    category,
    rejectedReason: textOf(wire.rejected_reason),
    quality: textOf(objectOf(wire.quality_score)?.score) ?? textOf(wire.quality_score),
    content: contentFromWire(wire, { name, language, category: category ?? 'utility' }),
  }
}

/** Meta writes `en_US` in answers and sometimes `en-US` in callbacks. */
export function languageOf(value: unknown): string | null {
  return textOf(value)?.replaceAll('-', '_') ?? null
}

function contentFromWire(
  wire: JsonObject,
  { name, language, category }: Pick<TemplateContent, 'name' | 'language' | 'category'>,
): TemplateContent {
  const parts = listOf(wire.components).map((component) => partFromWire(objectOf(component) ?? {}, category))
  const ttlSeconds = numberOf(wire.message_send_ttl_seconds)
  return {
    name,
    language: parseLanguage(language) ?? language,
    category,
    parameter_format: textOf(wire.parameter_format)?.toUpperCase() === 'NAMED' ? 'named' : 'positional',
    components: parts.map(({ component }) => component),
    variables: parts.flatMap(({ variables }) => variables),
    ...(ttlSeconds === null ? {} : { message_send_ttl_seconds: ttlSeconds }),
  }
}

type Part = { component: TemplateComponent; variables: TemplateVariable[] }
const plain = (component: TemplateComponent): Part => ({ component, variables: [] })

function partFromWire(wire: JsonObject, category: TemplateCategory): Part {
  const text = textOf(wire.text)
  const type = wordOf(wire.type)
  switch (type) {
    case 'header':
      return headerFromWire(wire)
    case 'body': {
      const withSecurityAdvice = booleanOf(wire.add_security_recommendation)
      if (withSecurityAdvice !== null) return authenticationBody(withSecurityAdvice)
      if (text === null) break
      const { text: numbered, variables } = textFromWire('body', text, wire)
      return { component: { type, text: numbered }, variables }
    }
    case 'footer': {
      const minutes = numberOf(wire.code_expiration_minutes)
      if (minutes !== null) return plain(expiryFooter(minutes))
      if (text === null) break
      return plain({ type, text })
    }
    case 'carousel':
      return plain({ type, cards: listOf(wire.cards).map((card) => cardFromWire(objectOf(card) ?? {}, category)) })
    case 'limited_time_offer': {
      const offer = objectOf(wire.limited_time_offer)
      return plain({ type, text: textOf(offer?.text) ?? '', has_expiration: offer?.has_expiration === true })
    }
    case 'buttons':
      return plain({
        type,
        buttons: listOf(wire.buttons).map((button) => buttonFromWire(objectOf(button) ?? {}, category)),
      })
  }
  return plain({ type: 'other', platform_type: type })
}

/** A carousel in a card would be read for ever deeper; there is none. */
function cardFromWire(wire: JsonObject, category: TemplateCategory): CarouselCard {
  const parts = listOf(wire.components)
    .map((component) => objectOf(component) ?? {})
    .filter(({ type }) => wordOf(type) !== 'carousel')
    .map((component) => partFromWire(component, category))
  return {
    components: parts.map(({ component }) => component),
    variables: parts.flatMap(({ variables }) => variables),
  }
}

function headerFromWire(wire: JsonObject): Part {
  const format = wordOf(wire.format)
  const text = textOf(wire.text)
  if (format === 'text' && text !== null) {
    const { text: numbered, variables } = textFromWire('header', text, wire)
    return { component: { type: 'header', format, text: numbered }, variables }
  }
  if (format === 'location' || format === 'product') return plain({ type: 'header', format })
  if (format !== 'image' && format !== 'video' && format !== 'document') {
    return plain({ type: 'header', format: 'other', platform_format: format })
  }
  // Samples come back as links to Meta's own store, in the field where a handle was given.
  const sample = textOf(listOf(objectOf(wire.example)?.header_handle)[0])
  const example = sample === null ? null : /^https?:/.test(sample) ? { link: sample } : { handle: sample }
  return plain({ type: 'header', format, example })
}

function textFromWire(component: TemplateVariable['component'], given: string, wire: JsonObject) {
  const { text, names, named } = numberPlaceholders(given)
  const examples = examplesFromWire(`${component}_text`, wire)
  const variables = names.map((name, index): TemplateVariable => {
    const found = named ? examples.find((example) => example.name === name) : examples[index]
    return { component, position: index + 1, name, example: found?.value || null }
  })
  return { text, variables }
}

function examplesFromWire(key: string, wire: JsonObject): { name: string | null; value: string }[] {
  const example = objectOf(wire.example)
  const named = listOf(example?.[`${key}_named_params`]).map(objectOf)
  if (named.length > 0) {
    return named.map((one) => ({ name: textOf(one?.param_name), value: textOf(one?.example) ?? '' }))
  }
  return listOf(example?.[key])
    .flat()
    .map((value) => ({ name: null, value: textOf(value) ?? '' }))
}
