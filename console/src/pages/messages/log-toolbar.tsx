import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { FilterSelect } from '../../components/form/field.tsx'
import { NarrowSelect } from '../../components/form/narrow-select.tsx'
import { SearchField } from '../../components/form/search-field.tsx'
import { dayText } from '../../components/time.tsx'
import { usePreferences } from '../../preferences.ts'
import { directionOptions, readFilter, statusOptions, timeOptions, typeOptions } from './log-filter.ts'

type ToolbarProps = {
  search: URLSearchParams
  /** Error codes among what is shown. */
  codes: readonly string[]
  onNarrow: (change: Record<string, string>) => void
  active: number
  onClear: () => void
  /** At the end of the line. */
  children: ReactNode
}

/** What the log is narrowed by; templates and keys are those of the account. */
export function LogToolbar({ search, codes, onNarrow, active, onClear, children }: ToolbarProps) {
  const [isOpen, setOpen] = useState(false)
  const filters = useQuery({
    queryKey: ['message-filters'],
    queryFn: ({ signal }) => call(api.GET('/console/api/message-filters', { signal })),
    staleTime: 60_000,
  })
  const templates = [
    { value: '', label: 'All templates' },
    ...(filters.data?.templates ?? []).map((name) => ({ value: name, label: name })),
  ]
  const keys = [
    { value: '', label: 'All keys' },
    ...(filters.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const narrowing = { search, onNarrow }
  return (
    <search className="toolbar toolbar-long">
      <SearchField
        label="Id, phone or reference"
        value={search.get('search') ?? ''}
        onSettled={(text) => onNarrow({ search: text })}
      />
      <span className="toolbar-fold">
        <Button icon="settings" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {active > 0 ? `Filters (${active})` : 'Filters'}
        </Button>
      </span>
      <div className="toolbar-more" data-open={isOpen}>
        <SpanChoice search={search} onNarrow={onNarrow} />
        <NarrowSelect {...narrowing} name="direction" label="Direction" options={directionOptions} />
        <NarrowSelect {...narrowing} name="status" label="Status" options={statusOptions} />
        <NarrowSelect {...narrowing} name="type" label="Type" options={typeOptions} />
        <NarrowSelect {...narrowing} name="template" label="Template" options={templates} />
        <NarrowSelect {...narrowing} name="key_id" label="API key" options={keys} />
        <SearchField
          label="Error code"
          value={search.get('code') ?? ''}
          suggestions={codes}
          onSettled={(code) => onNarrow({ code })}
        />
      </div>
      {active > 0 && (
        <Button kind="quiet" icon="close" onClick={onClear}>
          Clear
        </Button>
      )}
      <span className="grow" />
      {children}
    </search>
  )
}

/** A span by name; one from an instant to another, as the analytics link to it, stands in the list beside the names. */
function SpanChoice({ search, onNarrow }: Pick<ToolbarProps, 'search' | 'onNarrow'>) {
  const { utc } = usePreferences()
  const { since, until } = readFilter(search, 0)
  const isExact = !search.get('time') && (since !== undefined || until !== undefined)
  const exact = { value: 'exact', label: spanText(since, until, utc) }
  return (
    <FilterSelect
      label="Time"
      options={isExact ? [...timeOptions, exact] : timeOptions}
      value={isExact ? exact.value : (search.get('time') ?? '')}
      onChange={(event) => onNarrow({ time: event.target.value, since: '', until: '' })}
    />
  )
}

/** Whole days, the last one included: spans of the analytics begin and end with a day. */
function spanText(since: string | undefined, until: string | undefined, utc: boolean): string {
  const first = since && dayText(since, utc)
  const last = until && dayText(Date.parse(until) - 1, utc)
  if (first && last) {
    const [year] = last.split(' ').slice(-1)
    return first === last ? first : `${first.replace(` ${year}`, '')} – ${last}`
  }
  return first ? `Since ${first}` : `Until ${last}`
}
