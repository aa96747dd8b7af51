import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { requireTemplate } from '../get-template.ts'
import { exampleComponents } from './example-components.ts'
import { matchParameters } from './match-parameters.ts'
import { readSendComponents } from './read-send-components.ts'
import type { RenderedTemplate } from './render-template.ts'

/** The message as a customer would see it; without values, with the examples of the template. */
export async function previewTemplate(
  rt: Runtime,
  accountId: string,
  id: string,
  components: unknown,
): Promise<RenderedTemplate> {
  // As in a send, the form of the values comes before the template they are for.
  const [unreadable] = readSendComponents(components, 'en').problems
  const template = await requireTemplate(rt, accountId, id).catch((error: unknown) => {
    throw unreadable ? new AppError('validation_failed', unreadable.message, { details: [unreadable] }) : error
  })
  const matched = matchParameters(template, components ?? exampleComponents(template))
  if (matched.ok) return matched.rendered
  const [first] = matched.problems
  throw new AppError(matched.error, first?.message ?? 'The values do not fit the template.', {
    details: matched.problems,
  })
}
