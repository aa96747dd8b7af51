import type { TemplateComponent, TemplateValue } from './component-types.ts'
import type { TemplateContent } from './message-types.ts'

/** Replaces the short form `body: ['Ana', 'A-1001']` by the component the gateway knows. */
export function expandBody<T extends TemplateContent>(content: T): Omit<T, 'body'> {
  const { body, ...rest } = content
  if (body === undefined) return rest
  const components = content.components ?? []
  if (components.some((component) => component.type === 'body')) {
    throw new TypeError('Give the body values once: as body or as a component of type body')
  }
  return { ...rest, components: [...components, bodyComponent(body)] }
}

function bodyComponent(values: readonly TemplateValue[]): TemplateComponent {
  return {
    type: 'body',
    parameters: values.map((value) => (typeof value === 'object' ? value : { type: 'text', text: String(value) })),
  }
}
