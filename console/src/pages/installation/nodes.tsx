import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { formatBytes, formatNumber, formatPercent } from '../../components/format-number.ts'
import { type Column, Table } from '../../components/table/table.tsx'
import { RelativeTime } from '../../components/time.tsx'

type Node = Schemas['ConsoleInstallationHealth']['nodes'][number]

const states = {
  running: { tone: 'ok', icon: 'check', text: 'Running' },
  down: { tone: 'error', icon: 'alert', text: 'Down' },
  stopped: { tone: 'neutral', icon: 'pause', text: 'Stopped' },
} as const

const columns: Column<Node>[] = [
  { id: 'name', title: 'Node', cell: ({ name }) => <strong className="break">{name}</strong> },
  {
    id: 'state',
    title: 'State',
    cell: ({ state }) => (
      <Chip tone={states[state].tone} icon={states[state].icon}>
        {states[state].text}
      </Chip>
    ),
  },
  { id: 'role', title: 'Role', cell: ({ role }) => role },
  { id: 'version', title: 'Version', cell: ({ version }) => version },
  { id: 'cpu', title: 'CPU', number: true, cell: ({ cpu_percent: cpu }) => formatPercent(cpu) },
  { id: 'lag', title: 'Lag', number: true, cell: ({ loop_lag_ms: lag }) => `${formatNumber(lag)} ms` },
  { id: 'memory', title: 'Memory', number: true, cell: ({ memory_bytes: bytes }) => formatBytes(bytes) },
  {
    id: 'disk',
    title: 'Disk free',
    number: true,
    cell: ({ disk_free_bytes: free, disk_bytes: bytes }) => `${formatBytes(free)} of ${formatBytes(bytes)}`,
  },
  { id: 'clock', title: 'Clock', number: true, cell: ({ clock_offset_ms: ms }) => `${formatNumber(ms)} ms` },
  { id: 'seen', title: 'Last seen', cell: ({ seen_at: at }) => <RelativeTime at={at} /> },
]

/** The processes of the installation, as each last noted itself. */
export function Nodes({ nodes }: { nodes: readonly Node[] }) {
  return (
    <section className="stack" aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <div className="table-box">
        <Table caption="Nodes" columns={columns} rows={nodes} idOf={({ name }) => name} />
      </div>
    </section>
  )
}
