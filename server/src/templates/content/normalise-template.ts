import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import { parseLanguage } from '../../lib/text/language.ts'
import { namePattern, placeholdersIn } from '../../lib/text/placeholders.ts'
import { type ReadComponent, readComponent } from './read-component.ts'
import {
  authenticationBody,
  bodyShorthand,
  type ChannelKind,
  type MediaKind,
  type TemplateButton,
  type TemplateCategory,
  type TemplateComponent,
  type TemplateContent,
  type TemplateInput,
  type TemplateVariable,
} from './template-types.ts'

type NormalisedTemplate = {
  template: TemplateContent
  /** Position of each component in the request, for error messages. */
  places: readonly string[]
  problems: FieldProblem[]
}

/**
 * A template as a caller wrote it, in our form. Letter case, the short form `body`, named placeholders and the
 * platform's way of giving examples are levelled here; whether the result is allowed is for `checkTemplate` to say.
 */
export function normaliseTemplate(input: TemplateInput, channelKind: ChannelKind): NormalisedTemplate {
  const problems: FieldProblem[] = []
  const category = readCategory(input.category, problems)
  const language = readLanguage(input.language, problems)
  const read = withFixedParts(readAll(input, category, problems), category)
  const parts = read.map((part) => (channelKind === 'sandbox' ? withSamples(part) : withoutOptional(part)))
  const ttlSeconds = input.message_send_ttl_seconds ?? null
  const parameter_format = readFormat(input.parameter_format, category, problems)
  if (parameter_format === 'named') problems.push(...parts.flatMap(unnamed))
  return {
    template: {
      name: input.name,
      language,
      category,
      parameter_format,
      components: parts.map(({ component }) => component),
      variables: parts.flatMap(({ variables }) => variables),
      ...(ttlSeconds === null ? {} : { message_send_ttl_seconds: ttlSeconds }),
    },
    places: parts.map(({ place }) => place),
    problems,
  }
}

type Part = ReadComponent & { place: string }

function readAll(input: TemplateInput, category: TemplateCategory, problems: FieldProblem[]): Part[] {
  const raws = (input.components ?? []).map((raw, index) => ({ raw, place: `components[${index}]` }))
  const short = input.body ?? null
  if (short !== null) raws.push({ raw: { type: 'body', text: short }, place: bodyShorthand })
  const parts = raws.flatMap(({ raw, place }) => {
    const read = readComponent(raw, { place, category, problems })
    return read ? [{ ...read, place }] : []
  })
  if (short !== null && parts.filter(({ component }) => component.type === 'body').length > 1) {
    const message = 'Give `body` or a component of type body, not both.'
    problems.push(bodyProblem('body', 'mutually_exclusive', message))
    return parts.filter(({ place }) => place !== bodyShorthand)
  }
  return parts
}

/** Body and button of an authentication template can only be one thing, so they need not be written. */
function withFixedParts(parts: Part[], category: TemplateCategory): Part[] {
  if (category !== 'authentication') return parts
  const lacks = (type: TemplateComponent['type']) => !parts.some(({ component }) => component.type === type)
  const button: TemplateButton = { type: 'otp', otp_type: 'copy_code', text: 'Copy code' }
  return [
    ...(lacks('body') ? [{ ...authenticationBody(false), place: 'components' }] : []),
    ...parts,
    ...(lacks('buttons')
      ? [{ component: { type: 'buttons' as const, buttons: [button] }, variables: [], place: 'components' }]
      : []),
  ]
}

/** The sandbox reviews nothing, so the values of variables may be made up there; a file is needed as at Meta. */
function withSamples({ component, variables, place }: Part): Part {
  return { component: sampleComponent(component), variables: variables.map(sampleVariable), place }
}

function sampleVariable(variable: TemplateVariable): TemplateVariable {
  return { ...variable, example: variable.example ?? `Sample ${variable.position}` }
}

function sampleComponent(component: TemplateComponent): TemplateComponent {
  if (component.type === 'carousel') {
    const cards = component.cards.map(({ components, variables }) => ({
      components: components.map(sampleComponent),
      variables: variables.map(sampleVariable),
    }))
    return { ...component, cards }
  }
  if (component.type !== 'buttons') return component
  const buttons = component.buttons.map((button) =>
    button.type === 'url' && button.example === undefined && placeholdersIn(button.url).length > 0
      ? { ...button, example: 'sample-1' }
      : button,
  )
  return { ...component, buttons }
}

export function sampleMedia(kind: MediaKind): { link: string } {
  return { link: `https://cdn.example.test/sample.${{ image: 'png', video: 'mp4', document: 'pdf' }[kind]}` }
}

/** Nothing is optional at the real platform: what was submitted must be filled. */
function withoutOptional({ component, ...part }: Part): Part {
  return { ...part, component: required(component) }
}

function required(component: TemplateComponent): TemplateComponent {
  if (component.type === 'header' && 'optional' in component) {
    const { optional: _, ...header } = component
    return header
  }
  if (component.type === 'carousel') {
    return {
      ...component,
      cards: component.cards.map((card) => ({ ...card, components: card.components.map(required) })),
    }
  }
  if (component.type !== 'buttons') return component
  const buttons = component.buttons.map((button) => {
    if (button.type !== 'url') return button
    const { optional: _, ...url } = button
    return url
  })
  return { ...component, buttons }
}

function readCategory(given: string | null | undefined, problems: FieldProblem[]): TemplateCategory {
  const category = (given ?? 'utility').toLowerCase()
  if (category === 'utility' || category === 'marketing' || category === 'authentication') return category
  const message = 'Use utility, marketing or authentication.'
  problems.push(bodyProblem('category', 'invalid_value', message))
  return 'utility'
}

/** Meta names the one variable of an authentication template itself. */
function readFormat(
  given: string | null | undefined,
  category: TemplateCategory,
  problems: FieldProblem[],
): TemplateContent['parameter_format'] {
  const format = (given ?? 'positional').toLowerCase()
  if (format === 'positional' || (format === 'named' && category === 'authentication')) return 'positional'
  if (format === 'named') return format
  problems.push(bodyProblem('parameter_format', 'invalid_value', 'Use positional or named.'))
  return 'positional'
}

/** The variables that Meta could not know by a name. */
function unnamed({ component, variables, place }: Part): FieldProblem[] {
  const cards = component.type === 'carousel' ? component.cards.flatMap((card) => card.variables) : []
  if ([...variables, ...cards].every(({ name }) => name !== null && namePattern.test(name))) return []
  const message =
    'Name every variable of a named template: {{order_id}} in the text, with lower-case letters, digits and underscores.'
  return [bodyProblem(place === bodyShorthand ? place : `${place}.variables`, 'invalid_value', message)]
}

function readLanguage(given: string | null | undefined, problems: FieldProblem[]): string {
  const language = parseLanguage(given ?? 'en_US')
  if (language !== null) return language
  const message = 'Give a language code such as en, en_US or pt_BR.'
  problems.push(bodyProblem('language', 'invalid_language', message))
  return 'en_US'
}
