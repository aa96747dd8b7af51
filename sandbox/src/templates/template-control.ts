import { GraphError } from '../http/errors.ts'
import { type Json, text } from '../http/json.ts'
import { InboundProblem } from '../messages/inbound.ts'
import type { Platform } from '../platform.ts'
import type { Template } from '../world.ts'
import { type Draft, readComponents, readDraft } from './template-rules.ts'
import { changeCategory, changeQuality, changeStatus, decisionNames, isDecision } from './template-status.ts'
import { addTemplate, templatesOf } from './template-store.ts'

export type Review = {
  /** A decision of `template-status.ts`, or `quality` / `category` with a value. */
  decision: string
  language?: string
  waba_id?: string
  reason?: string
  recommendation?: string
  quality_score?: string
  category?: string
  /** With `category`: announced now, done then. */
  after_ms?: number
}

/** Plays the reviewer for every language of a template, or for one. */
export function reviewTemplate(platform: Platform, name: string, review: Review): Json[] {
  const found = [...platform.world.templates.values()].filter(
    (template) =>
      template.name === name &&
      (review.language === undefined || template.language === review.language) &&
      (review.waba_id === undefined || template.wabaId === review.waba_id),
  )
  if (found.length === 0) throw new InboundProblem('there is no such template')
  for (const template of found) decide(platform, template, review)
  return found.map(view)
}

function decide(platform: Platform, template: Template, review: Review): void {
  const { decision } = review
  if (decision === 'quality') changeQuality(platform, template, review.quality_score ?? 'RED')
  else if (decision === 'category') {
    changeCategory(platform, template, (review.category ?? 'MARKETING').toUpperCase(), review.after_ms ?? null)
  } else if (isDecision(decision)) {
    changeStatus(platform, template, decision, {
      ...(review.reason === undefined ? {} : { reason: review.reason }),
      ...(review.recommendation === undefined ? {} : { recommendation: review.recommendation }),
    })
  } else throw new InboundProblem(`"decision" is one of quality, category, ${decisionNames().join(', ')}`)
}

/**
 * Templates in any state, without review and without a callback; one with the same name and language is replaced.
 * A header or a button may carry `"optional": true`: then a send may leave it out, which the real platform never allows.
 */
export function addTemplates(platform: Platform, wabaId: string, templates: Json[], status: string): Json[] {
  return templates.map((item) => {
    const draft = draftOf(item)
    const own = templatesOf(platform, wabaId)
    const old = own.find((template) => template.name === draft.name && template.language === draft.language)
    if (old) platform.world.templates.delete(old.id)
    return view(addTemplate(platform, wabaId, draft, status.toUpperCase()))
  })
}

/** Samples are not asked for here: nobody is going to review them. */
function draftOf(item: Json): Draft {
  const components = readComponents(item.components)
  try {
    const draft = readDraft({
      language: 'en_US',
      category: 'UTILITY',
      ...item,
      components: [{ type: 'BODY', text: 'x' }],
    })
    return { ...draft, components }
  } catch (error) {
    if (error instanceof GraphError) throw new InboundProblem(`template "${text(item.name) ?? ''}": ${error.message}`)
    throw error
  }
}

function view({ id, name, language, status, category, wabaId }: Template): Json {
  return { id, name, language, status, category, waba_id: wabaId }
}
