import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TextArea } from '../../../components/form/field.tsx'
import { DueField, dueInstant } from '../../../components/form/send-later.tsx'
import { useSubmit } from '../../../components/form/use-submit.ts'
import { FormDialog } from '../../../components/overlay/form-dialog.tsx'
import { toast } from '../../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../../components/state.tsx'
import { ExactTime } from '../../../components/time.tsx'
import { sendMessage } from '../../../send-message.ts'
import { lengthNote } from '../length-note.ts'

type LaterProps = {
  to: string
  from: string | undefined
  /** When the customer's window closes. */
  closesAt: string | null
  text: string
  onText: (text: string) => void
  onSent: () => void
  onClose: () => void
}

/** Plans what is written. It stays in the box of the conversation until it is planned. */
export function LaterDialog({ to, from, closesAt, text, onText, onSent, onClose }: LaterProps) {
  const client = useQueryClient()
  const [due, setDue] = useState('')
  const [hasTried, setTried] = useState(false)
  const sendAt = dueInstant(due)
  const isTooLate = sendAt !== null && closesAt !== null && sendAt >= closesAt
  const note = lengthNote(text, false)
  const missing = hasTried && text.trim() === '' ? 'Write the message.' : undefined
  const form = useSubmit(async () => {
    setTried(true)
    if (sendAt === null || text.trim() === '' || note?.isOver) return
    await sendMessage({ kind: 'text', body: { to, ...(from ? { from } : {}), message: text.trim(), send_at: sendAt } })
    onText('')
    onSent()
    await client.invalidateQueries({ queryKey: ['conversations'] })
    onClose()
    toast('Planned')
  })
  return (
    <FormDialog title="Send later" act="Plan message" icon="clock" {...{ form, onClose }}>
      <div className="form">
        <TextArea
          label="Message"
          dir="auto"
          value={text}
          error={form.errorOf('message') ?? (note?.isOver ? note.text : missing)}
          onChange={(event) => onText(event.target.value)}
        />
        <DueField value={due} error={form.errorOf('send_at')} isMissing={hasTried} onChange={setDue} />
        {isTooLate && (
          <Notice tone="warn" icon="alert">
            <p>
              The customer's window closes on <ExactTime at={closesAt} />. Unless they write again before, this message
              will fail. Plan a template instead.
            </p>
          </Notice>
        )}
        <FailureNotice failure={form.general} />
      </div>
    </FormDialog>
  )
}
