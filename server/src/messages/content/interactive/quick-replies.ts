import type { ReplyButton } from '../../../contract/messages/interactive-content.ts'

export const buttonsMax = 3

export function rendersAsButtons(replies: readonly string[]): boolean {
  return replies.length <= buttonsMax
}

/** Ids a receiver can read in its code: `Another day` answers as `another_day`. */
export function repliesOf(labels: readonly string[]): ReplyButton[] {
  const taken = new Set<string>()
  return labels.map((title, index) => {
    const base = slugOf(title) || `reply_${index + 1}`
    let id = base
    for (let copy = 2; taken.has(id); copy++) id = `${base}_${copy}`
    taken.add(id)
    return { id, title }
  })
}

function slugOf(label: string): string {
  // Letters of every script stay; accents come off, so that `Não` and `Nao` read alike in code.
  const plain = label
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '')
}
