import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadFile } from '../../api.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useKeptDraft, useKeptFile, useWarnBeforeUnload } from '../../drafts.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'
import { lengthNote } from './length-note.ts'

/**
 * What is written, kept until it is sent; a file goes first, with the text as its caption, or with the text behind it where
 * it has none. The box is free for the next one while a message is under way, which until then stays the first part of
 * what is kept.
 */
export function useAnswer(to: string, from: string | undefined, onSent: () => void) {
  const client = useQueryClient()
  const { user } = useSession()
  const [kept, keep] = useKeptDraft(user.id, `conversation.${to}`, '')
  const [sending, setSending] = useState('')
  const [file, setFile] = useKeptFile(user.id, `conversation.${to}`)
  useWarnBeforeUnload(file !== null)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = kept.slice(sending.length)
  const written = useRef(text)
  written.current = text
  const send = async () => {
    const message = text.trim()
    const place = { to, ...(from ? { from } : {}) }
    if (file) {
      const { media_id, type } = await uploadFile(file)
      if (type === 'sticker') throw new Error('Stickers cannot be sent from the console. Choose a PNG or JPEG image.')
      const isCaption = type !== 'audio'
      const caption = message && isCaption ? { caption: message } : {}
      await sendMessage({ kind: 'media', body: { ...place, type, media_id, ...caption } })
      // At once: if the text is refused, the file must not be sent a second time with it.
      setFile(null, file)
      if (isCaption || message === '') return
    }
    await sendMessage({ kind: 'text', body: { ...place, message } })
  }
  const form = useSubmit(async () => {
    if ((!file && text.trim() === '') || lengthNote(text, takesCaption(file))?.isOver) return
    setSending(text)
    // What the box holds again when the message was refused: it, and below it what was written since.
    let left = (since: string) => [text, since].filter(Boolean).join('\n')
    try {
      await send()
      left = (since) => since
      onSent()
    } finally {
      setSending('')
      keep(left(written.current) || null)
    }
    await client.invalidateQueries({ queryKey: ['conversations'] })
    field.current?.focus()
  })
  return { text, setText: (next: string) => keep(sending + next), sending, file, setFile, field, form }
}

/** WhatsApp shows no text with audio. What the browser takes for audio is only a guess, for what is said beforehand. */
export function takesCaption(file: File | null): boolean {
  return file !== null && !file.type.startsWith('audio/')
}
