import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/form/button.tsx'
import { Field } from '../../../components/form/field.tsx'
import { Dialog } from '../../../components/overlay/dialog.tsx'
import { conversationAddress } from '../../../conversation-address.ts'

const number = /^\+[1-9]\d{6,14}$/
const userId = /^[A-Z]{2}\.[0-9A-Za-z.]{1,128}$/

/** To a customer who may never have written. */
export function NewMessageDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation()
  const [address, setAddress] = useState('')
  const [hasTried, setTried] = useState(false)
  const written = address.trim()
  const digits = written.replace(/[\s().-]/g, '').replace(/^00/, '+')
  const to = userId.test(written) ? written : digits.startsWith('+') ? digits : `+${digits}`
  const isValid = userId.test(to) || number.test(to)
  return (
    <Dialog
      title="New message"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isValid) return
        onClose()
        go(conversationAddress(to))
      }}
      foot={
        <Button kind="primary" type="submit" icon="arrow">
          Continue
        </Button>
      }
    >
      <div className="form">
        <Field
          label="Phone number of the customer"
          inputMode="tel"
          autoFocus
          value={address}
          hint="With + and the country code. The first message is a template, unless they wrote within 24 hours."
          error={
            hasTried && !isValid
              ? 'Write the number with + and the country code, for example +351912345678.'
              : undefined
          }
          onChange={(event) => setAddress(event.target.value)}
        />
      </div>
    </Dialog>
  )
}
