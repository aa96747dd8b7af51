import { useState } from 'react'
import { api, call, type Schemas, toFailure } from '../../api.ts'
import { nameOf } from '../../components/costs/cost-figures.ts'
import { Field, Select } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { countOf } from '../../components/plural.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'

type Check = Schemas['ConsoleRateCheck']
type Chosen = { name: string; text: string; check: Check | null; failure: ReturnType<typeof toFailure> | null }
type DialogProps = { currencies: readonly string[]; onClose: () => void }

const problemsShown = 6

/** A file is read as soon as it is chosen: what it holds is seen before it is imported. */
export function RatesImportDialog({ currencies, onClose }: DialogProps) {
  const [from, setFrom] = useState(() => `${new Date().toISOString().slice(0, 7)}-01`)
  const [currency, setCurrency] = useState('')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const body = (file: { name: string; text: string }, given = currency) => ({
    name: file.name,
    text: file.text,
    from,
    ...(given === '' ? {} : { currency: given }),
  })

  async function check(file: { name: string; text: string }, given = currency): Promise<void> {
    try {
      const found = await call(api.POST('/console/api/rates/check', { body: body(file, given) }))
      setChosen({ ...file, check: found, failure: null })
    } catch (error) {
      setChosen({ ...file, check: null, failure: toFailure(error) })
    }
  }

  async function read(file: File | undefined): Promise<void> {
    setChosen(null)
    if (file) await check({ name: file.name, text: await file.text() })
  }

  const form = useSubmit(async () => {
    if (!chosen) return
    await call(api.POST('/console/api/rates', { body: body(chosen) }))
    onClose()
    toast(`Imported ${chosen.name}`)
  })
  const isReady = chosen?.check != null && chosen.check.problems.length === 0
  return (
    <FormDialog title="Import a rate card" act="Import" disabled={!isReady} {...{ form, onClose }}>
      <Field
        label="File"
        type="file"
        accept=".csv,text/csv"
        hint="Meta’s CSV file, unchanged: rates in one currency, or the mapping of countries to regions."
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <Field
        label="First day"
        type="date"
        required
        hint="Meta changes rates on the first day of a month. The card applies until the next one starts."
        value={from}
        error={form.errorOf('from')}
        onChange={(event) => setFrom(event.target.value)}
      />
      <Select
        label="Currency"
        optional
        hint="Only needed if the file names none."
        options={[{ value: '', label: 'As in the file' }, ...currencies.map((value) => ({ value, label: value }))]}
        value={currency}
        onChange={(event) => {
          setCurrency(event.target.value)
          if (chosen) void check(chosen, event.target.value)
        }}
      />
      {chosen?.check && <Found check={chosen.check} name={chosen.name} />}
      <FailureNotice failure={chosen?.failure ?? form.general} />
    </FormDialog>
  )
}

function Found({ check, name }: { check: Check; name: string }) {
  const { problems } = check
  if (problems.length === 0) return <Preview check={check} />
  return (
    <Notice tone="error" icon="alert">
      <p>
        {name} has {countOf(problems.length, 'problem')}; nothing is imported until the file is correct.
      </p>
      <ul>
        {problems.slice(0, problemsShown).map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            Line {formatNumber(line)}: {message}
          </li>
        ))}
      </ul>
      {problems.length > problemsShown && <p>And {formatNumber(problems.length - problemsShown)} more.</p>}
    </Notice>
  )
}

/** The first rows, as they were understood. */
function Preview({ check: { currency, rows, columns, sample } }: { check: Check }) {
  type Row = (typeof sample)[number]
  const shown: Column<Row>[] = columns.map((column, index) => ({
    id: column,
    title: nameOf('pricing_category', column),
    number: true,
    cell: ({ values }) => values[index],
  }))
  return (
    <>
      <p className="small muted">
        {countOf(rows, 'row')}
        {currency && ` in ${currency}`}, read as follows:
      </p>
      <div className="table-box">
        <Table
          caption="The first rows of the file"
          columns={[{ id: 'market', title: 'Market', cell: ({ name }) => marketName(name) }, ...shown]}
          rows={sample}
          idOf={({ name }) => name}
        />
      </div>
    </>
  )
}

/** A market is a country, by its code, or a region, by its name. */
function marketName(market: string): string {
  return market.length === 2 ? nameOf('country', market) : market
}
