import { type MaskedFor, maskedEvent } from '../../events/masked-event.ts'

/** The text that goes to a receiver: the stored one, or without people where the receiver is masked. */
export function payloadFor({ masked }: { masked: number }, body: string, ownId: MaskedFor['ownId']): string {
  return masked === 1 ? maskedEvent(body, { delivered: true, ownId }) : body
}
