import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy.tsx'
import { Choices, Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { ExactTime } from '../../components/time.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'

type Member = Schemas['ConsoleMember']
type Invited = Schemas['ConsoleInvited']
type Role = Member['role']
type MemberProps = { member: Member; onClose: () => void }

const roles: readonly { value: Role; label: string; hint: string }[] = [
  { value: 'owner', label: 'Owner', hint: 'Everything, including account and members' },
  { value: 'admin', label: 'Admin', hint: 'Channel, keys, webhooks, messages' },
  { value: 'developer', label: 'Developer', hint: 'Keys, webhooks, logs; phone numbers and texts masked' },
  { value: 'support', label: 'Support', hint: 'Reads messages and replies to customers; no keys' },
  { value: 'viewer', label: 'Viewer', hint: 'Analytics only' },
]

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const confirmed = useConfirmed()
  const { user } = useSession()
  const [draft, keep] = useKeptDraft(user.id, 'invite', { name: '', email: '', role: 'developer' as Role })
  const [invited, setInvited] = useState<Invited | null>(null)
  const form = useSubmit(async () => {
    setInvited(await confirmed(() => call(api.POST('/console/api/members', { body: draft }))))
    keep(null)
  })
  const discard = () => {
    keep(null)
    onClose()
  }
  if (invited) return <LinkShown invited={invited} onClose={onClose} />
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <form className="form" onSubmit={form.onSubmit}>
        <Field
          label="Name"
          required
          maxLength={80}
          value={draft.name}
          error={form.errorOf('name')}
          onChange={(event) => keep({ ...draft, name: event.target.value })}
        />
        <Field
          label="Email"
          type="email"
          required
          value={draft.email}
          error={form.errorOf('email')}
          onChange={(event) => keep({ ...draft, email: event.target.value })}
        />
        <Choices
          legend="Role"
          name="role"
          value={draft.role}
          options={roles}
          onChange={(role) => keep({ ...draft, role })}
        />
        <FailureNotice failure={form.general} />
        <div className="row row-end">
          <Button onClick={discard}>{buttons.cancel}</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Create invite link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function RoleDialog({ member, onClose }: MemberProps) {
  const confirmed = useConfirmed()
  const [role, setRole] = useState<Role>(member.role)
  const form = useSubmit(async () => {
    const path = { user_id: member.id }
    await confirmed(() => call(api.PUT('/console/api/members/{user_id}', { params: { path }, body: { role } })))
    onClose()
    toast(`Changed the role of ${member.name}`)
  })
  return (
    <Dialog title={`Role of ${member.name}`} onClose={onClose}>
      <form className="form" onSubmit={form.onSubmit}>
        <Choices legend="Role" name="role" value={role} options={roles} onChange={setRole} />
        <p className="small muted">{member.name} is signed out everywhere and signs in again with the new role.</p>
        <FailureNotice failure={form.failure} />
        <div className="row row-end">
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="primary" type="submit" busy={form.busy} disabled={role === member.role}>
            Change role
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function RemoveDialog({ member, onClose }: MemberProps) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const form = useSubmit(async () => {
    const path = { user_id: member.id }
    await confirmed(() => call(api.DELETE('/console/api/members/{user_id}', { params: { path } })))
    // The row goes first: the focus returns to what is still there.
    await client.invalidateQueries({ queryKey: ['members'] })
    onClose()
    toast(`Removed ${member.name}`)
  })
  return (
    <FormDialog title={`Remove ${member.name}?`} act="Remove member" kind="danger" {...{ form, onClose }}>
      <p>
        {member.name} is signed out everywhere immediately. API keys they created keep working; revoke those separately.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

export function LinkDialog({ member, onClose }: MemberProps) {
  const confirmed = useConfirmed()
  const [invited, setInvited] = useState<Invited | null>(null)
  const form = useSubmit(async () => {
    const path = { user_id: member.id }
    setInvited(await confirmed(() => call(api.POST('/console/api/members/{user_id}/link', { params: { path } }))))
  })
  if (invited) return <LinkShown invited={invited} onClose={onClose} />
  return (
    <FormDialog title={`New link for ${member.name}`} act="Create link" {...{ form, onClose }}>
      <p>
        Earlier links of {member.name} stop working. Anyone who opens the new link can join in their name, so share it
        securely.
      </p>
      {member.status === 'active' && (
        <p>
          For a lost password or phone: {member.name} is signed out of this account and joins again through the link.
        </p>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

/** The gateway sends no mail: the link is handed over by the person who made it. */
function LinkShown({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <Dialog
      title={`Link for ${invited.member.name}`}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Notice tone="warn" icon="link">
        {invited.mailed
          ? `This link is on its way to ${invited.member.email} by mail. It works once and is shown here only once.`
          : `Send this link to ${invited.member.name} yourself. It works once and is shown only once.`}
      </Notice>
      <div className="secret-row">
        <code className="secret-value" data-testid="invite-link">
          {invited.link}
        </code>
        <CopyButton text={invited.link} label="Copy link" />
      </div>
      <p className="small muted">
        Valid until <ExactTime at={invited.expires_at} />.
      </p>
    </Dialog>
  )
}
