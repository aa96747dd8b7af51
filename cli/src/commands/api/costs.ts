import { type Command, textOption } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { table } from '../../output/table.ts'
import { textFlag } from '../../read-flags.ts'

type Cost = {
  currency: string | null
  amount: string | null
  priced: number
  free: number
  unpriced: number
  reported: string | null
}
type Tier = { waba_id: string; month: string; category: string; region: string; tier: string; since: string }
type Report = {
  from: string
  to: string
  group_by: string[]
  totals: Cost[]
  groups: { group: Record<string, string | null>; costs: Cost[] }[]
  volume_tiers: Tier[]
}

const filters = {
  from: { query: 'from', help: 'First day. Default: the first day of this month.' },
  to: { query: 'to', help: 'The day after the last one. Default: tomorrow.' },
  group: {
    query: 'group_by',
    help: 'Up to two of template, type, category, country, phone_number, api_key, broadcast, day, pricing_category.',
  },
  template: { query: 'template', help: 'Only messages of this template.' },
  broadcast: { query: 'broadcast', help: 'Only messages of this broadcast; its id.' },
} as const

export const costs: Command = gatewayCommand<Report>({
  name: 'costs',
  summary: 'Cost of delivered messages, by the imported rate cards.',
  examples: [
    'postern costs',
    'postern costs --group template',
    'postern costs --from 2026-10-01 --to 2026-11-01 --json',
  ],
  options: Object.fromEntries(Object.entries(filters).map(([flag, { help }]) => [flag, textOption(help)])),
  call(_, flags) {
    const given = Object.entries(filters).map(([flag, { query }]) => [query, textFlag(flags, flag) ?? undefined])
    return { method: 'GET', path: '/v1/chat/costs', query: Object.fromEntries(given) }
  },
  text({ from, to, group_by, totals, groups, volume_tiers: tiers }) {
    if (totals.length === 0) return `Nothing was delivered from ${from} to before ${to}.\n${tierTable(tiers)}`
    const rows = groups.flatMap(({ group, costs: own }) =>
      own.map((cost) => [...Object.values(group).map((value) => printable(value ?? '-')), ...cells(cost)]),
    )
    const sums = totals.map((cost) => [...group_by.map((_name, index) => (index === 0 ? 'total' : '')), ...cells(cost)])
    const unpriced = totals.reduce((sum, cost) => sum + cost.unpriced, 0)
    const note = unpriced > 0 ? `${unpriced} messages have no price: see postern rates list.\n` : ''
    return `${table([...group_by, 'currency', 'amount', 'priced', 'free', 'unpriced', 'Meta', 'difference'], [...rows, ...sums])}${note}${tierTable(tiers)}`
  },
})

function cells({ currency, amount, priced, free, unpriced, reported }: Cost): string[] {
  const difference = amount === null || reported === null ? '-' : (Number(amount) - Number(reported)).toFixed(4)
  return [currency ?? '-', amount ?? '-', String(priced), String(free), String(unpriced), reported ?? '-', difference]
}

function tierTable(tiers: readonly Tier[]): string {
  if (tiers.length === 0) return ''
  const rows = tiers.map(({ month, waba_id, region, category, tier, since }) =>
    [month, waba_id, region, category, tier, since].map(printable),
  )
  const heads = ['month', 'account', 'market', 'category', 'messages', 'since']
  return `\nVolume tiers that Meta reports. Amounts use the list rate, without these discounts.\n${table(heads, rows)}`
}

function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}
