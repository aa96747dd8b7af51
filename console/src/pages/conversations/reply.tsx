import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { sendableFiles } from '../../accepted-files.ts'
import { uploadFile } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon } from '../../components/icon.tsx'
import { TemplateDialog } from '../../components/message/template-dialog.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'
import type { Conversation } from './conversations-query.ts'
import { QuestionDialog } from './question-dialog.tsx'

/** Answers leave from the number the customer wrote to. Outside the window only a template can. */
export function Reply({ conversation }: { conversation: Conversation }) {
  const [dialog, setDialog] = useState<'template' | 'question' | null>(null)
  const { customer, number, window } = conversation
  const place = { to: customer, from: number?.id }
  return (
    <div className="reply">
      {window.free_form ? (
        <FreeForm {...place} onTemplate={() => setDialog('template')} onQuestion={() => setDialog('question')} />
      ) : (
        <div className="row reply-closed">
          <Notice tone="warn" icon="lock">
            The customer has not written within 24 hours, so WhatsApp accepts only templates.
          </Notice>
          <Button kind="primary" icon="template" onClick={() => setDialog('template')}>
            Send a template
          </Button>
        </div>
      )}
      {dialog === 'template' && <TemplateDialog {...place} onClose={() => setDialog(null)} />}
      {dialog === 'question' && <QuestionDialog {...place} onClose={() => setDialog(null)} />}
    </div>
  )
}

/**
 * What is written, kept until it is sent; a file goes first, with the text as its caption. The box is free for the next one
 * while a message is under way, which until then stays the first part of what is kept.
 */
function useAnswer(to: string, from: string | undefined) {
  const client = useQueryClient()
  const { user } = useSession()
  const [kept, keep] = useKeptDraft(user.id, `conversation.${to}`, '')
  const [sending, setSending] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = kept.slice(sending.length)
  const written = useRef(text)
  written.current = text
  const send = async () => {
    const message = text.trim()
    const place = { to, ...(from ? { from } : {}) }
    if (file) {
      const { media_id, type } = await uploadFile(file)
      if (type === 'sticker') throw new Error('Stickers cannot be sent by hand. Choose a PNG or JPEG picture.')
      const caption = message && type !== 'audio' ? { caption: message } : {}
      await sendMessage({ kind: 'media', body: { ...place, type, media_id, ...caption } })
    } else await sendMessage({ kind: 'text', body: { ...place, message } })
  }
  const form = useSubmit(async () => {
    if (!file && text.trim() === '') return
    setSending(text)
    // What the box holds again when the message was refused: it, and below it what was written since.
    let left = (since: string) => [text, since].filter(Boolean).join('\n')
    try {
      await send()
      left = (since) => since
      setFile((now) => (now === file ? null : now))
    } finally {
      setSending('')
      keep(left(written.current) || null)
    }
    await client.invalidateQueries({ queryKey: ['conversations'] })
    field.current?.focus()
  })
  return { text, setText: (next: string) => keep(sending + next), sending, file, setFile, field, form }
}

type FreeFormProps = { to: string; from: string | undefined; onTemplate: () => void; onQuestion: () => void }

function FreeForm({ to, from, onTemplate, onQuestion }: FreeFormProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const { text, setText, sending, file, setFile, field, form } = useAnswer(to, from)

  function onKey(event: KeyboardEvent): void {
    // While a character is composed, Enter chooses it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void form.submit()
  }

  return (
    <form className="reply-form" onSubmit={form.onSubmit}>
      {file && <ChosenFile file={file} onRemove={() => setFile(null)} />}
      <FailureNotice failure={form.failure} />
      {sending && (
        <p className="muted small reply-sending" role="status" dir="auto">
          Sending: {sending}
        </p>
      )}
      <div className="reply-line">
        <Menu
          label="Attach or choose"
          trigger={<Icon name="plus" size={18} />}
          items={[
            { label: 'A file…', icon: 'clip', onSelect: () => chooser.current?.click() },
            { label: 'A template…', icon: 'template', onSelect: onTemplate },
            { label: 'A question with replies…', icon: 'list', onSelect: onQuestion },
          ]}
        />
        <textarea
          ref={field}
          className="input reply-text"
          aria-label="Answer"
          placeholder={file ? 'Add a caption…' : 'Write an answer…'}
          dir="auto"
          rows={2}
          maxLength={4_096}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        <Button kind="primary" icon="arrow" type="submit" busy={form.busy}>
          Send
        </Button>
      </div>
      <p className="muted small reply-hint">Enter sends the message; Shift+Enter starts a new line.</p>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={sendableFiles}
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null)
          event.target.value = ''
        }}
      />
    </form>
  )
}

function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <p className="reply-file">
      <Icon name="clip" size={16} />
      <span className="reply-file-name">{file.name}</span>
      <Button kind="quiet" icon="close" label={`Remove ${file.name}`} onClick={onRemove} />
    </p>
  )
}
