import { type Command, textOption } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { listCommand } from '../../gateway/list-command.ts'
import { choiceFlag, requiredFlag, textFlag } from '../../read-flags.ts'

type Customer = { customer_id: string; name: string | null; address: string | null; active_at: string }

const anId = 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z'

export const customers: readonly Command[] = [
  listCommand<Customer>({
    name: 'customers find',
    summary: 'Find a customer by phone number or user id, or list customers, latest activity first.',
    examples: ['postern customers find --address +12025550100', 'postern customers find --json'],
    path: () => '/v1/chat/customers',
    member: 'customers',
    filters: { address: { query: 'address', help: 'A phone number or user id of the customer.' } },
    columns: {
      id: ({ customer_id }) => customer_id,
      name: ({ name }) => name,
      address: ({ address }) => address,
      active: ({ active_at }) => active_at,
    },
  }),
  gatewayCommand({
    name: 'customers show',
    summary: 'Show one customer with addresses, windows and preferences.',
    examples: [`postern customers show ${anId}`],
    words: ['customer id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/chat/customers/${id}` }),
  }),
  gatewayCommand({
    name: 'customers preference',
    summary: 'Record or withdraw consent to marketing messages.',
    examples: [
      `postern customers preference ${anId} --marketing opted_in`,
      `postern customers preference ${anId} --marketing opted_out --from +351210000000`,
    ],
    words: ['customer id'],
    options: {
      marketing: textOption('opted_in or opted_out.'),
      from: textOption('One of your numbers. Default: all of them.'),
    },
    call([id], flags) {
      const from = textFlag(flags, 'from')
      requiredFlag(flags, 'marketing', 'opted_in')
      const marketing = choiceFlag(flags, 'marketing', ['opted_in', 'opted_out'])
      const body = { marketing, ...(from === null ? {} : { from }) }
      return { method: 'PUT', path: `/v1/chat/customers/${id}/preference`, body }
    },
  }),
]
