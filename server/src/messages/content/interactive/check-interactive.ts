import { bodyProblem, type FieldProblem } from '../../../contract/field-codes.ts'
import { checkFile, checkGiven, checkWords } from './check-parts.ts'
import { type Frame, formOf, frameOf } from './forms.ts'
import type { InteractiveRequest } from './interactive-request.ts'

/** Every limit of the channel that the request breaks, each with the place of what breaks it. */
export function checkInteractive(request: InteractiveRequest): FieldProblem[] {
  const frame = frameOf(request)
  return [
    ...checkHeader(request, frame),
    ...checkWords(request.body, 'body', frame.bodyMax),
    ...checkGiven(request.footer, 'footer', 60),
    ...formOf(request).check(request),
  ]
}

function checkHeader({ header }: InteractiveRequest, { headers, noun }: Frame): FieldProblem[] {
  if (!header) return []
  if (!headers.includes(header.type)) {
    return [bodyProblem('header.type', 'invalid_value', `The header of ${noun} can only be text.`)]
  }
  return header.type === 'text' ? checkWords(header.text, 'header.text', 60) : checkFile(header, 'header')
}
