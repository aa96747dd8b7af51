import { useState } from 'react'
import { headerFiles } from '../../accepted-files.ts'
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Field, Select } from '../../components/form/field.tsx'
import { UploadField } from '../../components/form/upload-field.tsx'
import { Bubble } from '../../components/message/bubble.tsx'
import { filledContent, type ValueField } from '../../components/message/template-values.ts'
import { Notice } from '../../components/state.tsx'
import {
  assign,
  cellsOf,
  type Head,
  headBytes,
  readHead,
  type Source,
  type Sources,
  toColumnIn,
  usable,
} from './recipients-file.ts'

export type ChosenFile = { file: File; head: Head; to: string }

type Props = {
  template: Schemas['Template']
  fields: readonly ValueField[]
  file: ChosenFile | null
  sources: Sources
  onFile: (file: ChosenFile | null) => void
  onSources: (sources: Sources) => void
}

/** A file is dropped or chosen; its columns go into the variables, and each of its first rows can be seen as a message. */
export function FileStep({ template, fields, file, sources, onFile, onSources }: Props) {
  const [problem, setProblem] = useState<string | null>(null)

  async function read(chosen: File | undefined): Promise<void> {
    onFile(null)
    setProblem(null)
    if (!chosen) return
    const head = readHead(await chosen.slice(0, headBytes).text(), { isCut: chosen.size > headBytes })
    if (head.columns.length === 0 || head.rows.length === 0) {
      setProblem(
        'There are no rows in this file. Its first row names the columns, and each further row is a recipient.',
      )
      return
    }
    const to = toColumnIn(head.columns)
    onSources(keptOr(assign(fields, head.columns, to), sources))
    onFile({ file: chosen, head, to })
  }

  return (
    <>
      <div className="card card-body">
        <Field
          label="File with recipients"
          hint="CSV with a header row, up to 256 MB. Your plan limits the number of recipients. Drop the file here, or choose it."
          type="file"
          className="input drop-file"
          accept=".csv,.tsv,.txt,text/csv"
          error={problem ?? undefined}
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </div>
      {file && (
        <>
          <HeadTable head={file.head} />
          <div className="broadcast-columns">
            <div className="card card-body form">
              <Select
                label="Phone numbers"
                options={[{ value: '', label: 'Choose a column' }, ...columnOptions(file.head.columns)]}
                value={file.to}
                onChange={(event) => onFile({ ...file, to: event.target.value })}
              />
              {fields.map((field) => (
                <SourceFields
                  key={field.key}
                  field={field}
                  columns={file.head.columns}
                  source={sources[field.key] ?? nothing}
                  onChange={(source) => onSources({ ...sources, [field.key]: source })}
                />
              ))}
            </div>
            <RowPreview {...{ template, sources }} head={file.head} to={file.to} />
          </div>
        </>
      )}
    </>
  )
}

const nothing: Source = { column: '', instead: '', text: '' }

/** Texts and files that were given already survive another file. */
function keptOr(assigned: Sources, before: Sources): Sources {
  return Object.fromEntries(
    Object.entries(assigned).map(([key, source]) => [
      key,
      before[key]?.text ? { ...nothing, text: before[key].text } : source,
    ]),
  )
}

function columnOptions(columns: readonly string[]): { value: string; label: string }[] {
  return usable(columns).map((value) => ({ value, label: value }))
}

type SourceProps = { field: ValueField; columns: readonly string[]; source: Source; onChange: (source: Source) => void }

/** One variable: a column with what stands in for an empty cell, or what is the same for everybody. */
function SourceFields({ field: { key, label, kind, example }, columns, source, onChange }: SourceProps) {
  if (kind !== 'text') {
    return kind === 'time' ? (
      <Field
        label={label}
        type="datetime-local"
        value={source.text}
        onChange={(event) => onChange({ ...nothing, text: event.target.value })}
      />
    ) : (
      <UploadField
        label={label}
        accept={headerFiles[kind]}
        hint="The same for everybody."
        mediaId={source.text}
        onChange={(text) => onChange({ ...nothing, text })}
      />
    )
  }
  const isColumn = source.column !== ''
  return (
    <div className="broadcast-source">
      <Select
        label={label}
        options={[{ value: '', label: 'The same text for all' }, ...columnOptions(columns)]}
        value={source.column}
        onChange={(event) => onChange({ ...nothing, column: event.target.value })}
      />
      <Field
        key={`${key} ${isColumn}`}
        label={isColumn ? 'If it is empty' : 'Text'}
        dir="auto"
        placeholder={isColumn ? 'The row is left out' : example && `For example: ${example}`}
        value={isColumn ? source.instead : source.text}
        onChange={(event) => {
          const { value } = event.target
          onChange(isColumn ? { ...source, instead: value.replaceAll(/[{}|]/g, '') } : { ...nothing, text: value })
        }}
      />
    </div>
  )
}

function HeadTable({ head: { columns, rows } }: { head: Head }) {
  return (
    <div className="table-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-sideways" tabIndex={0} aria-label="First rows of the file">
        <table className="table">
          <caption className="visually-hidden">First rows of the file</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <th key={index} scope="col" dir="auto">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
              <tr key={line}>
                {columns.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={index} dir="auto">
                    {row[index] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

type PreviewProps = { template: Schemas['Template']; sources: Sources; head: Head; to: string }

/** The message of one of the first rows. */
function RowPreview({ template, sources, head: { columns, rows }, to }: PreviewProps) {
  const [at, setAt] = useState(0)
  const row = rows[at] ?? rows[0] ?? []
  const address = row[columns.indexOf(to)] ?? ''
  const step = (by: number) => setAt((at + by + rows.length) % rows.length)
  const isEmpty = Object.entries(sources).some(
    ([key, { column }]) => column !== '' && cellsOf(sources, columns, row)[key] === '',
  )
  return (
    <section className="card card-body stack" aria-label="Preview">
      <div className="row">
        <Button label="Row before" disabled={rows.length < 2} onClick={() => step(-1)}>
          ‹
        </Button>
        <span className="grow" role="status">
          Row {at + 1} of the first {rows.length}
          {address && (
            <>
              , to <bdi>{address}</bdi>
            </>
          )}
        </span>
        <Button label="Next row" disabled={rows.length < 2} onClick={() => step(1)}>
          ›
        </Button>
      </div>
      {isEmpty && (
        <Notice tone="warn" icon="alert">
          <p>A cell of this row is empty: it will be skipped.</p>
        </Notice>
      )}
      <div className="screen">
        <Bubble type="template" content={filledContent(template, cellsOf(sources, columns, row))} side="business" />
      </div>
    </section>
  )
}
