import { useParams } from 'wouter'
import { MessageLog } from './message-log.tsx'
import { MessageView } from './message-view.tsx'

/** The log, or one message of it: ids of the channel may hold slashes, so the rest of the address is the id. */
export default function MessagesPage() {
  const { '*': id = '' } = useParams<{ '*'?: string }>()
  return id === '' ? <MessageLog /> : <MessageView key={id} id={decoded(id)} />
}

/** The router leaves signs like = and / as they stand in the address. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
