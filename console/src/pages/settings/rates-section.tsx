import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, FailureNotice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { RatesImportDialog } from './rates-import-dialog.tsx'

export type RateCard = Schemas['ConsoleRateCard']

export const rateKinds: Record<RateCard['kind'], string> = {
  rates: 'Rates',
  regions: 'Countries and regions',
}

/** What Meta charges, as it was imported. */
export function RatesSection() {
  const client = useQueryClient()
  const mayWrite = useMay('rates:write')
  const [history, setHistory] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const [removed, setRemoved] = useState<RateCard | null>(null)
  const rates = useQuery({
    queryKey: ['rates', history],
    queryFn: ({ signal }) => call(api.GET('/console/api/rates', { params: { query: { history } }, signal })),
  })
  const close = () => {
    setImporting(false)
    setRemoved(null)
    void client.invalidateQueries({ queryKey: ['rates'] })
    void client.invalidateQueries({ queryKey: ['costs'] })
  }
  return (
    <QueryView query={rates}>
      {({ cards, currencies }) => (
        <>
          <div className="row row-apart">
            <p className="muted">
              Costs are calculated with these cards. None are included: download the card for your currency
              {currencies.length > 0 && ` (${currencies.join(', ')})`} from Meta&apos;s pricing page as CSV.
            </p>
            <div className="row">
              <Button aria-pressed={history} onClick={() => setHistory(!history)}>
                History
              </Button>
              {mayWrite && (
                <Button kind="primary" icon="plus" onClick={() => setImporting(true)}>
                  Import a rate card
                </Button>
              )}
            </div>
          </div>
          {cards.length === 0 ? (
            <EmptyState icon="coins" title="No rate card">
              <p>Without a card, costs are counts without amounts.</p>
            </EmptyState>
          ) : (
            <div className="table-box">
              <CardTable cards={cards} onRemove={mayWrite ? setRemoved : null} />
            </div>
          )}
          <SameByCode>
            <CodeBlock
              title="Import for all accounts, on the gateway host, in the clone"
              samples={{ shell: 'npx --no-install postern rates import rates-eur.csv --from 2026-10-01' }}
            />
          </SameByCode>
          {isImporting && <RatesImportDialog currencies={currencies} onClose={close} />}
          {removed && <RemoveDialog card={removed} onClose={close} />}
        </>
      )}
    </QueryView>
  )
}

function CardTable({ cards, onRemove }: { cards: readonly RateCard[]; onRemove: ((card: RateCard) => void) | null }) {
  const columns: Column<RateCard>[] = [
    { id: 'kind', title: 'What', cell: ({ kind, currency }) => <strong>{currency ?? rateKinds[kind]}</strong> },
    { id: 'from', title: 'From', order: ({ from }) => from, cell: ({ from }) => from },
    { id: 'rows', title: 'Rows', number: true, cell: ({ rows }) => formatNumber(rows) },
    { id: 'file', title: 'File', cell: ({ name }) => <span className="break">{name}</span> },
    {
      id: 'for',
      title: 'For',
      cell: (card) => (card.for_all_accounts ? 'All accounts' : 'This account'),
    },
    {
      id: 'imported',
      title: 'Imported',
      cell: (card) => (
        <>
          <DayOf at={card.imported_at} /> <span className="muted">by {card.imported_by}</span>
        </>
      ),
    },
    { id: 'state', title: 'State', corner: true, cell: (card) => <CardState card={card} /> },
  ]
  if (onRemove) {
    columns.push({
      id: 'remove',
      title: 'Actions',
      quietTitle: true,
      cell: (card) =>
        card.removed_at === null &&
        !card.for_all_accounts && (
          <Button kind="quiet" onClick={() => onRemove(card)}>
            Remove
          </Button>
        ),
    })
  }
  return (
    <Table
      caption="Rate cards"
      columns={columns}
      rows={cards}
      idOf={({ id }) => id}
      isDimmed={(card) => card.removed_at !== null}
    />
  )
}

function CardState({ card }: { card: RateCard }) {
  if (card.removed_at === null) {
    return (
      <Chip tone="ok" icon="check">
        In use
      </Chip>
    )
  }
  return <Chip icon="clock">{card.replaced_by === null ? 'Removed' : 'Replaced'}</Chip>
}

function RemoveDialog({ card, onClose }: { card: RateCard; onClose: () => void }) {
  const form = useSubmit(async () => {
    await call(api.DELETE('/console/api/rates/{rate_card_id}', { params: { path: { rate_card_id: card.id } } }))
    onClose()
    toast('Removed the rate card')
  })
  return (
    <FormDialog title="Remove this rate card?" act="Remove rate card" kind="danger" {...{ form, onClose }}>
      <p>
        What {card.name} priced from {card.from} on has no amount any more, or that of another card. Import the file
        again to undo.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
