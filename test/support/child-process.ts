import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { tellViolation, violationMark } from './contract/violations.ts'
import { searchLog } from './leaks/leaks.ts'
import { programFile } from './programs/program-file.ts'

export const root = resolve(import.meta.dirname, '../..')

export type RunningProcess = {
  readonly pid: number
  /** Everything printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string }
  /** The first line of stdout that `wanted` accepts; fails with everything printed when the process ends before. */
  line(wanted: (line: string) => boolean, deadlineMs?: number): Promise<string>
  /** Resolves with the exit code, or the name of the signal that ended it, once all output has arrived. */
  readonly ended: Promise<number | NodeJS.Signals>
  signal(signal: NodeJS.Signals): void
  /** For the end of a test: gone for certain, together with everything it started. */
  destroy(): Promise<void>
}

/** A start takes a second; a machine that runs ten other things at once may need twenty. */
const startDeadlineMs = 60_000
/** For tests that start several. */
export const processTimeoutMs = 3 * startDeadlineMs

export type StartOptions = {
  env?: Record<string, string | undefined>
  cwd?: string
  /** All of stdin; without it that is empty. */
  input?: string | Uint8Array
}

/** A sandbox of that process holds its exchanges against the recorded contract too. */
const preload = process.env.VITEST === undefined ? '' : `--require "${root}/test/support/contract/preload.cjs"`

/** Starts a program in a process group of its own. Settings of the developer's shell do not reach it. */
export function startProcess(command: string, args: readonly string[], options: StartOptions = {}): RunningProcess {
  const env = { ...withoutSettings(process.env), NODE_OPTIONS: preload, ...options.env }
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A program that does not read it may have ended already.
  child.stdin.on('error', () => {}).end(options.input)
  const output = { stdout: '', stderr: '' }
  const read = (name: 'stdout' | 'stderr') =>
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk
    })
  read('stdout')
  read('stderr')
  const ended = once(child, 'close').then(([code, signal]) => {
    for (const line of output.stderr.split('\n')) {
      if (line.startsWith(violationMark)) tellViolation(line.slice(violationMark.length))
      if (line.startsWith('{"level"')) searchLog(line)
    }
    return (code ?? signal) as number | NodeJS.Signals
  })
  ended.catch(() => {})
  return {
    pid: child.pid ?? 0,
    output,
    line: (wanted, deadlineMs = startDeadlineMs) => lineOf(child, output, wanted, deadlineMs),
    ended,
    signal: (signal) => void child.kill(signal),
    async destroy() {
      killGroup(child)
      await ended.catch(() => {})
    },
  }
}

export function startPostern(
  args: readonly string[],
  {
    program = programFile(args[0] === 'serve' ? 'serve' : 'postern'),
    ...options
  }: StartOptions & { program?: string | undefined } = {},
): RunningProcess {
  return startProcess(process.execPath, [program, ...args], options)
}

async function lineOf(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  wanted: (line: string) => boolean,
  deadlineMs: number,
): Promise<string> {
  const end = AbortSignal.timeout(deadlineMs)
  for (;;) {
    const found = output.stdout.split('\n').slice(0, -1).find(wanted)
    if (found !== undefined) return found
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded || end.aborted) {
      throw new Error(`${hasEnded ? 'ended' : `silent for ${deadlineMs} ms`}\n${output.stdout}\n${output.stderr}`)
    }
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'close'), once(end, 'abort')])
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}

export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = /^(POSTERN_|npm_|VITEST|NODE_ENV$|NODE_OPTIONS$)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)))
}
