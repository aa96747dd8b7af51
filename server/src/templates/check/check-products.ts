import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { findComponent, type TemplateContent } from '../content/template-types.ts'
import type { Placed } from './check-text.ts'

/** What each button for products wants of the header: none, a text, or the product itself. */
const headers = { catalog: null, mpm: 'text', spm: 'product' } as const

/** Meta's forms of templates that show products: marketing, with one button and the header that goes with it. */
export function checkProducts(template: TemplateContent, placed: readonly Placed[]): FieldProblem[] {
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  const button = buttons.find(({ type }) => type === 'catalog' || type === 'mpm' || type === 'spm')
  const header = findComponent(template, 'header') ?? null
  const kind = button?.type === 'catalog' || button?.type === 'mpm' || button?.type === 'spm' ? button.type : null
  const placeOf = (type: string) => placed.find(({ component }) => component.type === type)?.place ?? 'components'
  if (kind === null) {
    const message = 'A template with a product in its header has a button of type spm.'
    return header?.format === 'product' ? [bodyProblem(placeOf('buttons'), 'required', message)] : []
  }
  const wanted = headers[kind]
  const words = wanted === null ? 'no header' : `a header of format ${wanted}`
  return [
    ...(template.category === 'marketing'
      ? []
      : [bodyProblem('category', 'invalid_value', 'A template that shows products is a marketing template.')]),
    ...(buttons.length === 1
      ? []
      : [bodyProblem(placeOf('buttons'), 'too_many_items', `Beside a button of type ${kind} there is no other.`)]),
    ...((header?.format ?? null) === wanted
      ? []
      : [bodyProblem(placeOf('header'), 'invalid_value', `A template with a button of type ${kind} has ${words}.`)]),
  ]
}
