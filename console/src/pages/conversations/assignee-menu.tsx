import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { Avatar } from '../../inbox/avatar.tsx'
import { useAssignees } from '../../inbox/inbox-counts.ts'
import { useSession } from '../../session.ts'
import type { Conversation } from './conversations-query.ts'

/** Who replies to the customer: me, a colleague, or nobody. Who was faster is said, and keeps the conversation. */
export function AssigneeMenu({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const { user } = useSession()
  const assignees = useAssignees().data?.assignees ?? []
  const { customer, assignee } = conversation
  async function assign(to: string | null): Promise<void> {
    const params = { path: { customer_id: customer } }
    const body = { assignee: to, if_assignee: assignee?.user_id ?? null }
    try {
      await call(api.PUT('/console/api/conversations/{customer_id}/assignee', { params, body }))
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The conversation could not be assigned')
    }
    await client.invalidateQueries({ queryKey: ['conversations'] })
    await client.invalidateQueries({ queryKey: ['inbox'] })
  }
  const isMine = assignee?.user_id === user.id
  const others = assignees.filter(({ user_id }) => user_id !== user.id && user_id !== assignee?.user_id)
  return (
    <>
      {!isMine && (
        <Button icon="user" data-inbox-key="a" onClick={() => void assign(user.id)}>
          <span className="thread-word">Assign to me</span>
        </Button>
      )}
      <Menu
        label={assignee ? `Assigned to ${assignee.name}` : 'Assign'}
        iconOnly={assignee === null}
        trigger={
          assignee ? (
            <span className="assignee-trigger">
              <Avatar name={assignee.name} of={assignee.user_id} small />
              <span className="thread-word" dir="auto">
                {isMine ? 'You' : assignee.name}
              </span>
            </span>
          ) : (
            <Icon name="dots" size={16} />
          )
        }
        items={[
          ...others.map(({ user_id, name }) => ({
            label: name,
            icon: 'user' as const,
            onSelect: () => void assign(user_id),
          })),
          ...(assignee ? [{ label: 'Nobody', icon: 'ban' as const, onSelect: () => void assign(null) }] : []),
        ]}
      />
    </>
  )
}
