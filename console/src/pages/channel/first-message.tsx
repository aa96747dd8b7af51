import type { Schemas } from '../../api.ts'
import { ButtonLink } from '../../components/form/button.tsx'
import { Notice } from '../../components/state.tsx'

/** Waits for the first message of a customer; the list of channels is read again with every callback of Meta. */
export function FirstMessage({
  channelId,
  list,
}: {
  channelId: string
  list: Schemas['ConsoleChannelList'] | undefined
}) {
  const numbers = list?.channels.find(({ id }) => id === channelId)?.numbers ?? []
  const [number] = numbers
  if (numbers.some(({ last_inbound_at }) => last_inbound_at !== null)) {
    return (
      <Notice tone="ok" icon="check">
        Your message arrived. You can reply with any text for 24 hours.{' '}
        <ButtonLink to="/conversations">Reply</ButtonLink>
      </Notice>
    )
  }
  return (
    <>
      <p>
        Write &quot;Hi&quot; to <strong>{number?.phone_number ?? 'the number'}</strong> from your own phone. It confirms
        that messages arrive, and lets you reply with any text for 24 hours.
      </p>
      <p className="muted" role="status">
        Waiting for your message… If it doesn&apos;t arrive within a minute, check that the app is published (step 5).
      </p>
    </>
  )
}
