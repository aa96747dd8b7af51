import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError, validationFailed } from '../contract/app-error.ts'
import type { FieldProblem } from '../contract/field-codes.ts'
import { parseLanguage } from '../lib/language.ts'
import { resolveMedia } from '../media/resolve-media.ts'
import type { TemplateParameter, TemplateValues } from '../platform/outbound-message.ts'
import type { Runtime } from '../runtime.ts'
import { requireSendableTemplate } from '../templates/find-template.ts'
import { matchParameters } from '../templates/match-parameters.ts'
import type { SendComponent, SendParameter } from '../templates/send-components.ts'
import { type Draft, requireAddress, requireReplyTo, type SendCommon, type Sender } from './draft.ts'

export type TemplateChoice = { template: string; language: string; components?: unknown }
export type TemplateRequest = SendCommon & TemplateChoice

/** Everything the platform would refuse is refused here, with the variables by name. */
export async function draftTemplate(rt: Runtime, sender: Sender, request: TemplateRequest, place = ''): Promise<Draft> {
  const address = requireAddress(request.to)
  const language = requireLanguage(request.language, `${place}language`)
  const number = await requireNumber(rt, sender.accountId, {
    from: request.from ?? null,
    allowedIds: sender.phoneNumberIds,
  })
  const replyTo = await requireReplyTo(rt, sender.accountId, request.reply_to)
  const template = await requireSendableTemplate(rt, number, { name: request.template, language })
  const matched = matchParameters(template, request.components ?? undefined)
  if (!matched.ok) throw refusal(matched.error, matched.problems, place)
  const components = await Promise.all(
    matched.components.map((component) => toValues(rt, number, component, sender.dryRun ?? false)),
  )
  const { header, text, footer, buttons } = matched.rendered
  return {
    number,
    address,
    type: 'template',
    outbound: { type: 'template', name: template.name, language, components },
    content: { text, header, footer, buttons },
    template: {
      id: template.id,
      name: template.name,
      language,
      category: template.category,
      last_used_at: template.last_used_at,
    },
    replyTo,
    clientReference: request.client_reference ?? null,
    used: null,
  }
}

function requireLanguage(input: string, field: string): string {
  const language = parseLanguage(input)
  if (language !== null) return language
  throw validationFailed([
    { field, location: 'body', code: 'invalid_language', message: 'Write the language as en, en_US or pt_BR.' },
  ])
}

function refusal(
  error: 'validation_failed' | 'template_parameter_mismatch',
  problems: FieldProblem[],
  place: string,
): AppError {
  const placed = problems.map((problem) => ({ ...problem, field: `${place}${problem.field}` }))
  if (error === 'validation_failed') return validationFailed(placed)
  const [first] = placed
  return new AppError('template_parameter_mismatch', first?.message ?? 'The values do not fit the template.', {
    details: placed,
  })
}

async function toValues(
  rt: Runtime,
  number: ChannelNumber,
  component: SendComponent,
  dryRun: boolean,
): Promise<TemplateValues> {
  if (component.type === 'button') {
    const [value] = component.parameters
    const { index } = component
    if (component.sub_type === 'url')
      return { type: 'button', subType: 'url', index, text: value?.type === 'text' ? value.text : '' }
    return { type: 'button', subType: 'quick_reply', index, payload: value?.type === 'payload' ? value.payload : '' }
  }
  const parameters = await Promise.all(
    component.parameters.map((parameter) => toParameter(rt, number, parameter, dryRun)),
  )
  return { type: component.type, parameters }
}

async function toParameter(
  rt: Runtime,
  number: ChannelNumber,
  parameter: SendParameter,
  dryRun: boolean,
): Promise<TemplateParameter> {
  const name = 'parameter_name' in parameter && parameter.parameter_name ? { name: parameter.parameter_name } : {}
  switch (parameter.type) {
    case 'text':
      return { ...name, type: 'text', text: parameter.text }
    case 'currency': {
      const { fallback_value, code, amount_1000 } = parameter.currency
      return { ...name, type: 'currency', fallbackValue: fallback_value, currencyCode: code, amount1000: amount_1000 }
    }
    case 'date_time':
      return { ...name, type: 'date_time', fallbackValue: parameter.date_time.fallback_value }
    case 'payload':
      throw new Error('A payload outside a button.')
    default: {
      const { reference } = await resolveMedia(rt, number, parameter.media, parameter.type, { dryRun })
      const filename =
        'filename' in parameter.media && parameter.media.filename ? { filename: parameter.media.filename } : {}
      return parameter.type === 'document'
        ? { type: 'document', media: reference, ...filename }
        : { type: parameter.type, media: reference }
    }
  }
}
