import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import type { paths } from '../../api-types.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import type { Option } from '../../components/form/field.tsx'
import { type Narrowing, NarrowSelect } from '../../components/form/narrow-select.tsx'
import { SearchField } from '../../components/form/search-field.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { Pagination } from '../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../components/table/paging.ts'
import { type Column, RowLink, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { buttons, never, noneMatch, statusChoices, templateStatus } from '../../texts.ts'
import { CatalogNotice } from './catalog-notice.tsx'
import { languageOptions } from './languages.ts'
import { Quality, TemplateStatus } from './template-status.tsx'

type Listed = Schemas['ListedTemplate']
type Filter = NonNullable<paths['/console/api/templates']['get']['parameters']['query']>

const filterNames = ['search', 'status', 'category', 'language'] as const
const statuses: Option[] = statusChoices('All statuses', templateStatus)
const categories: Option[] = [
  { value: '', label: 'All categories' },
  { value: 'utility', label: 'Utility' },
  { value: 'marketing', label: 'Marketing' },
  { value: 'authentication', label: 'Authentication' },
]
const languages: Option[] = [{ value: '', label: 'All languages' }, ...languageOptions()]

export function TemplateList() {
  const world = useSampleWorld()
  const mayWrite = useMay('templates:write')
  const { search, narrow, clear } = useNarrow()
  const given = filterNames.flatMap((name): [string, string][] => {
    const value = search.get(name)?.trim()
    return value ? [[name, value]] : []
  })
  const filter = Object.fromEntries(given) as Filter
  const queryKey = ['templates', 'list', filter]
  const templates = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...pageAt(pageParam) }
      return call(api.GET('/console/api/templates', { params: { query }, signal }))
    },
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  const add = mayWrite && (
    <ButtonLink kind="primary" icon="plus" to="/templates/new">
      New template
    </ButtonLink>
  )
  const path = `/v1/chat/templates?${new URLSearchParams([...given, ['limit', '50']]).toString()}`
  return (
    <Page
      title="Templates"
      lead="Messages that Meta has approved. Only templates can start a conversation."
      action={add}
    >
      <Toolbar search={search} onNarrow={narrow} />
      <QueryView query={templates}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.templates)
          const pagination = <Pagination list={templates} shown={rows.length} onNewest={backToNewest} />
          if (rows.length === 0 && templates.hasNextPage) return pagination
          if (rows.length === 0) return <Nothing filters={given.length} onClear={clear} action={add} />
          return (
            <>
              {mayWrite && <CatalogNotice rows={rows} />}
              <div className="table-box">
                <TemplateTable rows={rows} />
                {pagination}
              </div>
            </>
          )
        }}
      </QueryView>
      <SameByCode>
        <CodeBlock title="List templates" samples={getSamples(world, path)} />
      </SameByCode>
    </Page>
  )
}

function Toolbar(narrowing: Narrowing) {
  const { search, onNarrow } = narrowing
  return (
    <search className="toolbar">
      <SearchField
        label="Part of the name or the text"
        value={search.get('search') ?? ''}
        onSettled={(text) => onNarrow({ search: text })}
      />
      <NarrowSelect {...narrowing} name="status" label="Status" options={statuses} />
      <NarrowSelect {...narrowing} name="category" label="Category" options={categories} />
      <NarrowSelect {...narrowing} name="language" label="Language" options={languages} />
    </search>
  )
}

function TemplateTable({ rows }: { rows: readonly Listed[] }) {
  const columns: Column<Listed>[] = [
    {
      id: 'name',
      title: 'Name',
      cell: ({ id, name }) => (
        <RowLink to={`/templates/${id}`}>
          <span className="template-name">{name}</span>
        </RowLink>
      ),
    },
    { id: 'language', title: 'Language', cell: ({ language }) => <code>{language}</code> },
    { id: 'category', title: 'Category', cell: ({ category }) => category },
    { id: 'status', title: 'Status', corner: true, cell: (row) => <TemplateStatus record={row} /> },
    { id: 'quality', title: 'Quality', cell: ({ quality }) => <Quality quality={quality} /> },
    { id: 'sent', title: 'Sent 7 d', number: true, cell: ({ last_7_days: { sent } }) => formatNumber(sent) },
    { id: 'read', title: 'Read', number: true, cell: ({ last_7_days: week }) => share(week.read, week.delivered) },
    {
      id: 'used',
      title: 'Last used',
      cell: ({ last_used_at: at }) => (at ? <RelativeTime at={at} /> : <span className="muted">{never}</span>),
    },
  ]
  return <Table caption="Templates" columns={columns} rows={rows} idOf={({ id }) => id} />
}

/** A rate without messages is not 0, it is nothing. */
function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`
}

type NothingProps = { filters: number; onClear: () => void; action: ReactNode }

function Nothing({ filters, onClear, action }: NothingProps) {
  if (filters > 0) {
    return (
      <EmptyState
        icon="search"
        title={noneMatch('templates', filters)}
        action={<Button onClick={onClear}>{buttons.clearFilters}</Button>}
      />
    )
  }
  return (
    <EmptyState icon="template" title="No templates yet" action={action}>
      <p>
        You write a template once, Meta approves it, and your services send it with values for each customer. Outside
        the 24-hour window, only templates can be sent.
      </p>
    </EmptyState>
  )
}
