import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { diskFolder, memoryFolder } from '../folders.ts'
import { copyInitialised } from './initialised.ts'
import { childEnvironment, chownTree, findPostgresBinaries, type RunAs } from './postgres-binaries.ts'

export type PostgresServer = {
  /** URL of the administration database; `createDatabase` makes others beside it. */
  url: string
  /** Process id of the postmaster; changes with `restart`. */
  readonly pid: number
  /** A folder of the server's user, removed by `stop`. */
  readonly folder: string
  /** The data of the server, inside of it. */
  readonly data: string
  /** Stops the server and removes its files. */
  stop(): Promise<void>
  /** As an operator stops it for a restart: sessions are ended, everything is on disk. */
  shutDown(): Promise<void>
  /** SIGKILL to the postmaster and its backends: a crash. Once it resolves nothing is committed any more. */
  kill(): Promise<void>
  /** Starts the server again on the same data and port after `kill` or `shutDown`. */
  restart(): Promise<void>
}

export type PostgresOptions = {
  durable?: boolean
  /** Further settings, such as `max_connections=40`. */
  settings?: readonly string[]
  /** Any free one unless given. */
  port?: number
  /** Makes the data instead of `initdb`, in a folder that is empty. */
  fill?(folder: string): void
}

/**
 * Starts a throw-away PostgreSQL. By default it is fast and forgets acknowledged commits when it is killed;
 * `durable` servers keep them, live on a real disk, and are the ones to kill or to measure.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { durable = false, settings = [], fill } = options
  const runAs = unprivileged()
  const base = fs.mkdtempSync(path.join(durable ? diskFolder() : memoryFolder(), 'postern-pg-'))
  const bin = findPostgresBinaries(runAs, base)
  const data = path.join(base, 'data')
  fs.mkdirSync(data, { mode: 0o700 })
  if (fill) fill(data)
  else copyInitialised(bin, data, runAs)
  for (const folder of [base, data]) chownTree(folder, runAs)
  const port = options.port ?? (await freePort())
  const command = [path.join(bin, 'postgres'), ...serverArguments(data, port, durable, settings)]
  const guardian = startGuardian(base, command, runAs)
  const log = collect(guardian)
  const server = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: 0,
    folder: base,
    data,
    async shutDown() {
      process.kill(server.pid, 'SIGINT')
      while (readPidFile(data)) await delay(10)
    },
    async stop() {
      const exited = new Promise((resolve) => guardian.once('exit', resolve))
      guardian.ref()
      guardian.stdin?.end()
      await exited
    },
    async kill() {
      // The postmaster first, so that it does not see its backends die and start recovery.
      for (const pid of [server.pid, ...childrenOf(server.pid)]) killNow(pid)
      while (await accepts(port)) await delay(10)
    },
    async restart() {
      server.pid = await launch(guardian, data, log)
    },
  }
  await server.restart()
  return server
}

/**
 * The shell starts one server per line it reads and, when its input ends, stops it and removes the folder. The input
 * is a pipe held by this process, so the server goes away however this process ends, SIGKILL included.
 */
const GUARDIAN_SCRIPT = `
folder=$1; shift; pid=
while read -r _; do
  if [ -n "$pid" ]; then wait "$pid"; fi
  "$@" </dev/null & pid=$!
done
kill -INT "$pid"; wait "$pid"; cd /; rm -rf "$folder"`

function startGuardian(base: string, command: string[], runAs: RunAs): ChildProcess {
  const guardian = spawn('/bin/sh', ['-c', GUARDIAN_SCRIPT, 'sh', base, ...command], {
    ...runAs,
    cwd: base,
    env: childEnvironment(base),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // Nothing of the server may keep the test process alive once its tests are over.
  guardian.unref()
  for (const pipe of [guardian.stdin, guardian.stderr]) if (pipe instanceof net.Socket) pipe.unref()
  return guardian
}

type ServerLog = { text: string }

function collect(guardian: ChildProcess): ServerLog {
  const log = { text: '' }
  guardian.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log.text = (log.text + chunk).slice(-8192)
  })
  return log
}

async function launch(guardian: ChildProcess, data: string, log: ServerLog): Promise<number> {
  const previous = readPidFile(data)?.pid
  const deadline = performance.now() + 30_000
  log.text = ''
  guardian.stdin?.write('\n')
  while (performance.now() < deadline && guardian.exitCode === null) {
    const found = readPidFile(data)
    if (found?.ready && found.pid !== previous) return found.pid
    // Until the last process of a killed server is gone, the new one refuses to share its memory and exits.
    if (/still in use/.test(log.text)) {
      await delay(100)
      log.text = ''
      guardian.stdin?.write('\n')
    }
    await delay(10)
  }
  guardian.stdin?.end()
  throw new Error(`PostgreSQL did not start: ${log.text}`)
}

/** Line 1 of postmaster.pid is the process id, line 8 the state. */
function readPidFile(data: string): { pid: number; ready: boolean } | undefined {
  const lines = readIfThere(path.join(data, 'postmaster.pid'))?.split('\n')
  return lines && { pid: Number(lines[0]), ready: /^ready/.test(lines[7] ?? '') }
}

/** A server that stops removes its file at any moment. */
function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal']

function serverArguments(data: string, port: number, durable: boolean, own: readonly string[]): string[] {
  const common = ['max_connections=200', 'log_min_messages=warning', 'timezone=UTC', 'log_timezone=UTC', 'jit=off']
  const settings = durable ? common : [...common, ...FAST_SETTINGS, 'max_wal_senders=0']
  const flags = [...settings, ...own].flatMap((setting) => ['-c', setting])
  return ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', ...flags]
}

/** `nobody` when root: initdb wants a user id with a passwd entry. */
function unprivileged(): RunAs {
  if (process.getuid?.() !== 0) return {}
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534) }
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  const text = fs.existsSync(list) ? fs.readFileSync(list, 'utf8') : spawnSync('pgrep', ['-P', String(pid)]).stdout
  return String(text).split(/\s+/).filter(Boolean).map(Number)
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })
}
