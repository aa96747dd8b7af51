import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root, startProcess } from '../test/support/child-process.ts'
import { type Bench, median, type Row, residentMegabytesOf, round } from './harness.ts'

const rounds = 5
/** Start-up garbage is gone by then. */
const idleMs = 3_000

/** From `postern serve` to the ready line on existing data, and the memory of a server that does nothing. */
export const startBench: Bench = {
  name: 'start',
  summary: 'time to ready on existing data and idle memory, from sources and from the build',
  async run() {
    const programs = { sources: 'cli/bin/postern.js', build: 'dist/cli/bin/postern.js' }
    const present = Object.entries(programs).filter(([, file]) => existsSync(join(root, file)))
    const rows: Row[] = []
    for (const [name, file] of present) rows.push(await measure(name, file))
    return [{ title: 'Start on existing data', rows }]
  },
}

async function measure(name: string, file: string): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
  try {
    await startOnce(file, folder) // creates the data and fills the compile cache
    const starts: Start[] = []
    for (let turn = 0; turn < rounds; turn++) starts.push(await startOnce(file, folder))
    const seconds = starts.map((start) => start.seconds)
    return {
      program: name,
      'ready s, median': round(median(seconds)),
      best: round(Math.min(...seconds)),
      'idle MB, median': Math.round(median(starts.map(({ megabytes }) => megabytes))),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Start = { seconds: number; megabytes: number }

async function startOnce(file: string, folder: string): Promise<Start> {
  const startedAt = performance.now()
  const ports = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']
  const server = startProcess(process.execPath, [file, 'serve', ...ports, '--data', folder, '--json'])
  try {
    await server.line((line) => line.includes('"event":"ready"'))
    const seconds = (performance.now() - startedAt) / 1000
    await delay(idleMs)
    const megabytes = residentMegabytesOf(server.pid)
    server.signal('SIGTERM')
    await server.ended
    return { seconds, megabytes }
  } finally {
    await server.destroy()
  }
}
