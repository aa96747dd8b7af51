import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { magicRecipients } from './magic-recipients.ts'

type DialogProps = { numberId: string; onClose: () => void; onAdded: (phone: string) => void }

export function CustomerDialog({ numberId, onClose, onAdded }: DialogProps) {
  const client = useQueryClient()
  const [name, setName] = useState('Bruno')
  const [phone, setPhone] = useState('+351912345678')
  const form = useSubmit(async () => {
    const customer = phone.replace(/[ \-.()]/g, '')
    await call(api.POST('/console/api/sandbox/customers', { body: { number_id: numberId, customer, name } }))
    await client.invalidateQueries({ queryKey: ['sandbox'] })
    onClose()
    onAdded(customer)
  })
  return (
    <FormDialog title="New customer" act="Add customer" {...{ form, onClose }}>
      <div className="form">
        <Field
          label="Name"
          value={name}
          error={form.errorOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Phone number"
          inputMode="tel"
          value={phone}
          error={form.errorOf('customer')}
          onChange={(event) => setPhone(event.target.value)}
        />
        <FailureNotice failure={form.general} />
      </div>
      <div className="stack stack-tight">
        <h3>Customers with a fixed behaviour</h3>
        <ul className="plain-list card">
          {magicRecipients.map(({ phone: magic, fate }) => (
            <li key={magic} className="row">
              <button type="button" className="link-button mono" onClick={() => setPhone(magic)}>
                {magic}
              </button>
              <span className="muted">{fate}</span>
            </li>
          ))}
        </ul>
      </div>
    </FormDialog>
  )
}
