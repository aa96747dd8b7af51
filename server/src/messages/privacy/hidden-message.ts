import { treated } from '../../contract/privacy.ts'
import { shownReference } from '../../events/masked-event.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import { type MessageRow, messagePrivacy } from '../../store/messages/messages.ts'

/**
 * A message for readers who see no people; everything that is shown to them is made from this row. Without an id of
 * Meta's, our own is the one that is shown.
 */
export function hiddenMessage(row: MessageRow): MessageRow {
  return treated(row, messagePrivacy, {
    personal: () => null,
    address: (value) => maskPhone(String(value)),
    customer: (value) => value,
    reference: (value) => shownReference(String(value), [row.phone, row.user_id]),
    sent_message: () => null,
    received_message: () => null,
    other_message: () => null,
  }) as MessageRow
}
