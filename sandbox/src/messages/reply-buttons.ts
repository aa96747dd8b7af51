import { invalid } from '../http/errors.ts'
import { list, record } from '../http/json.ts'
import { atMost, requiredObject, requiredText } from '../templates/rule-helpers.ts'

/** Buttons whose tap comes back with their id: under a message, or on a card. */
export function checkReplyButtons(type: 'reply' | 'quick_reply', given: unknown): void {
  const buttons = list(given)
  if (buttons.length < 1 || buttons.length > 3) {
    throw invalid('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3')
  }
  const ids = new Set<string>()
  const titles = new Set<string>()
  for (const button of buttons) {
    if (record(button).type !== type) throw invalid(`Button type must be ${type}`)
    const reply = requiredObject(`button.${type}`, record(button)[type])
    const id = requiredText(`button.${type}.id`, reply.id)
    const title = requiredText(`button.${type}.title`, reply.title)
    atMost('button reply id', id, 256)
    atMost('button reply title', title, 20)
    if (id !== id.trim()) throw invalid('Button reply id must not start or end with a space')
    if (ids.has(id) || titles.has(title)) throw invalid('Duplicated button reply id or title')
    ids.add(id)
    titles.add(title)
  }
}
