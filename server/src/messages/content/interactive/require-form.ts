import { validationFailed } from '../../../contract/app-error.ts'
import { bodyProblem } from '../../../contract/schema.ts'
import { forms } from './forms.ts'
import type { InteractiveRequest } from './interactive-request.ts'

const ownFields = new Set(Object.values(forms).flatMap(({ needs, may = [] }) => [...needs, ...may]))

/** Each type has required fields of its own; the schema of the request leaves that to this sentence. */
export function requireForm<Body extends { type: InteractiveRequest['type'] }>(body: Body): Body & InteractiveRequest {
  const { needs, may = [] } = forms[body.type]
  const given = body as Record<string, unknown>
  const missing = needs.filter((field) => given[field] == null)
  const foreign = [...ownFields].filter((field) => ![...needs, ...may].includes(field) && given[field] != null)
  const problems = [
    ...missing.map((field) => bodyProblem(field, 'required', `A message of type ${body.type} needs ${field}.`)),
    ...foreign.map((field) => bodyProblem(field, 'unknown_field', `A message of type ${body.type} has no ${field}.`)),
  ]
  if (problems.length > 0) throw validationFailed(problems)
  return body as Body & InteractiveRequest
}
