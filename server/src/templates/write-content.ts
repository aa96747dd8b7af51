import { AppError } from '../contract/app-error.ts'
import type { FieldProblem } from '../contract/schema.ts'
import { checkTemplate } from './check/check-template.ts'
import { normaliseTemplate } from './content/normalise-template.ts'
import type { ChannelKind, TemplateContent, TemplateInput } from './content/template-types.ts'

/** What a caller wrote as a template the platform should take, or a refusal with everything that is wrong. */
export function writeContent(input: TemplateInput, channelKind: ChannelKind): TemplateContent {
  const { template, places, problems: unreadable } = normaliseTemplate(input, channelKind)
  // Parts that could not be read are missing from the template; rules about the whole would only confuse.
  refuseProblems(unreadable.length > 0 ? unreadable : checkTemplate(template, places))
  return template
}

/** One refusal for everything that is wrong, if anything is. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first, ...rest] = problems
  if (!first) return
  const more = rest.length > 0 ? ` And ${rest.length} more; see details.` : ''
  throw new AppError('template_invalid', `${first.message}${more}`, { details: problems.slice(0, 20) })
}
