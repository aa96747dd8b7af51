import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../components/form/button.tsx'
import { Field, TextArea } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Bubble } from '../../components/message/bubble.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'

const repliesMax = 10
const buttonsMax = 3

/** A question with replies to tap: buttons up to three, a list beyond. It waits when the dialog is closed by accident. */
export function QuestionDialog({ to, from, onClose }: { to: string; from: string | undefined; onClose: () => void }) {
  const client = useQueryClient()
  const { user } = useSession()
  const [draft, keep] = useKeptDraft(user.id, `question.${to}`, { body: '', replies: ['', ''] })
  const { body, replies } = draft
  const fields = useRef<HTMLDivElement>(null)
  const given = replies.map((reply) => reply.trim()).filter((reply) => reply !== '')
  const form = useSubmit(async () => {
    const message = { to, ...(from ? { from } : {}), type: 'quick_replies' as const, body, replies: given }
    await sendMessage({ kind: 'interactive', body: message })
    await client.invalidateQueries({ queryKey: ['conversations'] })
    discard()
    toast('Sent')
  })
  function discard(): void {
    keep(null)
    onClose()
  }
  function add(): void {
    flushSync(() => keep({ body, replies: [...replies, ''] }))
    Array.from(fields.current?.querySelectorAll('input') ?? [])
      .at(-1)
      ?.focus()
  }
  return (
    <Dialog
      title="Ask with replies to tap"
      onClose={onClose}
      onSubmit={form.onSubmit}
      foot={
        <>
          <Button onClick={discard}>{buttons.cancel}</Button>
          <Button kind="primary" icon="arrow" type="submit" busy={form.busy}>
            Send question
          </Button>
        </>
      }
    >
      <div className="form" ref={fields}>
        <TextArea
          label="Question"
          dir="auto"
          maxLength={1_024}
          value={body}
          error={form.errorOf('body')}
          onChange={(event) => keep({ body: event.target.value, replies })}
        />
        {replies.map((reply, index) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: replies never change places
            key={index}
            label={`Reply ${index + 1}`}
            dir="auto"
            maxLength={20}
            value={reply}
            error={form.errorOf(`replies[${index}]`)}
            onChange={(event) => keep({ body, replies: replies.with(index, event.target.value) })}
          />
        ))}
        {replies.length < repliesMax && (
          <Button icon="plus" onClick={add}>
            Add a reply
          </Button>
        )}
        {given.length > buttonsMax && <p className="muted small">More than three replies are shown as a list.</p>}
        <FailureNotice failure={form.general ?? (form.errorOf('replies') ? form.failure : null)} />
      </div>
      <div className="screen">
        <Bubble
          type="interactive"
          side="business"
          content={{
            interactive: {
              kind: given.length > buttonsMax ? 'list' : 'buttons',
              body: body || 'Your question',
              buttons: given.length > buttonsMax ? [] : given.map((title, index) => ({ id: `${index}`, title })),
              button: 'Options',
              sections: [{ title: null, rows: given.map((title, index) => ({ id: `${index}`, title })) }],
            },
          }}
        />
      </div>
    </Dialog>
  )
}
