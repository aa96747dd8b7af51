import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, call } from '../../../api.ts'
import type { paths } from '../../../api-types.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { Button, ButtonLink } from '../../../components/form/button.tsx'
import type { Option } from '../../../components/form/field.tsx'
import { type Narrowing, NarrowSelect } from '../../../components/form/narrow-select.tsx'
import { SearchField } from '../../../components/form/search-field.tsx'
import { Page, SameByCode } from '../../../components/page.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { EmptyState } from '../../../components/state.tsx'
import { Pagination } from '../../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../../components/table/paging.ts'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useSampleWorld } from '../../../sample-world.ts'
import { getSamples } from '../../../samples.ts'
import { useMay } from '../../../session.ts'
import { buttons, noneMatch, statusChoices, templateStatus } from '../../../texts.ts'
import { languageOptions } from '../languages.ts'
import { CatalogNotice } from './catalog-notice.tsx'
import { TemplateTable } from './template-table.tsx'

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
  // They stand first, also where their name begins with z.
  const rejected = useQuery({
    queryKey: ['templates', 'rejected'],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/templates', { params: { query: { status: 'rejected', limit: 50 } }, signal })),
    enabled: given.length === 0,
  }).data
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
      <QueryView query={templates} shape="table">
        {({ pages }) => {
          const first = given.length === 0 ? (rejected?.templates ?? []) : []
          const listed = pages.flatMap((page) => page.templates)
          const rows = [...new Map([...first, ...listed].map((row) => [row.id, row])).values()]
          const pagination = <Pagination list={templates} shown={rows.length} onNewest={backToNewest} />
          if (rows.length === 0 && templates.hasNextPage) return pagination
          if (rows.length === 0) return <Nothing filters={given.length} onClear={clear} action={add} />
          return (
            <>
              {mayWrite && <CatalogNotice rows={rows} />}
              <div className="table-box">
                <TemplateTable rows={rows} isWhole={!templates.hasNextPage} />
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
