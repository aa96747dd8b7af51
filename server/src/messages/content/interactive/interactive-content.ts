import type { Interactive, NamedFile } from '../../../contract/messages/interactive-content.ts'
import { formOf } from './forms.ts'
import type { InteractiveRequest } from './interactive-request.ts'

/** What is kept of an interactive message. */
export type InteractiveContent = Interactive<NamedFile>

/** Turns a checked request into what is sent. */
export function interactiveContent(request: InteractiveRequest): InteractiveContent {
  const { header = null, body = null, footer = null } = request
  return { ...formOf(request).content(request), header, body, footer }
}
