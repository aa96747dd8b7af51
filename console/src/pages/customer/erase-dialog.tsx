import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Facts } from '../../components/facts.tsx'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { download } from '../../components/table/download.ts'
import { ExactTime } from '../../components/time.tsx'

type Receipt = Schemas['ConsoleErasureReceipt']

type EraseDialogProps = { customer: string; onErased: () => void; onClose: () => void }

/** For good: it is asked for by writing the number, and ends with a receipt to keep. */
export function EraseDialog({ customer, onErased, onClose }: EraseDialogProps) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const form = useSubmit(async () => {
    if (typed.trim() !== customer) return
    setReceipt(await confirmed(() => call(api.POST('/console/api/customer/erase', { body: { customer } }))))
    onErased()
  })
  function leave(): void {
    // Nothing of the person is shown from memory, not even for a moment.
    for (const noun of ['conversations', 'messages', 'home', 'sandbox', 'blocked'])
      client.removeQueries({ queryKey: [noun] })
    go('/conversations')
  }
  if (receipt) return <ReceiptDialog receipt={receipt} onClose={leave} />
  return (
    <FormDialog
      title="Erase this customer?"
      act="Erase permanently"
      kind="danger"
      disabled={typed.trim() !== customer}
      {...{ form, onClose }}
    >
      <div className="form">
        <Notice tone="warn" icon="alert">
          All messages from and to this customer are erased, with their files, name, number and preferences. Statistics
          stay. This can&apos;t be undone.
        </Notice>
        <Field
          label={`Type ${customer} to confirm`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        <FailureNotice failure={form.failure} />
      </div>
    </FormDialog>
  )
}

function ReceiptDialog({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  const found = receipt.rows.filter(({ count }) => count > 0)
  const wordsOf = (table: string) => table.replaceAll('_', ' ')
  const waiting = [
    receipt.callbacks_waiting > 0 &&
      `Not complete: callbacks about this customer are still waiting to be processed (${formatNumber(receipt.callbacks_waiting)}). Erase the customer again in a few minutes.`,
    receipt.files_waiting > 0 &&
      `Not complete: deleted files whose bytes are still in the file storage (${formatNumber(receipt.files_waiting)}). The gateway keeps trying to remove them.`,
  ].filter((line) => line !== false)
  const text = [
    `Erasure receipt`,
    `Customer: ${receipt.customer}`,
    `Erased at: ${receipt.erased_at}`,
    `By: ${receipt.erased_by}`,
    ...found.map(({ table, count }) => `${wordsOf(table)}: ${count}`),
    ...waiting,
    '',
  ].join('\n')
  return (
    <Dialog
      title="Erased"
      onClose={onClose}
      foot={
        <>
          <Button icon="download" onClick={() => download(text, 'erasure-receipt.txt', 'text/plain')}>
            Download receipt
          </Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Facts
        rows={[
          [
            'Customer',
            <span key="customer" className="mono">
              {receipt.customer}
            </span>,
          ],
          ['Erased', <ExactTime key="at" at={receipt.erased_at} />],
          ['By', receipt.erased_by],
          ...found.map(({ table, count }) => [wordsOf(table), formatNumber(count)] as const),
        ]}
      />
      {found.length === 0 && <p>There was nothing left to erase.</p>}
      {waiting.map((line) => (
        <Notice key={line} tone="warn" icon="alert">
          {line}
        </Notice>
      ))}
    </Dialog>
  )
}
