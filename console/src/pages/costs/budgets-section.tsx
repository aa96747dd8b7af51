import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { formatCost } from '../../components/costs/cost-figures.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, FailureNotice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { type Budget, BudgetDialog } from './budget-dialog.tsx'

/** What the account lets itself spend; the currencies are those it is billed in. */
export function BudgetsSection({ currencies }: { currencies: readonly string[] }) {
  const client = useQueryClient()
  const mayWrite = useMay('budgets:write')
  const [edited, setEdited] = useState<Budget | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Budget | null>(null)
  const budgets = useQuery({
    queryKey: ['budgets'],
    queryFn: ({ signal }) => call(api.GET('/console/api/budgets', { signal })),
  })
  const close = () => {
    setEdited(null)
    setDeleted(null)
    void client.invalidateQueries({ queryKey: ['budgets'] })
  }
  return (
    <section className="stack page-section" aria-labelledby="budgets">
      <div className="row row-apart">
        <h2 id="budgets">Budgets</h2>
        {mayWrite && (
          <Button icon="plus" onClick={() => setEdited('new')}>
            Set a budget
          </Button>
        )}
      </div>
      <QueryView query={budgets}>
        {({ budgets: rows }) =>
          rows.length === 0 ? (
            <EmptyState icon="coins" title="No budget">
              <p>A budget rejects sends before they would cost more than its limit in a day or month.</p>
            </EmptyState>
          ) : (
            <div className="table-box">
              <BudgetTable rows={rows} change={mayWrite ? { edit: setEdited, remove: setDeleted } : null} />
            </div>
          )
        }
      </QueryView>
      {edited && <BudgetDialog budget={edited === 'new' ? null : edited} {...{ currencies }} onClose={close} />}
      {deleted && <DeleteDialog budget={deleted} onClose={close} />}
    </section>
  )
}

type Change = { edit: (budget: Budget) => void; remove: (budget: Budget) => void }

function BudgetTable({ rows, change }: { rows: readonly Budget[]; change: Change | null }) {
  const money = (id: 'spent' | 'reserved' | 'left', title: string): Column<Budget> => ({
    id,
    title,
    number: true,
    cell: (one) => formatCost({ currency: one.currency, amount: one[id] }),
  })
  const columns: Column<Budget>[] = [
    {
      id: 'name',
      title: 'Budget',
      cell: ({ name, api_key_id }) => (
        <>
          <strong className="break" dir="auto">
            {name}
          </strong>
          {api_key_id !== null && <span className="small muted break"> only {api_key_id}</span>}
        </>
      ),
    },
    {
      id: 'limit',
      title: 'Limit',
      number: true,
      cell: ({ limit, currency, period }) => `${formatCost({ currency, amount: limit })} a ${period}`,
    },
    money('spent', 'Spent'),
    money('reserved', 'Reserved'),
    money('left', 'Left'),
    { id: 'state', title: 'State', corner: true, cell: (budget) => <BudgetState budget={budget} /> },
    { id: 'anew', title: 'Next period', cell: ({ starts_anew_at }) => <DayOf at={starts_anew_at} /> },
  ]
  if (change) {
    columns.push({
      id: 'actions',
      title: 'Actions',
      quietTitle: true,
      cell: (budget) => (
        <span className="row">
          <Button kind="quiet" onClick={() => change.edit(budget)}>
            Change
          </Button>
          <Button kind="quiet" onClick={() => change.remove(budget)}>
            Delete
          </Button>
        </span>
      ),
    })
  }
  return <Table caption="Budgets" columns={columns} rows={rows} idOf={({ budget_id }) => budget_id} />
}

function BudgetState({ budget: { state, stop, has_rates } }: { budget: Budget }) {
  if (!has_rates) {
    return (
      <Chip tone="warn" icon="alert">
        No rate card
      </Chip>
    )
  }
  if (state === 'exceeded') {
    return (
      <Chip tone="error" icon="alert">
        {stop ? 'Stops sends' : 'Exceeded'}
      </Chip>
    )
  }
  return state === 'warned' ? (
    <Chip tone="warn" icon="alert">
      Nearly used
    </Chip>
  ) : (
    <Chip tone="ok" icon="check">
      Has room
    </Chip>
  )
}

function DeleteDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const form = useSubmit(async () => {
    const path = { budget_id: budget.budget_id }
    await call(api.DELETE('/console/api/budgets/{budget_id}', { params: { path } }))
    onClose()
    toast('Deleted the budget')
  })
  return (
    <FormDialog title={`Delete the budget ${budget.name}?`} act="Delete budget" kind="danger" {...{ form, onClose }}>
      <p>It no longer limits sends. Messages already sent stay in the costs.</p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
