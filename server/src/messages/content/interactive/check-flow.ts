import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkGiven, checkWords } from './check-parts.ts'
import type { FlowRequest } from './interactive-request.ts'

/** Which Flow, and how it opens. Whether there is such a Flow, and that it is published, is for Meta to say. */
export function checkFlow({ button, flow }: FlowRequest): FieldProblem[] {
  return [
    ...checkWords(button, 'button', 30),
    ...(/\p{Extended_Pictographic}/u.test(button)
      ? [bodyProblem('button', 'invalid_value', 'Leave out the emoji: the button of a Flow has none.')]
      : []),
    ...checkNamed(flow),
    ...checkGiven(flow.token, 'flow.token', 1024),
    ...checkGiven(flow.screen, 'flow.screen', 256),
    ...checkStart(flow),
  ]
}

function checkNamed({ id, name }: FlowRequest['flow']): FieldProblem[] {
  if (id && name) return [bodyProblem('flow', 'mutually_exclusive', 'Give either `id` or `name`, not both.')]
  if (!id && !name) return [bodyProblem('flow', 'one_of_required', 'Give the `id` or the `name` of the Flow.')]
  return [...checkGiven(id, 'flow.id', 256), ...checkGiven(name, 'flow.name', 256)]
}

function checkStart({ action, screen, screen_data }: FlowRequest['flow']): FieldProblem[] {
  if (action === 'data_exchange') {
    const sentence = 'With `data_exchange` your endpoint chooses the first screen; leave this out.'
    const given = [...(screen ? ['screen'] : []), ...(screen_data ? ['screen_data'] : [])]
    return given.map((field) => bodyProblem(`flow.${field}`, 'mutually_exclusive', sentence))
  }
  return screen_data && Object.keys(screen_data).length === 0
    ? [bodyProblem('flow.screen_data', 'too_short', 'Give at least one value, or leave it out.')]
    : []
}
