import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Chip, StatusChip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf } from '../../components/time.tsx'
import { useMay, useSession } from '../../session.ts'
import { InviteDialog, LinkDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx'
import { TwoFactorRule } from './two-factor-rule.tsx'

export type Member = Schemas['ConsoleMember']
type Act = { kind: 'role' | 'remove' | 'link'; member: Member }

export function MembersSection() {
  const client = useQueryClient()
  const mayWrite = useMay('members:write')
  const [isInviting, setInviting] = useState(false)
  const [act, setAct] = useState<Act | null>(null)
  const members = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => call(api.GET('/console/api/members', { signal })),
  })
  const close = () => {
    setAct(null)
    setInviting(false)
    void client.invalidateQueries({ queryKey: ['members'] })
  }
  return (
    <QueryView query={members} shape="table">
      {({ members: rows }) => (
        <>
          <div className="row row-apart">
            <p className="muted">People who can sign in here. Programs use API keys, which have their own page.</p>
            {mayWrite && (
              <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>
                Invite a member
              </Button>
            )}
          </div>
          <div className="table-box">
            <MemberTable members={rows} onAct={mayWrite ? setAct : null} />
          </div>
          <TwoFactorRule members={rows} />
          <SameByCode>
            <CodeBlock
              title="Create a user, on the gateway host, in the clone"
              samples={{
                shell:
                  'npx --no-install postern users create --email ana@acme.example --name "Ana Sousa" --role developer',
              }}
            />
          </SameByCode>
          {isInviting && <InviteDialog onClose={close} />}
          {act?.kind === 'role' && <RoleDialog member={act.member} onClose={close} />}
          {act?.kind === 'remove' && <RemoveDialog member={act.member} onClose={close} />}
          {act?.kind === 'link' && <LinkDialog member={act.member} onClose={close} />}
        </>
      )}
    </QueryView>
  )
}

function MemberTable({ members, onAct }: { members: readonly Member[]; onAct: ((act: Act) => void) | null }) {
  const { user } = useSession()
  const columns: Column<Member>[] = [
    {
      id: 'name',
      title: 'Name',
      cell: ({ id, name }) => (
        <strong>
          {name} {id === user.id && <span className="muted">(you)</span>}
        </strong>
      ),
    },
    { id: 'email', title: 'Email', cell: ({ email }) => email },
    { id: 'role', title: 'Role', cell: ({ role }) => <span className="role">{role}</span> },
    {
      id: 'status',
      title: 'Status',
      cell: ({ status, mail }) => (
        <>
          <StatusChip status={status} />
          {mail?.status === 'failed' && (
            <Chip tone="error" icon="alert">
              {`Mail not delivered: ${mail.error ?? 'unknown reason'}`}
            </Chip>
          )}
        </>
      ),
    },
    {
      id: 'two-factor',
      title: 'Two-factor',
      cell: ({ two_factor: isOn }) =>
        isOn ? (
          <Chip tone="ok" icon="shield">
            On
          </Chip>
        ) : (
          <span className="muted">Off</span>
        ),
    },
    { id: 'since', title: 'Since', cell: (row) => <DayOf at={row.created_at} /> },
  ]
  if (onAct) {
    columns.push({
      id: 'menu',
      title: 'Actions',
      quietTitle: true,
      cell: (member) => <MemberMenu member={member} onAct={onAct} />,
    })
  }
  return <Table caption="Members" columns={columns} rows={members} idOf={({ id }) => id} />
}

function MemberMenu({ member, onAct }: { member: Member; onAct: (act: Act) => void }) {
  const { user } = useSession()
  const item = (kind: Act['kind'], label: string, icon: IconName) => ({
    label,
    icon,
    onSelect: () => onAct({ kind, member }),
  })
  return (
    <Menu
      label={`Actions for ${member.name}`}
      trigger={<Icon name="dots" size={16} />}
      items={[
        item('role', 'Change role', 'shield'),
        ...(member.id === user.id ? [] : [item('link', 'New invite link', 'link')]),
        { ...item('remove', 'Remove', 'ban'), danger: true },
      ]}
    />
  )
}
