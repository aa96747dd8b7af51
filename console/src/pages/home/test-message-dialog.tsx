import { useState } from 'react'
import { useLocation } from 'wouter'
import { CodeBlock } from '../../components/code-block.tsx'
import { Field, TextArea } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { postSamples } from '../../samples.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'

/** One text, as a service would send it, and the call that sends it. */
export function TestMessageDialog({ onClose }: { onClose: () => void }) {
  const { account } = useSession()
  const world = useSampleWorld()
  const [, go] = useLocation()
  const [to, setTo] = useState(account.sandbox ? '+12025550100' : '')
  const [message, setMessage] = useState('Hello from Postern')
  const form = useSubmit(async () => {
    const id = await sendMessage({ kind: 'text', body: { to, message } })
    onClose()
    toast('Sent')
    go(`/messages/${encodeURIComponent(id)}`)
  })
  return (
    <FormDialog title="Send a test message" act="Send message" {...{ form, onClose }}>
      <div className="form">
        <Field
          label="To"
          inputMode="tel"
          value={to}
          error={form.errorOf('to')}
          hint={account.sandbox ? 'This customer of the sandbox reads everything.' : 'With + and the country code.'}
          onChange={(event) => setTo(event.target.value)}
        />
        <TextArea
          label="Message"
          value={message}
          maxLength={4_096}
          error={form.errorOf('message')}
          onChange={(event) => setMessage(event.target.value)}
        />
        <FailureNotice failure={form.general} />
      </div>
      <CodeBlock samples={postSamples(world, '/v1/chat/messages/send', { to, message })} />
    </FormDialog>
  )
}
