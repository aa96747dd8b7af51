import type { Static } from 'typebox'
import type { SendContacts } from '../../contract/messages/send-content.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { type Draft, draftInWindow, type Sender } from './draft.ts'

export type ContactsRequest = Static<typeof SendContacts>

/** Contact cards, within the 24-hour window. They are kept in the form that customers' cards come in. */
export function draftContacts(rt: Runtime, sender: Sender, request: ContactsRequest): Promise<Draft> {
  const contacts = withoutNulls(request.contacts)
  return draftInWindow(rt, sender, request, {
    type: 'contacts',
    outbound: { type: 'contacts', contacts },
    content: { contacts },
  })
}

/** The platform refuses explicit nulls. */
function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls) as Value
  if (!isRecord(value)) return value
  const given = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)])) as Value
}
