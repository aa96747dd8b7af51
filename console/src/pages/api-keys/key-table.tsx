import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Chip, StatusChip } from '../../components/chip.tsx'
import { CopyText, shortened } from '../../components/form/copy.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { Icon } from '../../components/icon.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { Menu, type MenuItem } from '../../components/overlay/menu.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf, RelativeTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { never } from '../../texts.ts'
import { type ApiKey, accessWords, isUnused } from './access.ts'
import { KeyForm } from './key-form.tsx'

type Act = { kind: 'rotate' | 'revoke' | 'edit'; apiKey: ApiKey }
type Created = Schemas['ConsoleCreatedApiKey']

export function KeyTable({ keys, onRotated }: { keys: readonly ApiKey[]; onRotated: (created: Created) => void }) {
  const [act, setAct] = useState<Act | null>(null)
  const close = () => setAct(null)
  const columns: Column<ApiKey>[] = [
    { id: 'name', title: 'Name', cell: ({ name }) => <strong className="key-name">{name}</strong> },
    { id: 'key', title: 'Key', cell: ({ key }) => <CopyText text={key} shown={shortened(key)} what="API key" /> },
    {
      id: 'access',
      title: 'Access',
      cell: (row) => (
        <span className="nowrap" title={row.scopes.join(', ')}>
          {accessWords(row.scopes)}
        </span>
      ),
    },
    { id: 'status', title: 'Status', cell: (row) => <KeyStatus apiKey={row} /> },
    { id: 'created', title: 'Created', cell: (row) => <DayOf at={row.created_at} /> },
    { id: 'used', title: 'Last used', cell: (row) => <LastUse apiKey={row} /> },
    { id: 'calls', title: 'Calls 24 h', number: true, cell: (row) => <Calls apiKey={row} /> },
    {
      id: 'menu',
      title: 'Actions',
      quietTitle: true,
      cell: (row) => <KeyMenu apiKey={row} onAct={(kind) => setAct({ kind, apiKey: row })} />,
    },
  ]
  return (
    <div className="table-box">
      <Table
        caption="API keys"
        columns={columns}
        rows={keys}
        idOf={({ id }) => id}
        isDimmed={({ status }) => status === 'revoked'}
      />
      {act?.kind === 'edit' && <KeyForm apiKey={act.apiKey} onClose={close} />}
      {act?.kind === 'rotate' && <RotateDialog apiKey={act.apiKey} onClose={close} onRotated={onRotated} />}
      {act?.kind === 'revoke' && <RevokeDialog apiKey={act.apiKey} onClose={close} />}
    </div>
  )
}

function KeyMenu({ apiKey, onAct }: { apiKey: ApiKey; onAct: (kind: Act['kind']) => void }) {
  const [, go] = useLocation()
  const mayWrite = useMay('keys:write')
  const mayReadLogs = useMay('logs:read')
  const isAlive = apiKey.status !== 'revoked' && mayWrite
  const items: MenuItem[] = [
    ...(isAlive
      ? ([
          { label: 'Rotate secret', icon: 'refresh', onSelect: () => onAct('rotate') },
          { label: 'Edit access', icon: 'settings', onSelect: () => onAct('edit') },
        ] as const)
      : []),
    ...(mayReadLogs
      ? ([{ label: 'View requests', icon: 'list', onSelect: () => go(requestsOf(apiKey)) }] as const)
      : []),
    ...(isAlive ? ([{ label: 'Revoke', icon: 'ban', danger: true, onSelect: () => onAct('revoke') }] as const) : []),
  ]
  if (items.length === 0) return null
  return <Menu label={`Actions for ${apiKey.name}`} trigger={<Icon name="dots" size={16} />} items={items} />
}

function KeyStatus({ apiKey }: { apiKey: ApiKey }) {
  const { status, previous_secret_until: until } = apiKey
  return (
    <span className="row">
      <StatusChip status={status} />
      {until && status === 'active' && (
        <span title="Both secrets work until then">
          <Chip tone="info" icon="refresh">
            Two secrets
          </Chip>
        </span>
      )}
    </span>
  )
}

function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const { last_used_at: at, last_used_ip: ip } = apiKey
  const unused = isUnused(apiKey, Date.now())
  if (at === null)
    return unused ? (
      <Chip tone="warn" icon="alert">
        Never used
      </Chip>
    ) : (
      <span className="muted">{never}</span>
    )
  return (
    <span className="last-use">
      <span className="last-use-time" data-unused={unused}>
        {unused && <Icon name="alert" size={15} />}
        <RelativeTime at={at} />
      </span>
      {ip && <code className="muted small">{ip}</code>}
    </span>
  )
}

function Calls({ apiKey }: { apiKey: ApiKey }) {
  const mayReadLogs = useMay('logs:read')
  const count = formatNumber(apiKey.calls_24h)
  if (!mayReadLogs) return count
  return (
    <Link to={requestsOf(apiKey)} aria-label={`${count} calls of ${apiKey.name} in 24 hours`}>
      {count}
    </Link>
  )
}

function requestsOf({ id }: ApiKey): string {
  return `/logs?key_id=${encodeURIComponent(id)}`
}

type ActProps = { apiKey: ApiKey; onClose: () => void }

function RotateDialog({ apiKey, onClose, onRotated }: ActProps & { onRotated: (created: Created) => void }) {
  const form = useSubmit(async () => {
    const path = { key_id: apiKey.id }
    const created = await call(api.POST('/console/api/keys/{key_id}/rotate', { params: { path } }))
    onClose()
    onRotated(created)
  })
  return (
    <FormDialog title={`Rotate the secret of ${apiKey.name}`} act="Rotate secret" {...{ form, onClose }}>
      <p>
        You get a new secret, shown once. The current one keeps working for 24 hours, so you can update your services.
        Tokens stay valid.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

function RevokeDialog({ apiKey, onClose }: ActProps) {
  const client = useQueryClient()
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/keys/{key_id}/revoke', { params: { path: { key_id: apiKey.id } } }))
    await client.invalidateQueries({ queryKey: ['keys'] })
    onClose()
    toast(`Revoked ${apiKey.name}`)
  })
  return (
    <FormDialog title={`Revoke ${apiKey.name}?`} act="Revoke key" kind="danger" {...{ form, onClose }}>
      <p>
        Every service that uses <code>{shortened(apiKey.key)}</code> loses access with its next request, and all tokens
        of the key are revoked. This can&apos;t be undone.
      </p>
      {apiKey.last_used_at && (
        <p>
          Last used <RelativeTime at={apiKey.last_used_at} />.
        </p>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
