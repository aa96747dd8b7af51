import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Bubble } from '../../components/message/bubble.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'

type Message = Schemas['ConsoleMessageDetail']

/** A new message with the same words: the customer gets it a second time, which is said before. */
export function SendAgainDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const [, go] = useLocation()
  const [to, setTo] = useState(message.customer ?? '')
  const form = useSubmit(async () => {
    const path = { message_id: message.own_id } as never
    const sent = await call(api.POST('/console/api/messages/{message_id}/again', { params: { path }, body: { to } }))
    onClose()
    toast('Sent')
    go(`/messages/${encodeURIComponent(sent.message_id)}`)
  })
  const arrived = ['sent', 'delivered', 'read'].includes(message.status)
  return (
    <FormDialog title="Send again" act="Send message" {...{ form, onClose }}>
      {arrived && to === message.customer && (
        <Notice tone="warn" icon="alert">
          The first one was {message.status}. The customer gets the same message twice.
        </Notice>
      )}
      {message.unresolved && (
        <Notice tone="warn" icon="alert">
          It is not known whether the first message was sent. The customer may get it twice.
        </Notice>
      )}
      <Field
        label="To"
        value={to}
        error={form.errorOf('to')}
        onChange={(event) => setTo(event.target.value)}
        inputMode="tel"
      />
      {message.content && (
        <div className="screen">
          <Bubble type={message.type} content={message.content} side="business" />
        </div>
      )}
      <FailureNotice failure={form.general} />
    </FormDialog>
  )
}
