import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import type { Conversation } from './conversations-query.ts'

type Action = 'release' | 'take'

const names: Record<string, string> = {
  ai_agent: 'Meta’s AI agent',
  ctwa: 'the responder for ads',
  customer_service: 'customer service',
  escalation: 'the escalation partner',
  marketing: 'the marketing responder',
  utility: 'the responder for notifications',
}

function nameOf(role: string | null): string {
  return role === null ? 'another responder' : (names[role] ?? role)
}

/** Who replies, where several can. */
export function OwnerChip({ control }: { control: Conversation['control'] }) {
  if (control.owner === 'other') {
    return (
      <Chip tone="warn" icon="user">
        {`Handled by ${nameOf(control.role)}`}
      </Chip>
    )
  }
  return control.shared && control.owner === 'gateway' ? (
    <Chip tone="ok" icon="check">
      Handled here
    </Chip>
  ) : null
}

/** What the previous responder wrote, and how to hand the conversation on. */
export function OwnerNote({ conversation }: { conversation: Conversation }) {
  const mayControl = useMay('conversations:write')
  const { control } = conversation
  const { submit, busy, failure } = useControl(conversation, 'release')
  if (!control.shared || control.owner !== 'gateway') return null
  return (
    <div className="row owner-note">
      <p className="grow small" dir="auto">
        {control.summary === null ? 'You handle this conversation.' : `Handed over with: ${control.summary}`}
      </p>
      {mayControl && (
        <Button kind="quiet" busy={busy} onClick={() => void submit()}>
          Release
        </Button>
      )}
      <FailureNotice failure={failure} />
    </div>
  )
}

/** In the place of the field, where Meta would reject a free text. */
export function OwnedElsewhere({
  conversation,
  onTemplate,
  onAnyway,
}: {
  conversation: Conversation
  onTemplate: () => void
  onAnyway: () => void
}) {
  const mayControl = useMay('conversations:write')
  const { submit, busy, failure } = useControl(conversation, 'take')
  return (
    <div className="stack owner-elsewhere">
      <Notice tone="warn" icon="user">
        {`${capital(nameOf(conversation.control.role))} handles this conversation, so WhatsApp rejects a text from here. Send a template, take the conversation, or wait until it is handed over.`}
      </Notice>
      <FailureNotice failure={failure} />
      <div className="row">
        <Button kind="primary" icon="template" onClick={onTemplate}>
          Send a template
        </Button>
        {mayControl && (
          <Button busy={busy} onClick={() => void submit()}>
            Take the conversation
          </Button>
        )}
        <Button kind="quiet" onClick={onAnyway}>
          Write anyway
        </Button>
      </div>
    </div>
  )
}

function useControl({ customer, number }: Conversation, action: Action) {
  const client = useQueryClient()
  const form = useSubmit(async () => {
    const body = { action, ...(number && { from: number.id }) }
    const params = { path: { customer_id: customer } }
    await call(api.POST('/console/api/conversations/{customer_id}/control', { params, body }))
    await client.invalidateQueries({ queryKey: ['conversations'] })
    toast(action === 'take' ? 'You handle this conversation now' : 'Released')
  })
  return { submit: form.submit, busy: form.busy, failure: form.failure }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
