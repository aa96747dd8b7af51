import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { postSamples } from '../../samples.ts'

/** The call that sent the last message; before the first, one to copy. */
export function LastCall({ conversation }: { conversation: Schemas['ConsoleSandboxConversation'] | undefined }) {
  const world = useSampleWorld()
  if (!conversation) return null
  const { last_request: last, phone } = conversation
  const request = last ?? { path: '/v1/chat/messages/send', body: { to: phone, message: 'Hello from Postern' } }
  return (
    <section className="stack stack-tight" aria-label="API call">
      <h2>{last ? 'The call that sent the last message' : 'Send the first message'}</h2>
      <CodeBlock samples={postSamples(world, request.path, request.body)} />
    </section>
  )
}
