import type { Command } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { listCommand } from '../../gateway/list-command.ts'

type Message = Record<'message_id' | 'direction' | 'status' | 'type' | 'created_at', string> &
  Record<'from' | 'to' | 'user_id', string | null> & { error: { code: string } | null }

export const messages: readonly Command[] = [
  listCommand<Message>({
    name: 'messages list',
    summary: 'List messages, newest first.',
    examples: [
      'postern messages list --status failed --since 2026-11-01',
      'postern messages list --phone +12025550100 --json',
    ],
    path: () => '/v1/chat/messages',
    member: 'messages',
    filters: {
      status: { query: 'status', help: 'Such as sent, delivered, read or failed.' },
      direction: { query: 'direction', help: 'outbound or inbound.' },
      type: { query: 'type', help: 'Such as text, template or image.' },
      phone: { query: 'phone_number', help: 'Phone number of the customer, with + and country code.' },
      template: { query: 'template', help: 'Name of a template.' },
      reference: { query: 'client_reference', help: 'Your own reference.' },
      since: { query: 'since', help: 'A date or date-time, such as 2026-11-01.' },
      until: { query: 'until', help: 'A date or date-time.' },
    },
    columns: {
      time: ({ created_at }) => created_at,
      customer: ({ direction, from, to, user_id }) => (direction === 'inbound' ? from : to) ?? user_id,
      direction: ({ direction }) => direction,
      type: ({ type }) => type,
      status: ({ status, error }) => (error ? `${status}: ${error.code}` : status),
      id: ({ message_id }) => message_id,
    },
  }),
  gatewayCommand({
    name: 'messages get',
    summary: 'Show one message with its content and its history.',
    examples: ['postern messages get wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2'],
    words: ['message id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/chat/messages/${id}` }),
  }),
]
