import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../components/form/button.tsx'
import { Field, TextArea } from '../../../components/form/field.tsx'
import { useSubmit } from '../../../components/form/use-submit.ts'
import { Bubble } from '../../../components/message/bubble.tsx'
import { FormDialog } from '../../../components/overlay/form-dialog.tsx'
import { toast } from '../../../components/overlay/toast.tsx'
import { FailureNotice } from '../../../components/state.tsx'
import { useKeptDraft } from '../../../drafts.ts'
import { sendMessage } from '../../../send-message.ts'
import { useSession } from '../../../session.ts'

const repliesMax = 10
const buttonsMax = 3

type QuestionProps = { to: string; from: string | undefined; onSent: () => void; onClose: () => void }

/** A question with replies to tap: buttons up to three, a list beyond. It waits when the dialog is closed by accident. */
export function QuestionDialog({ to, from, onSent, onClose }: QuestionProps) {
  const client = useQueryClient()
  const { user } = useSession()
  const [draft, keep] = useKeptDraft(user.id, `question.${to}`, { body: '', replies: ['', ''] })
  const { body, replies } = draft
  const given = replies.map((reply) => reply.trim()).filter((reply) => reply !== '')
  const form = useSubmit(async () => {
    const message = { to, ...(from ? { from } : {}), type: 'quick_replies' as const, body, replies: given }
    await sendMessage({ kind: 'interactive', body: message })
    onSent()
    await client.invalidateQueries({ queryKey: ['conversations'] })
    discard()
    toast('Sent')
  })
  function discard(): void {
    keep(null)
    onClose()
  }
  return (
    <FormDialog
      title="Ask with reply buttons"
      act="Send question"
      icon="arrow"
      {...{ form, onClose }}
      onCancel={discard}
    >
      <div className="form">
        <TextArea
          label="Question"
          dir="auto"
          maxLength={1_024}
          value={body}
          error={form.errorOf('body')}
          onChange={(event) => keep({ body: event.target.value, replies })}
        />
        <ReplyFields
          replies={replies}
          errorOf={(index) => form.errorOf(`replies[${index}]`)}
          onChange={(next) => keep({ body, replies: next })}
        />
        {given.length > buttonsMax && <p className="muted small">More than three replies are shown as a list.</p>}
        <FailureNotice failure={form.general ?? (form.errorOf('replies') ? form.failure : null)} />
      </div>
      <QuestionPreview body={body} replies={given} />
    </FormDialog>
  )
}

type ReplyFieldsProps = {
  replies: readonly string[]
  errorOf: (index: number) => string | undefined
  onChange: (replies: string[]) => void
}

function ReplyFields({ replies, errorOf, onChange }: ReplyFieldsProps) {
  const last = useRef<HTMLInputElement>(null)
  function add(): void {
    flushSync(() => onChange([...replies, '']))
    last.current?.focus()
  }
  return (
    <>
      {replies.map((reply, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: replies never change places
          key={index}
          ref={index === replies.length - 1 ? last : null}
          label={`Reply ${index + 1}`}
          dir="auto"
          maxLength={20}
          value={reply}
          error={errorOf(index)}
          onChange={(event) => onChange(replies.with(index, event.target.value))}
        />
      ))}
      {replies.length < repliesMax && (
        <Button icon="plus" onClick={add}>
          Add a reply
        </Button>
      )}
    </>
  )
}

function QuestionPreview({ body, replies }: { body: string; replies: readonly string[] }) {
  const isList = replies.length > buttonsMax
  const rows = replies.map((title, index) => ({ id: `${index}`, title }))
  const interactive = {
    kind: isList ? 'list' : 'buttons',
    body: body || 'Your question',
    buttons: isList ? [] : rows,
    button: 'Options',
    sections: [{ title: null, rows }],
  }
  return (
    <div className="screen">
      <Bubble type="interactive" side="business" content={{ interactive }} />
    </div>
  )
}
