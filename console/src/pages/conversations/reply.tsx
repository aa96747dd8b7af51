import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { sendableFiles } from '../../accepted-files.ts'
import { Button } from '../../components/form/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { TemplateDialog } from '../../components/message/template-dialog.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { Notice } from '../../components/state.tsx'
import { AnswerFailure } from './answer-failure.tsx'
import type { Conversation } from './conversations-query.ts'
import { lengthNote } from './length-note.ts'
import { OwnedElsewhere, OwnerNote } from './owner.tsx'
import { QuestionDialog } from './question-dialog.tsx'
import { takesCaption, useAnswer } from './use-answer.ts'

/** Answers leave from the number the customer wrote to. Outside the window only a template can. */
export function Reply({ conversation, onSent }: { conversation: Conversation; onSent: () => void }) {
  const [dialog, setDialog] = useState<'template' | 'question' | null>(null)
  const [isAnyway, setAnyway] = useState(false)
  const { customer, number, window, control } = conversation
  const place = { to: customer, from: number?.id, onSent }
  return (
    <div className="reply">
      <OwnerNote conversation={conversation} />
      {window.free_form && control.owner === 'other' && !isAnyway ? (
        <OwnedElsewhere
          conversation={conversation}
          onTemplate={() => setDialog('template')}
          onAnyway={() => setAnyway(true)}
        />
      ) : window.free_form ? (
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

type FreeFormProps = {
  to: string
  from: string | undefined
  onSent: () => void
  onTemplate: () => void
  onQuestion: () => void
}

function FreeForm({ to, from, onSent, onTemplate, onQuestion }: FreeFormProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const { text, setText, sending, file, setFile, field, form } = useAnswer(to, from, onSent)

  const note = lengthNote(text, takesCaption(file))

  function onKey(event: KeyboardEvent): void {
    // While a character is composed, Enter chooses it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void form.submit()
  }

  return (
    <form className="reply-form" onSubmit={form.onSubmit}>
      {file && <ChosenFile file={file} onRemove={() => setFile(null)} />}
      {file && !takesCaption(file) && text.trim() !== '' && (
        <p className="muted small">Audio has no caption: the text is sent after it, as a separate message.</p>
      )}
      <AnswerFailure failure={form.failure} />
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
            { label: 'A question with reply buttons…', icon: 'list', onSelect: onQuestion },
          ]}
        />
        <textarea
          ref={field}
          className="input reply-text"
          aria-label="Reply"
          placeholder={takesCaption(file) ? 'Add a caption…' : 'Write a reply…'}
          dir="auto"
          rows={2}
          aria-invalid={note?.isOver}
          aria-describedby={note ? noteId : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        <Button kind="primary" icon="arrow" type="submit" busy={form.busy}>
          Send
        </Button>
      </div>
      {note && (
        <p id={noteId} className={note.isOver ? 'field-error' : 'muted small'} role="status">
          {note.text}
        </p>
      )}
      <p className="muted small reply-hint">Enter sends the message; Shift+Enter starts a new line.</p>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={sendableFiles}
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null)
          event.target.value = ''
          // What comes next is a caption, or Enter; the menu had given the focus back to its button.
          field.current?.focus()
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
