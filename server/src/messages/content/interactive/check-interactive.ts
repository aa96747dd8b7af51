import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkFile, checkGiven, checkWords } from './check-parts.ts'
import { type Frame, formOf, frameOf } from './forms.ts'
import type { InteractiveRequest } from './interactive-request.ts'

/** Every limit of the channel that the request breaks, each with the place of what breaks it. */
export function checkInteractive(request: InteractiveRequest): FieldProblem[] {
  const frame = frameOf(request)
  return [
    ...checkHeader(request, frame),
    ...checkBody(request, frame),
    ...(frame.hasFooter ? checkGiven(request.footer, 'footer', 60) : refuse(request, 'footer')),
    ...formOf(request).check(request),
  ]
}

function checkBody({ body }: InteractiveRequest, { noun, bodyMax, mayLackBody }: Frame): FieldProblem[] {
  if (body == null) return mayLackBody ? [] : [bodyProblem('body', 'required', `Give ${noun} a text.`)]
  return checkWords(body, 'body', bodyMax)
}

function checkHeader(request: InteractiveRequest, { headers, noun, needsHeader }: Frame): FieldProblem[] {
  const { header } = request
  if (!header) return needsHeader ? [bodyProblem('header', 'required', `Give ${noun} a header.`)] : []
  if (headers.length === 0) return refuse(request, 'header')
  if (!headers.includes(header.type)) {
    return [bodyProblem('header.type', 'invalid_value', `The header of ${noun} can only be text.`)]
  }
  return header.type === 'text' ? checkWords(header.text, 'header.text', 60) : checkFile(header, 'header')
}

function refuse(request: InteractiveRequest, field: 'header' | 'footer'): FieldProblem[] {
  if (!request[field]) return []
  return [bodyProblem(field, 'unknown_field', `A message of type ${request.type} has no ${field}.`)]
}
