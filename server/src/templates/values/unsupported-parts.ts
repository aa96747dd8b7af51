import type { TemplateContent } from '../content/template-types.ts'
import { findComponent } from '../content/template-types.ts'

/**
 * Components and buttons that Meta wants values for and that have no form here, by Meta's names. What is not known here
 * may need no values, as a voice call does, so Meta decides about it.
 */
export const unsupportedParts: ReadonlyMap<string, string> = new Map([['order_details', 'an order details button']])

/** The part that keeps a template from being sent, in words. It can still be shown. */
export function findUnsupportedPart(template: TemplateContent): string | null {
  const header = findComponent(template, 'header')
  if (header?.format === 'other') return `a header of type ${header.platform_format}`
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  for (const part of [...template.components, ...buttons]) {
    const words = part.type === 'other' ? unsupportedParts.get(part.platform_type) : undefined
    if (words) return words
  }
  return null
}
