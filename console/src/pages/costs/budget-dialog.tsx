import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Check, Field, Select } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'

export type Budget = Schemas['Budget']

const periods = [
  { value: 'month', label: 'Calendar month' },
  { value: 'day', label: 'Day' },
]

/** A new budget, or another limit of one: its period and currency stay. */
export function BudgetDialog({
  budget,
  currencies,
  onClose,
}: {
  budget: Budget | null
  currencies: readonly string[]
  onClose: () => void
}) {
  const [name, setName] = useState(budget?.name ?? '')
  const [limit, setLimit] = useState(budget?.limit ?? '')
  const [period, setPeriod] = useState<'day' | 'month'>(budget?.period ?? 'month')
  const [currency, setCurrency] = useState(budget?.currency ?? currencies[0] ?? '')
  const [warnAt, setWarnAt] = useState(String(budget?.warn_at ?? 80))
  const [stop, setStop] = useState(budget?.stop ?? true)
  const form = useSubmit(async () => {
    const settings = { name, limit, warn_at: Number(warnAt), stop }
    if (budget) {
      const params = { path: { budget_id: budget.budget_id } }
      await call(api.PUT('/console/api/budgets/{budget_id}', { params, body: settings }))
    } else {
      await call(api.POST('/console/api/budgets', { body: { ...settings, period, currency } }))
    }
    onClose()
    toast(budget ? 'Changed the budget' : 'Set the budget')
  })
  return (
    <FormDialog
      title={budget ? `Change the budget ${budget.name}` : 'Set a budget'}
      act={budget ? 'Change budget' : 'Set budget'}
      {...{ form, onClose }}
    >
      <Field
        label="Name"
        required
        maxLength={120}
        value={name}
        error={form.errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label={budget ? `Limit in ${budget.currency}` : 'Limit'}
        required
        inputMode="decimal"
        hint="Such as 500.00."
        value={limit}
        error={form.errorOf('limit')}
        onChange={(event) => setLimit(event.target.value)}
      />
      {!budget && (
        <>
          <Field
            label="Currency"
            required
            maxLength={3}
            hint="In which Meta bills your numbers, such as EUR."
            value={currency}
            error={form.errorOf('currency')}
            onChange={(event) => setCurrency(event.target.value.toUpperCase())}
          />
          <Select
            label="Period"
            options={periods}
            hint="In the time zone of the WhatsApp Business account."
            value={period}
            onChange={(event) => setPeriod(event.target.value === 'day' ? 'day' : 'month')}
          />
        </>
      )}
      <Field
        label="Notify at percent"
        type="number"
        min={1}
        max={100}
        required
        value={warnAt}
        error={form.errorOf('warn_at')}
        onChange={(event) => setWarnAt(event.target.value)}
      />
      <Check checked={stop} onChange={(event) => setStop(event.target.checked)}>
        Reject sends over the limit. One-time codes are always allowed.
      </Check>
      <FailureNotice failure={form.general} />
    </FormDialog>
  )
}
