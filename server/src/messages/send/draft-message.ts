import type { Runtime } from '../../runtime.ts'
import type { Draft, Sender } from './draft.ts'
import { draftInteractive, type InteractiveRequest } from './send-interactive.ts'
import { draftMedia, type MediaRequest } from './send-media.ts'
import { draftTemplate, type TemplateRequest } from './send-template.ts'
import { draftText, type TextRequest } from './send-text.ts'

/** What a caller wants to send. */
export type SendRequest =
  | { kind: 'text'; body: TextRequest }
  | { kind: 'template'; body: TemplateRequest }
  | { kind: 'media'; body: MediaRequest }
  | { kind: 'interactive'; body: InteractiveRequest }

/** Checks a request in full and makes it ready for the platform. */
export function draftMessage(rt: Runtime, sender: Sender, request: SendRequest): Promise<Draft> {
  switch (request.kind) {
    case 'text':
      return draftText(rt, sender, request.body)
    case 'template':
      return draftTemplate(rt, sender, request.body)
    case 'media':
      return draftMedia(rt, sender, request.body)
    case 'interactive':
      return draftInteractive(rt, sender, request.body)
  }
}
