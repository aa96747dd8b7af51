import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { sendableFiles } from '../../accepted-files.ts'
import { Button } from '../../components/form/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { OnDemand } from '../../components/load/load-boundary.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { Notice } from '../../components/state.tsx'
import { AnswerFailure } from './answer-failure.tsx'
import { ChosenFile, PendingList, QuotedAbove } from './answer-parts.tsx'
import type { Conversation, ThreadMessage } from './conversations-query.ts'
import { LaterDialog, QuestionDialog, SavedRepliesDialog, TemplateDialog } from './dialogs/dialogs.ts'
import { lengthNote } from './length-note.ts'
import { OwnedElsewhere, OwnerNote } from './owner.tsx'
import { CollisionNote, PeopleHere, type Person, useCollision, usePresence } from './presence.tsx'
import { SavedChoices, useSavedChoice } from './saved-replies/saved-choices.tsx'
import { takesCaption, useAnswer } from './use-answer.ts'

type ReplyProps = {
  conversation: Conversation
  /** The message that is replied to. */
  quoted: ThreadMessage | null
  onQuoted: (message: ThreadMessage | null) => void
  onSent: () => void
}

/** Answers leave from the number the customer wrote to. Outside the window only a template can. */
export function Reply({ conversation, quoted, onQuoted, onSent }: ReplyProps) {
  const [dialog, setDialog] = useState<'template' | 'question' | 'saved' | null>(null)
  const [isAnyway, setAnyway] = useState(false)
  const { customer, name, number, window, control } = conversation
  const place = { to: customer, from: number?.id, onSent }
  const [text, setText] = useState('')
  const people = usePresence(customer, text)
  const close = () => setDialog(null)
  return (
    <div className="reply">
      <OwnerNote conversation={conversation} />
      <PeopleHere people={people} />
      {window.free_form && control.owner === 'other' && !isAnyway ? (
        <OwnedElsewhere
          conversation={conversation}
          onTemplate={() => setDialog('template')}
          onAnyway={() => setAnyway(true)}
        />
      ) : window.free_form ? (
        <FreeForm {...place} {...{ conversation, people, quoted, onQuoted }} onText={setText} onDialog={setDialog} />
      ) : (
        <div className="row reply-closed">
          <Notice tone="warn" icon="lock">
            The customer last wrote more than 24 hours ago, so WhatsApp accepts only templates.
          </Notice>
          <Button kind="primary" icon="template" data-inbox-key="t" onClick={() => setDialog('template')}>
            Send a template
          </Button>
        </div>
      )}
      {dialog !== null && (
        <OnDemand>
          {dialog === 'template' && <TemplateDialog {...place} customerName={name} onClose={close} />}
          {dialog === 'question' && <QuestionDialog {...place} onClose={close} />}
          {dialog === 'saved' && <SavedRepliesDialog onClose={close} />}
        </OnDemand>
      )}
    </div>
  )
}

type FreeFormProps = Pick<ReplyProps, 'quoted' | 'onQuoted' | 'onSent'> & {
  to: string
  from: string | undefined
  conversation: Conversation
  people: readonly Person[]
  onText: (text: string) => void
  onDialog: (dialog: 'template' | 'question' | 'saved') => void
}

function FreeForm({ to, from, conversation, people, quoted, onQuoted, onSent, onText, onDialog }: FreeFormProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const noteId = useId()
  const answer = useAnswer(to, from, onSent)
  const { text, setText, pending, failure, file, setFile, field } = answer
  const saved = useSavedChoice(text, conversation.name, setText)
  const collision = useCollision(conversation, text, people)
  const [warned, setWarned] = useState<string | null>(null)
  const [isLater, setIsLater] = useState(false)
  const note = lengthNote(text, takesCaption(file))

  useEffect(() => onText(text), [text, onText])

  useEffect(() => {
    if (quoted) field.current?.focus()
  }, [quoted, field])

  function submit(): void {
    // The second press sends: a warning is no lock.
    if (collision !== null && warned !== collision && (text.trim() !== '' || file)) {
      setWarned(collision)
      return
    }
    setWarned(null)
    void answer.submit(quoted?.id ?? null)
    onQuoted(null)
  }

  function onKey(event: KeyboardEvent): void {
    // While a character is composed, Enter chooses it.
    if (event.nativeEvent.isComposing || saved.onKey(event)) return
    if (event.key === 'Escape') onQuoted(null)
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }

  function takeFile(files: FileList | undefined): boolean {
    const [first] = files ?? []
    if (first) setFile(first)
    return first !== undefined
  }

  return (
    <>
      <form
        className="reply-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (takeFile(event.dataTransfer.files)) event.preventDefault()
        }}
      >
        {pending.length > 0 && <PendingList pending={pending} />}
        {quoted && <QuotedAbove quoted={quoted} onRemove={() => onQuoted(null)} />}
        {file && <ChosenFile file={file} onRemove={() => setFile(null)} />}
        {file && !takesCaption(file) && text.trim() !== '' && (
          <p className="muted small">Audio has no caption: the text is sent after it, as a separate message.</p>
        )}
        <AnswerFailure failure={failure} />
        {warned !== null && warned === collision && <CollisionNote sentence={warned} />}
        <SavedChoices saved={saved} />
        <div className="reply-line">
          <Menu
            label="Attach or choose"
            trigger={<Icon name="plus" size={18} />}
            items={[
              { label: 'A file…', icon: 'clip', onSelect: () => chooser.current?.click() },
              { label: 'A template…', icon: 'template', onSelect: () => onDialog('template') },
              { label: 'A question with reply buttons…', icon: 'list', onSelect: () => onDialog('question') },
              { label: 'Saved replies…', icon: 'message', onSelect: () => onDialog('saved') },
              { label: 'Send later…', icon: 'clock', onSelect: () => setIsLater(true) },
            ]}
          />
          <button
            type="button"
            hidden
            tabIndex={-1}
            aria-hidden="true"
            data-inbox-key="t"
            onClick={() => onDialog('template')}
          />
          <textarea
            ref={field}
            className="input reply-text"
            aria-label="Reply"
            data-inbox-key="r"
            placeholder={takesCaption(file) ? 'Add a caption…' : 'Write a reply…'}
            dir="auto"
            rows={2}
            aria-invalid={note?.isOver}
            aria-describedby={note ? noteId : undefined}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKey}
            onPaste={(event) => {
              if (takeFile(event.clipboardData.files)) event.preventDefault()
            }}
          />
          <Button kind="primary" icon="arrow" type="submit">
            Send
          </Button>
        </div>
        {note && (
          <p id={noteId} className={note.isOver ? 'field-error' : 'muted small'} role="status">
            {note.text}
          </p>
        )}
        <p className="muted small reply-hint">
          Enter sends the message; Shift+Enter starts a new line; / finds a saved reply.
        </p>
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
      {isLater && (
        <OnDemand>
          <LaterDialog
            {...{ to, from, text, onSent }}
            closesAt={conversation.window.expires_at}
            onText={setText}
            onClose={() => setIsLater(false)}
          />
        </OnDemand>
      )}
    </>
  )
}
