import type { FieldProblem } from '../../contract/schema.ts'
import type { TemplateContent } from '../content/template-types.ts'
import { exampleComponents } from './example-components.ts'
import { matchCarousel } from './match-carousel.ts'
import { matchParts } from './match-parts.ts'
import { readSendComponents } from './read-send-components.ts'
import type { RenderedTemplate } from './render-template.ts'
import type { SendComponent } from './send-components.ts'

export type MatchResult =
  | { ok: true; components: SendComponent[]; rendered: RenderedTemplate }
  | { ok: false; error: 'validation_failed' | 'template_parameter_mismatch'; problems: FieldProblem[] }

const bodyCharactersMax = 1024

/**
 * Fits the values of a send to the variables of a template, before the platform is asked: its own answer to a mismatch
 * is two numbers. Every problem names the variables, and the first carries a whole `components` to copy.
 */
export function matchParameters(template: TemplateContent, components: unknown): MatchResult {
  const read = readSendComponents(components, template.language)
  if (read.problems.length > 0) return refused('validation_failed', template, read.problems)
  const parts = matchParts(template, read.components, bodyCharactersMax)
  const carousel = matchCarousel(template, read.components.carousel)
  const problems = [...parts.problems, ...carousel.problems]
  if (problems.length > 0) return refused('template_parameter_mismatch', template, problems)
  const { component, cards } = carousel
  return {
    ok: true,
    components: component ? [...parts.components, component] : parts.components,
    rendered: component ? { ...parts.rendered, cards } : parts.rendered,
  }
}

function refused(
  error: 'validation_failed' | 'template_parameter_mismatch',
  template: TemplateContent,
  problems: FieldProblem[],
): MatchResult {
  const [first, ...rest] = problems
  const example = exampleComponents(template)
  return { ok: false, error, problems: first ? [{ ...first, example }, ...rest] : [] }
}
