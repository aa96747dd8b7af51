import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { messageColumns, newMessage } from '../messages/messages.ts'
import { createRowMaker } from './operation.ts'

setFlagsFromString('--allow-natives-syntax')
const hasShape = new Function('row', 'return %HasFastProperties(row)') as (row: object) => boolean

const columns = Object.keys(messageColumns)

test('a wide row has a shape, and so have its copies', () => {
  // Names that nothing else in this process has used: an object filled with known ones may find a shape that is there.
  const names = columns.map((column) => `unknown_${column}`)
  const filled: Record<string, number> = {}
  for (const [index, name] of names.entries()) filled[name] = index
  expect([names.length > 12, hasShape(filled)]).toEqual([true, false])
  const row = createRowMaker(names)([...names.keys()])
  expect([row, hasShape(row), hasShape({ ...row, unknown_status: 'sent' })]).toEqual([filled, true, true])
})

test('what a statement did not give is null', () => {
  expect(createRowMaker(['id', 'phone'])(['out_1'])).toEqual({ id: 'out_1', phone: null })
})

test('a new message has a shape', () => {
  const about = { id: 'out_1', account_id: 'acc_1', number_id: 'pn_1', direction: 'outbound', type: 'text' }
  const message = newMessage({ ...about, status: 'queued', history: '[]', created_at: 1 })
  expect([hasShape(message), message.revision, message.phone]).toEqual([true, 1, null])
  expect(Object.keys(message)).toEqual([...columns, 'customer_address'])
})
