import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../../api.ts'
import { Button } from '../../../components/form/button.tsx'
import { Field, TextArea } from '../../../components/form/field.tsx'
import { useSubmit } from '../../../components/form/use-submit.ts'
import { Dialog } from '../../../components/overlay/dialog.tsx'
import { FailureNotice } from '../../../components/state.tsx'
import type { SavedReply } from './saved-reply.ts'
import { useSavedReplies } from './use-saved-replies.ts'

/** Below which word which text stands; changed and deleted here. */
export function SavedRepliesDialog({ onClose }: { onClose: () => void }) {
  const { data } = useSavedReplies()
  const [edited, setEdited] = useState<SavedReply | 'new' | null>(null)
  if (edited) return <EditDialog reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
  const replies = data?.saved_replies ?? []
  return (
    <Dialog
      title="Saved replies"
      onClose={onClose}
      foot={
        <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
          Add a reply
        </Button>
      }
    >
      {replies.length === 0 && <p className="muted">Save a text once, then type / and its shortcut to insert it.</p>}
      <ul className="saved-replies">
        {replies.map((reply) => (
          <li key={reply.saved_reply_id}>
            <button type="button" className="saved-reply" onClick={() => setEdited(reply)}>
              <code>/{reply.shortcut}</code>
              <span dir="auto">{reply.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function EditDialog({ reply, onClose }: { reply: SavedReply | null; onClose: () => void }) {
  const client = useQueryClient()
  const [shortcut, setShortcut] = useState(reply?.shortcut ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const done = async () => {
    await client.invalidateQueries({ queryKey: ['inbox', 'saved-replies'] })
    onClose()
  }
  const params = { path: { saved_reply_id: reply?.saved_reply_id ?? '' } }
  const save = useSubmit(async () => {
    const body = { shortcut: shortcut.trim().replace(/^\//, ''), text }
    if (reply) await call(api.PUT('/console/api/saved-replies/{saved_reply_id}', { params, body }))
    else await call(api.POST('/console/api/saved-replies', { body }))
    await done()
  })
  const remove = useSubmit(async () => {
    await call(api.DELETE('/console/api/saved-replies/{saved_reply_id}', { params }))
    await done()
  })
  return (
    <Dialog
      title={reply ? `Change /${reply.shortcut}` : 'Add a saved reply'}
      onClose={onClose}
      onSubmit={save.onSubmit}
      foot={
        <>
          {reply && (
            <Button kind="danger" busy={remove.busy} onClick={() => void remove.submit()}>
              Delete
            </Button>
          )}
          <Button kind="primary" type="submit" busy={save.busy}>
            Save
          </Button>
        </>
      }
    >
      <div className="form">
        <Field
          label="Word"
          value={shortcut}
          hint="Typed after /, for example hours. Letters, digits, - and _."
          error={save.errorOf('shortcut')}
          onChange={(event) => setShortcut(event.target.value)}
        />
        <TextArea
          label="Text"
          dir="auto"
          value={text}
          hint="{{name}} becomes the name of the customer."
          error={save.errorOf('text')}
          onChange={(event) => setText(event.target.value)}
        />
        <FailureNotice failure={save.general ?? remove.failure} />
      </div>
    </Dialog>
  )
}
