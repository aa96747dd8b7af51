import { type MessageRow, messageColumns } from './messages.ts'

type Given = Pick<
  MessageRow,
  'id' | 'account_id' | 'number_id' | 'direction' | 'type' | 'status' | 'history' | 'created_at'
> &
  Partial<MessageRow>

const nullable = Object.entries(messageColumns).filter(([, kind]) => kind.endsWith('?'))
const blank = { ...Object.fromEntries(nullable.map(([name]) => [name, null])), held: 0, event_sequence: 0, revision: 1 }

/** A row of messages: what is not given is null, so that a new column concerns only those who fill it. */
export function newMessage(given: Given): MessageRow {
  return { ...(blank as Omit<MessageRow, keyof Given>), ...given } as MessageRow
}
