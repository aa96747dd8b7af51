import { type Command, type Flags, switchOption, textOption } from '../../command.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { table } from '../../output/table.ts'
import { requiredFlag, textFlag } from '../../read-flags.ts'

type Budget = {
  budget_id: string
  name: string
  api_key_id: string | null
  period: string
  currency: string
  limit: string
  stop: boolean
  state: string
  reserved: string
  spent: string
  left: string
  starts_anew_at: string
  has_rates: boolean
}

const anId = 'bdg_01jqzk3v8m4n2p6r9t0w5x7y1z'
const settings = {
  'warn-at': textOption('The percentage at which budget.warned is sent. Default: 80.'),
  'no-stop': switchOption('Only notify; reject no sends.'),
  exempt: textOption('Categories that are never blocked, comma-separated. Default: authentication.'),
}

function settingsOf(flags: Flags) {
  const warnAt = textFlag(flags, 'warn-at')
  if (warnAt !== null && !/^\d{1,3}$/.test(warnAt)) throw wrongUsage('--warn-at is a percentage, such as 80.')
  return {
    ...(warnAt === null ? {} : { warn_at: Number(warnAt) }),
    ...(flags['no-stop'] === true ? { stop: false } : {}),
    ...(textFlag(flags, 'exempt') === null
      ? {}
      : { exempt: (textFlag(flags, 'exempt') ?? '').split(',').filter(Boolean) }),
  }
}

function rows(budgets: readonly Budget[]): string {
  const cells = budgets.map((one) => [
    one.budget_id,
    one.name.replace(/\p{C}/gu, '?'),
    `${one.limit} ${one.currency} a ${one.period}`,
    one.api_key_id ?? 'all',
    one.spent,
    one.reserved,
    one.left,
    one.has_rates ? `${one.state}${one.stop ? '' : ', does not stop'}` : 'no rate card',
    one.starts_anew_at,
  ])
  return table(['id', 'name', 'limit', 'key', 'spent', 'reserved', 'left', 'state', 'next period'], cells)
}

const list: Command = gatewayCommand<{ budgets: Budget[] }>({
  name: 'budgets list',
  summary: 'List budgets and how much of them is used.',
  examples: ['postern budgets list', 'postern budgets list --json'],
  call: () => ({ method: 'GET', path: '/v1/chat/budgets' }),
  text: ({ budgets }) => (budgets.length === 0 ? 'There is no budget.\n' : rows(budgets)),
})

const create: Command = gatewayCommand<Budget>({
  name: 'budgets create',
  summary: 'Set a budget: sends over its limit are rejected.',
  examples: [
    'postern budgets create Marketing --limit 500 --currency EUR',
    'postern budgets create Shop --limit 20 --currency EUR --period day --key key_01jqzk3v8m4n2p6r9t0w5x7y1z',
  ],
  words: ['name'],
  options: {
    limit: textOption('The maximum amount per period, such as 500.00.'),
    currency: textOption('The currency in which Meta bills the numbers, such as EUR.'),
    period: textOption('day or month, in the time zone of the WhatsApp Business account. Default: month.'),
    key: textOption('Only sends with this API key; its id.'),
    ...settings,
  },
  call: ([name = ''], flags) => ({
    method: 'POST',
    path: '/v1/chat/budgets',
    body: {
      name: decodeURIComponent(name),
      limit: requiredFlag(flags, 'limit', '500.00'),
      currency: requiredFlag(flags, 'currency', 'EUR'),
      period: textFlag(flags, 'period') ?? 'month',
      api_key_id: textFlag(flags, 'key'),
      ...settingsOf(flags),
    },
  }),
  text: (budget) => rows([budget]),
})

const change: Command = gatewayCommand<Budget>({
  name: 'budgets change',
  summary: 'Change the limit, name or exemptions of a budget.',
  examples: [`postern budgets change ${anId} --limit 750`],
  words: ['budget id'],
  options: { limit: textOption('The new limit.'), name: textOption('The new name.'), ...settings },
  call([id = ''], flags) {
    const limit = textFlag(flags, 'limit')
    const name = textFlag(flags, 'name')
    const body = { ...(limit === null ? {} : { limit }), ...(name === null ? {} : { name }), ...settingsOf(flags) }
    if (Object.keys(body).length === 0) throw wrongUsage('Give at least one change, such as --limit 750.')
    return { method: 'PUT', path: `/v1/chat/budgets/${id}`, body }
  },
  text: (budget) => rows([budget]),
})

const remove: Command = gatewayCommand<{ budget_id: string }>({
  name: 'budgets delete',
  summary: 'Delete a budget; nothing is limited by it from now on.',
  examples: [`postern budgets delete ${anId}`],
  words: ['budget id'],
  call: ([id = '']) => ({ method: 'DELETE', path: `/v1/chat/budgets/${id}` }),
  text: ({ budget_id }) => `${budget_id} is deleted.\n`,
})

export const budgets: Command[] = [list, create, change, remove]
