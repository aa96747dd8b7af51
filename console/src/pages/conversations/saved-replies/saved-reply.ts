import type { Schemas } from '../../../api.ts'

export type SavedReply = Schemas['SavedReply']

/** Without a name the place for it goes, with the space before it. */
export function filledIn(text: string, name: string | null): string {
  return text.replaceAll(/[^\S\n]?\{\{\s*name\s*\}\}/g, (place) =>
    name ? `${/^\s/.test(place) ? ' ' : ''}${name}` : '',
  )
}

const shownMax = 6

/** What the word after `/` fits, at the start of the text: by the beginning of the word first, then by a part of the text. */
export function matching(replies: readonly SavedReply[], text: string): SavedReply[] {
  const word = /^\/([\p{L}\p{N}_-]*)$/u.exec(text)?.[1]?.toLowerCase()
  if (word === undefined) return []
  const starts = replies.filter(({ shortcut }) => shortcut.startsWith(word))
  const others = replies.filter((one) => !starts.includes(one) && one.text.toLowerCase().includes(word))
  return [...starts, ...others].slice(0, shownMax)
}
