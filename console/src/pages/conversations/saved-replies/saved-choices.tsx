import { type KeyboardEvent, useState } from 'react'
import { filledIn, matching, type SavedReply } from './saved-reply.ts'
import { useSavedReplies } from './use-saved-replies.ts'

export type SavedChoice = {
  found: readonly SavedReply[]
  at: number
  choose: (reply: SavedReply) => void
  onKey: (event: KeyboardEvent) => boolean
}

/** What is offered while `/` and a word stand alone in the field: arrows move, Enter or Tab puts the text there. */
export function useSavedChoice(text: string, name: string | null, onChoose: (text: string) => void): SavedChoice {
  const isAsking = text.startsWith('/')
  const { data } = useSavedReplies()
  const [at, setAt] = useState(0)
  const found = isAsking ? matching(data?.saved_replies ?? [], text) : []
  const chosen = Math.min(at, found.length - 1)
  const choose = (reply: SavedReply) => {
    setAt(0)
    onChoose(filledIn(reply.text, name))
  }
  function onKey(event: KeyboardEvent): boolean {
    const reply = found[chosen]
    if (!reply) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + found.length) % found.length)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(reply)
    else return false
    event.preventDefault()
    return true
  }
  return { found, at: chosen, choose, onKey }
}

export function SavedChoices({ saved: { found, at, choose } }: { saved: SavedChoice }) {
  if (found.length === 0) return null
  return (
    <ul className="saved-choices" aria-label="Saved replies">
      {found.map((reply, index) => (
        <li key={reply.saved_reply_id}>
          <button type="button" className="saved-reply" data-chosen={index === at} onClick={() => choose(reply)}>
            <code>/{reply.shortcut}</code>
            <span dir="auto">{reply.text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
