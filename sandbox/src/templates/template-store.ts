import { numericId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { Template } from '../world.ts'
import type { Draft } from './template-rules.ts'

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
