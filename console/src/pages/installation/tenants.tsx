import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { StatusChip } from '../../components/chip.tsx'
import { Button } from '../../components/form/button.tsx'
import { formatBytes, formatNumber } from '../../components/format-number.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Menu, type MenuItem } from '../../components/overlay/menu.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import {
  CreateTenantDialog,
  DeleteDialog,
  KeepDialog,
  PlanDialog,
  StatusDialog,
  type Tenant,
} from './tenant-dialogs.tsx'

type Act = { kind: 'plan' | 'status' | 'delete' | 'keep'; tenant: Tenant }

export function Tenants() {
  const client = useQueryClient()
  const [act, setAct] = useState<Act | null>(null)
  const [isCreating, setCreating] = useState(false)
  const tenants = useInfiniteQuery({
    queryKey: ['installation', 'accounts'],
    queryFn: ({ pageParam, signal }) =>
      call(api.GET('/console/api/installation/accounts', { params: { query: { after: pageParam } }, signal })),
    initialPageParam: '',
    getNextPageParam: ({ accounts, more }: Schemas['ConsoleTenantList']) => (more ? accounts.at(-1)?.id : undefined),
  })
  const close = () => {
    setAct(null)
    setCreating(false)
    void client.invalidateQueries({ queryKey: ['installation'] })
  }
  return (
    <section className="stack" aria-labelledby="tenants">
      <div className="row row-apart">
        <h2 id="tenants">Accounts</h2>
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          Create account
        </Button>
      </div>
      <QueryView query={tenants}>
        {({ pages }) => (
          <div className="table-box">
            <Table
              caption="Accounts"
              columns={[...columns, menuColumn(setAct)]}
              rows={pages.flatMap(({ accounts }) => accounts)}
              idOf={({ id }) => id}
            />
          </div>
        )}
      </QueryView>
      {tenants.hasNextPage && (
        <div>
          <Button busy={tenants.isFetchingNextPage} onClick={() => void tenants.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {isCreating && <CreateTenantDialog onClose={close} />}
      {act?.kind === 'plan' && <PlanDialog tenant={act.tenant} onClose={close} />}
      {act?.kind === 'status' && <StatusDialog tenant={act.tenant} onClose={close} />}
      {act?.kind === 'delete' && <DeleteDialog tenant={act.tenant} onClose={close} />}
      {act?.kind === 'keep' && <KeepDialog tenant={act.tenant} onClose={close} />}
    </section>
  )
}

const columns: Column<Tenant>[] = [
  {
    id: 'name',
    title: 'Account',
    cell: ({ name, has_owner: hasOwner }) => (
      <span className="break">
        <strong dir="auto">{name}</strong> {!hasOwner && <span className="muted">(no owner yet)</span>}
      </span>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, delete_at: at }) => (
      <span className="stack stack-tight">
        <span>
          <StatusChip status={status} />
        </span>
        {at !== null && (
          <span className="small">
            Will be deleted on <ExactTime at={at} />
          </span>
        )}
      </span>
    ),
  },
  { id: 'plan', title: 'Plan', cell: ({ plan }) => <span className="role nowrap">{plan}</span> },
  {
    id: 'today',
    title: 'Requests today',
    number: true,
    cell: ({ requests_today: today, requests_quota: quota }) =>
      quota === null ? formatNumber(today) : `${formatNumber(today)} of ${formatNumber(quota)}`,
  },
  {
    id: 'files',
    title: 'Files',
    number: true,
    cell: ({ media_bytes: bytes }) => formatBytes(bytes),
  },
  { id: 'health', title: 'Health', cell: (tenant) => healthOf(tenant) },
  {
    id: 'active',
    title: 'Last active',
    cell: ({ last_active_at: at }) => (at === null ? <span className="muted">Never</span> : <RelativeTime at={at} />),
  },
]

function menuColumn(onAct: (act: Act) => void): Column<Tenant> {
  return {
    id: 'menu',
    title: 'Actions',
    quietTitle: true,
    cell: (tenant) => (
      <Menu
        label={`Actions for ${tenant.name}`}
        trigger={<Icon name="dots" size={16} />}
        items={itemsOf(tenant, onAct)}
      />
    ),
  }
}

function itemsOf(tenant: Tenant, onAct: (act: Act) => void): MenuItem[] {
  const item = (label: string, icon: IconName, kind: Act['kind'], danger = false): MenuItem => ({
    ...{ label, icon, danger },
    onSelect: () => onAct({ kind, tenant }),
  })
  const plan = item('Change plan', 'settings', 'plan')
  if (tenant.delete_at !== null) return [plan, item('Keep account', 'play', 'keep')]
  const status =
    tenant.status === 'active' ? item('Suspend', 'pause', 'status', true) : item('Resume', 'play', 'status')
  return [plan, status, item('Delete', 'ban', 'delete', true)]
}

function healthOf({ channels_failing: channels, webhooks_failing: webhooks }: Tenant) {
  const words = [counted(channels, 'channel'), counted(webhooks, 'webhook')].filter((one) => one !== null)
  return words.length === 0 ? <span className="muted">Good</span> : `${words.join(', ')} failing`
}

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}
