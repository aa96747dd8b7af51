import { type Command, textOption } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { table } from '../../output/table.ts'
import { textFlag } from '../../read-flags.ts'

type Counts = Record<'sent' | 'delivered' | 'read' | 'failed' | 'received', number>
type Series = { group: Record<string, string | null>; totals: Counts; points: (Counts & { start: string })[] }
type Report = { group_by: string[]; totals: Counts; series: Series[] }

const filters = {
  since: { query: 'from', help: 'A date or date-time. Default: the start of the day, 7 days ago.' },
  until: { query: 'to', help: 'A date or date-time. Default: now.' },
  by: { query: 'granularity', help: 'hour, day or month. Default: day.' },
  timezone: { query: 'timezone', help: 'Of days and months, such as Europe/Lisbon. Default: UTC.' },
  group: {
    query: 'group_by',
    help: 'Up to two of template, type, category, country, phone_number, api_key, error_code.',
  },
  template: { query: 'template', help: 'Only messages of this template.' },
} as const

export const analytics: Command = gatewayCommand<Report>({
  name: 'analytics',
  summary: 'Count messages: sent, delivered, read, failed and received.',
  examples: [
    'postern analytics',
    'postern analytics --since 2026-11-01 --group template',
    'postern analytics --by month --json',
  ],
  options: Object.fromEntries(Object.entries(filters).map(([flag, { help }]) => [flag, textOption(help)])),
  call(_, flags) {
    const given = Object.entries(filters).map(([flag, { query }]) => [query, textFlag(flags, flag) ?? undefined])
    return { method: 'GET', path: '/v1/chat/analytics', query: Object.fromEntries(given) }
  },
  text: ({ group_by, totals, series }) => {
    const rows = group_by.length > 0 ? series.map(rowOfGroup) : (series[0]?.points ?? []).map(rowOfPoint)
    const titles = group_by.length > 0 ? group_by : ['start']
    const total = ['total', ...titles.slice(1).map(() => ''), ...countsOf(totals)]
    return table([...titles, ...columns], [...rows, total])
  },
})

const columns = ['sent', 'delivered', 'read', 'failed', 'received'] as const

function countsOf(counts: Counts): string[] {
  return columns.map((column) => String(counts[column]))
}

function rowOfGroup({ group, totals }: Series): string[] {
  return [...Object.values(group).map((value) => (value ?? '-').replace(/\p{C}/gu, '?')), ...countsOf(totals)]
}

function rowOfPoint(point: Series['points'][number]): string[] {
  return [point.start, ...countsOf(point)]
}
