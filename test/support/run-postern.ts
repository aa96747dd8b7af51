import { Readable, Writable } from 'node:stream'
import { commandsOf } from '../../cli/src/commands.ts'
import { runCommand } from '../../cli/src/run-command.ts'
import { type StartOptions, startPostern, withoutSettings } from './child-process.ts'

export type Ended = { code: number | NodeJS.Signals; stdout: string; stderr: string }
type Options = Pick<StartOptions, 'env' | 'input'>

const started = new Set<string>()

/**
 * Runs a command to its end: the first of each name as a process, so that one that does not end by itself is noticed,
 * the others in this process, which takes a tenth of the processor time. Tests of what belongs to a process (modes of
 * files, the folder it runs in, signals) start one with `startPostern`.
 */
export async function runPostern(args: readonly string[], options: Options = {}): Promise<Ended> {
  const typed = `${args.join(' ')} `
  const name = (await commandsOf(args[0] ?? '')).find((own) => typed.startsWith(`${own.name} `))?.name ?? ''
  if (started.has(name)) return runHere(args, options)
  const process = startPostern(args, options)
  try {
    const code = await process.ended
    started.add(name)
    return { code, ...process.output }
  } finally {
    await process.destroy()
  }
}

async function runHere(args: readonly string[], { env, input }: Options): Promise<Ended> {
  const stdout = textSink()
  const stderr = textSink()
  const host = { env: { ...withoutSettings(process.env), ...env }, stdin: Readable.from(input ? [input] : []) }
  const code = await runCommand([...args], { ...host, stdout, stderr })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
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
