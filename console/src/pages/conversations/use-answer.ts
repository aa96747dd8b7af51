import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type ApiFailure, toFailure, uploadFile } from '../../api.ts'
import { useKeptDraft, useKeptFile, useWarnBeforeUnload } from '../../drafts.ts'
import { noticeSignOut } from '../../query-client.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'
import { lengthNote } from './length-note.ts'

/** A message that was written and is not sent yet. */
export type Pending = { key: number; text: string; file: File | null; replyTo: string | null }

/** What is on its way to a customer, also after their conversation was left. */
const underWay = new Map<string, Pending[]>()
let keys = 0

const draftOf = (pending: readonly Pending[], text: string) =>
  [...pending.map((one) => one.text), text].filter(Boolean).join('\n')

/**
 * What is written, kept until it is sent; a file goes first, with the text as its caption, or with the text behind it where
 * it has none. The box is free for the next one while messages are under way: they leave one after another. If one is
 * rejected, it and those behind it come back into the box.
 */
export function useAnswer(to: string, from: string | undefined, onSent: () => void) {
  const client = useQueryClient()
  const { user } = useSession()
  const [kept, keep] = useKeptDraft(user.id, `conversation.${to}`, '')
  const [pending, setPending] = useState(() => underWay.get(to) ?? [])
  const [text, setText] = useState(() => withoutPending(kept, pending))
  const [file, setFile] = useKeptFile(user.id, `conversation.${to}`)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  useWarnBeforeUnload(file !== null || pending.length > 0)
  const field = useRef<HTMLTextAreaElement>(null)
  const written = useRef(text)

  function show(next: readonly Pending[], words: string): void {
    if (next.length > 0) underWay.set(to, [...next])
    else underWay.delete(to)
    written.current = words
    setPending([...next])
    setText(words)
    keep(draftOf(next, words) || null)
  }

  async function submit(replyTo: string | null): Promise<void> {
    const words = written.current
    if ((!file && words.trim() === '') || lengthNote(words, takesCaption(file))?.isOver) return
    const queued = underWay.get(to) ?? []
    setFailure(null)
    show([...queued, { key: ++keys, text: words, file, replyTo }], '')
    setFile(null)
    onSent()
    field.current?.focus()
    if (queued.length === 0) await sendInTurn()
  }

  async function sendInTurn(): Promise<void> {
    for (let next = underWay.get(to)?.[0]; next; next = underWay.get(to)?.[0]) {
      const progress = { file: next.file }
      try {
        await send(next, { to, ...(from ? { from } : {}) }, progress)
      } catch (error) {
        const left = underWay.get(to) ?? []
        show([], draftOf(left, written.current))
        if (progress.file) setFile(progress.file)
        setFailure(toFailure(error))
        noticeSignOut(error)
        return
      }
      await client.invalidateQueries({ queryKey: ['conversations'] })
      show((underWay.get(to) ?? []).slice(1), written.current)
    }
    void client.invalidateQueries({ queryKey: ['inbox'] })
  }

  return {
    text,
    setText: (next: string) => show(underWay.get(to) ?? [], next),
    pending,
    failure,
    file,
    setFile,
    field,
    submit,
  }
}

async function send(
  { text, file, replyTo }: Pending,
  place: { to: string; from?: string },
  progress: { file: File | null },
): Promise<void> {
  const message = text.trim()
  const quote = replyTo ? { reply_to: replyTo } : {}
  if (file) {
    const { media_id, type } = await uploadFile(file)
    if (type === 'sticker') throw new Error('Stickers cannot be sent from the console. Choose a PNG or JPEG image.')
    const isCaption = type !== 'audio'
    const caption = message && isCaption ? { caption: message } : {}
    await sendMessage({ kind: 'media', body: { ...place, ...quote, type, media_id, ...caption } })
    // If the text is refused, the file must not be sent a second time with it.
    progress.file = null
    if (isCaption || message === '') return
  }
  await sendMessage({ kind: 'text', body: { ...place, ...quote, message } })
}

/** A conversation that is opened again while its messages leave shows what was written behind them. */
function withoutPending(kept: string, pending: readonly Pending[]): string {
  const before = draftOf(pending, '')
  return before !== '' && kept.startsWith(before) ? kept.slice(before.length).replace(/^\n/, '') : kept
}

/** WhatsApp shows no text with audio. What the browser takes for audio is only a guess, for what is said beforehand. */
export function takesCaption(file: File | null): boolean {
  return file !== null && !file.type.startsWith('audio/')
}
