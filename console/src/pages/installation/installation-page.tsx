import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { formatBytes, formatNumber } from '../../components/format-number.ts'
import { Icon } from '../../components/icon.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf, RelativeTime } from '../../components/time.tsx'
import { useSession } from '../../session.ts'
import { AuditOfAll } from './audit-of-all.tsx'
import { DatabaseTables } from './database-tables.tsx'
import { Nodes } from './nodes.tsx'
import { Tenants } from './tenants.tsx'

type Health = Schemas['ConsoleInstallationHealth']

const lookEveryMs = 15_000

/** For operators: what is wrong anywhere, the accounts, what waits, and the settings. No customer, and no word of one. */
export default function InstallationPage() {
  const { user } = useSession()
  if (user.two_factor === 'on') return <Installation />
  return (
    <Page title="Installation">
      <EmptyState icon="shield" title="Operators need two-factor sign-in">
        <p>
          This page shows and changes all accounts of the gateway. <Link to="/settings/security">Turn it on first</Link>
        </p>
      </EmptyState>
    </Page>
  )
}

function Installation() {
  const health = useQuery({
    queryKey: ['installation'],
    queryFn: ({ signal }) => call(api.GET('/console/api/installation', { signal })),
    refetchInterval: lookEveryMs,
  })
  return (
    <Page title="Installation" lead="Counts and states of all accounts on this gateway. Only operators see this page.">
      <div className="stack stack-wide">
        <QueryView query={health}>
          {(data) => (
            <>
              <Troubles items={data.troubles} />
              <Nodes nodes={data.nodes} />
              <Room health={data} />
            </>
          )}
        </QueryView>
        <Tenants />
        <AuditOfAll />
        <SettingsInForce />
      </div>
    </Page>
  )
}

function Troubles({ items }: { items: Health['troubles'] }) {
  return (
    <section className="card" aria-label="Needs attention">
      <div className="card-head">
        <h2>Needs attention</h2>
      </div>
      {items.length === 0 ? (
        <p className="card-body muted">Nothing is wrong: no failing channel, webhook or job, and nothing is late.</p>
      ) : (
        <ul className="plain-list">
          {items.map((item) => (
            <li key={`${item.kind} ${item.account_id} ${item.text}`} className="attention" data-tone={item.tone}>
              <Icon name="alert" />
              <span className="grow">
                <span className="break" dir="auto">
                  {item.text}
                </span>
                <span className="muted block break">{item.fix}</span>
              </span>
              {item.since && (
                <span className="muted small">
                  <RelativeTime at={item.since} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const queueColumns: Column<Health['queues'][number]>[] = [
  { id: 'name', title: 'Queue', cell: ({ name }) => <strong>{name}</strong> },
  { id: 'waiting', title: 'Waiting', number: true, cell: ({ waiting }) => formatNumber(waiting) },
  {
    id: 'oldest',
    title: 'Oldest due',
    cell: ({ oldest_at: at }) => (at === null ? <span className="muted">None</span> : <RelativeTime at={at} />),
  },
]

function Room({ health: { queues, database, backup, growth } }: { health: Health }) {
  return (
    <>
      <div className="tiles">
        <section className="card card-body stack stack-tight" aria-label="Database">
          <h2>Database</h2>
          <p className="big-number">{formatBytes(database.bytes)}</p>
          <p className="small muted">
            {database.engine === 'postgres' ? 'PostgreSQL' : 'SQLite'}; a read takes {formatNumber(database.probe_ms)}{' '}
            ms.
          </p>
          <Growth days={growth} now={database.bytes} />
        </section>
        <section className="card card-body stack stack-tight" aria-label="Backup">
          <h2>Backup</h2>
          <p className="big-number">{backup.at === null ? 'Unknown' : <RelativeTime at={backup.at} />}</p>
          <p className="small muted">
            {backup.by === 'archive'
              ? 'When PostgreSQL last archived its log. Its backups are made with its own tools.'
              : 'The last postern backup of this data folder.'}
          </p>
        </section>
      </div>
      <DatabaseTables />
      <section className="stack" aria-labelledby="queues">
        <h2 id="queues">Queues</h2>
        <div className="table-box">
          <Table caption="Queues" columns={queueColumns} rows={queues} idOf={({ name }) => name} />
        </div>
      </section>
    </>
  )
}

/** Against the oldest day that is known, at most thirty days ago. */
function Growth({ days, now }: { days: Health['growth']; now: number }) {
  const [first] = days
  if (!first || days.length < 2) return null
  const grown = now - first.bytes
  return (
    <p className="small muted">
      {grown >= 0 ? '+' : '−'}
      {formatBytes(Math.abs(grown))} since <DayOf at={first.date} />
    </p>
  )
}

type Setting = Schemas['ConsoleSettingList']['settings'][number]

const settingColumns: Column<Setting>[] = [
  { id: 'name', title: 'Setting', cell: ({ name, description }) => <code title={description}>{name}</code> },
  { id: 'value', title: 'Value', cell: ({ value }) => <span className="break">{value}</span> },
]

function SettingsInForce() {
  const settings = useQuery({
    queryKey: ['installation', 'settings'],
    queryFn: ({ signal }) => call(api.GET('/console/api/installation/settings', { signal })),
  })
  return (
    <section className="stack" aria-labelledby="settings-in-force">
      <h2 id="settings-in-force">Settings</h2>
      <QueryView query={settings}>
        {({ settings: rows }) => (
          <div className="table-box">
            <Table caption="Settings" columns={settingColumns} rows={rows} idOf={({ name }) => name} />
          </div>
        )}
      </QueryView>
    </section>
  )
}
