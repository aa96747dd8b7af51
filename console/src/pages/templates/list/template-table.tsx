import { Link } from 'wouter'
import type { Schemas } from '../../../api.ts'
import { formatNumber, formatPercent } from '../../../components/format-number.ts'
import { type Column, RowLink, Table } from '../../../components/table/table.tsx'
import { RelativeTime } from '../../../components/time.tsx'
import { never } from '../../../texts.ts'
import { Quality, TemplateStatus } from '../template-status.tsx'
import { type NamedTemplate, namedTemplates } from './named-templates.ts'

type TableProps = {
  rows: readonly Schemas['ListedTemplate'][]
  /** All of them are here, so that a heading can sort them. */
  isWhole: boolean
}

/** One row for a name, with its languages; rejected ones first. */
export function TemplateTable({ rows, isWhole }: TableProps) {
  const columns: Column<NamedTemplate>[] = [
    {
      id: 'name',
      title: 'Name',
      cell: ({ name, shown }) => (
        <RowLink to={`/templates/${shown.id}`}>
          <span className="template-name">{name}</span>
        </RowLink>
      ),
    },
    { id: 'language', title: 'Language', cell: (row) => <Languages of={row} /> },
    { id: 'category', title: 'Category', cell: ({ shown }) => shown.category },
    { id: 'status', title: 'Status', corner: true, cell: ({ shown }) => <TemplateStatus record={shown} /> },
    { id: 'quality', title: 'Quality', cell: ({ shown }) => <Quality quality={shown.quality} /> },
    {
      id: 'sent',
      title: 'Sent 7 d',
      number: true,
      ...(isWhole && { order: ({ sent }: NamedTemplate) => sent }),
      cell: ({ sent }) => formatNumber(sent),
    },
    {
      id: 'read',
      title: 'Read',
      number: true,
      ...(isWhole && { order: ({ readPercent }: NamedTemplate) => readPercent }),
      cell: ({ readPercent }) => formatPercent(readPercent),
    },
    {
      id: 'used',
      title: 'Last used',
      cell: ({ lastUsedAt: at }) => (at ? <RelativeTime at={at} /> : <span className="muted">{never}</span>),
    },
  ]
  return <Table caption="Templates" columns={columns} rows={namedTemplates(rows)} idOf={({ shown: { id } }) => id} />
}

/** Each language leads to its own template, and says where it is not as the row. */
function Languages({ of: { versions, shown } }: { of: NamedTemplate }) {
  if (versions.length === 1) return <code>{shown.language}</code>
  return (
    <span className="row">
      {versions.map(({ id, language, status }) => (
        <Link key={id} to={`/templates/${id}`} title={status}>
          <code>{language}</code>
          {status !== shown.status && <span className="small muted"> {status}</span>}
        </Link>
      ))}
    </span>
  )
}
