import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { commandsOf } from '../../cli/src/commands.ts'
import { runCommand } from '../../cli/src/run-command.ts'
import { type RunningProcess, type StartOptions, startPostern, withoutSettings } from './child-process.ts'

export type Ended = { code: number | NodeJS.Signals; stdout: string; stderr: string }
/** A command on its way, in a process of its own or in this one. */
export type RunningCommand = Pick<RunningProcess, 'output' | 'ended' | 'signal'>
type Options = Pick<StartOptions, 'env' | 'input'>

/**
 * Runs a command to its end: the first of each name in a run as a process, so that one that does not end by itself is
 * noticed, the others in this process, which takes a tenth of the processor time. Tests of what belongs to a process
 * (modes of files, the folder it runs in, signals) start one with `startPostern`.
 */
export async function runPostern(args: readonly string[], options: Options = {}): Promise<Ended> {
  const typed = `${args.join(' ')} `
  const name = (await commandsOf(args[0] ?? '')).find((own) => typed.startsWith(`${own.name} `))?.name ?? ''
  if (!isFirst(name)) {
    const command = startHere(args, options)
    return { code: await command.ended, ...command.output }
  }
  const process = startPostern(args, options)
  try {
    return { code: await process.ended, ...process.output }
  } finally {
    await process.destroy()
  }
}

/** Of all workers of this run: one of them makes the file. */
function isFirst(name: string): boolean {
  try {
    writeFileSync(join(process.env.TEST_STARTED_COMMANDS ?? '', name || 'none'), '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    return false
  }
}

/** In this process, for a command that goes on until it gets a signal. */
export function startHere(args: readonly string[], { env, input }: Options = {}): RunningCommand {
  const stdout = textSink()
  const stderr = textSink()
  const host = { env: { ...withoutSettings(process.env), ...env }, stdin: Readable.from(input ? [input] : []) }
  const signals = new EventEmitter()
  return {
    output: {
      get stdout() {
        return stdout.text()
      },
      get stderr() {
        return stderr.text()
      },
    },
    // A signal reaches nothing that has ended.
    ended: runCommand([...args], { ...host, stdout, stderr, signals }).finally(() => signals.removeAllListeners()),
    signal: (signal) => void signals.emit(signal),
  }
}

function textSink() {
  const chunks: Buffer[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return Object.assign(sink, { text: () => Buffer.concat(chunks).toString('utf8') })
}
