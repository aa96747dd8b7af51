import { numericId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { Template } from '../world.ts'
import type { Draft } from './template-rules.ts'
import { changeStatus } from './template-status.ts'

export function addTemplate(platform: Platform, wabaId: string, draft: Draft, status: string): Template {
  const template: Template = {
    id: numericId(),
    wabaId,
    ...draft,
    previousCategory: null,
    correctCategory: null,
    status,
    quality: 'UNKNOWN',
    qualityAtMs: platform.clock.now(),
    rejectedReason: 'NONE',
    pauses: 0,
    pausedUntilMs: null,
    editedAtMs: [],
  }
  platform.world.templates.set(template.id, template)
  platform.changed()
  return template
}

/**
 * Review takes a moment and ends well, unless the name contains `reject`. A decision made meanwhile stands, and a later
 * edit has a review of its own.
 */
export function scheduleReview(platform: Platform, template: Template): void {
  const { components } = template
  platform.clock.after(platform.behaviour.reviewDelayMs, () => {
    if (template.status !== 'PENDING' || !platform.world.templates.has(template.id)) return
    if (template.components !== components) return
    changeStatus(platform, template, template.name.includes('reject') ? 'reject' : 'approve')
  })
}

export function templatesOf(platform: Platform, wabaId: string): Template[] {
  return [...platform.world.templates.values()].filter((template) => template.wabaId === wabaId)
}

export const HELLO_WORLD: Draft = {
  name: 'hello_world',
  language: 'en_US',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  ttlSeconds: null,
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
    { type: 'BODY', text: 'Welcome! This message shows that your number can send and your software can receive.' },
    { type: 'FOOTER', text: 'Sample message' },
  ],
}
