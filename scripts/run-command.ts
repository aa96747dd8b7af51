import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

export type Outcome = { readonly ok: boolean; readonly output: string; readonly seconds: number }
export type Command = {
  readonly program: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A tool of node_modules, run by this very Node, whatever the machine has. */
export function tool(path: string, ...args: string[]): Command {
  return { program: process.execPath, args: [resolve(root, 'node_modules', path), ...args] }
}

export function script(file: string, ...args: string[]): Command {
  return { program: process.execPath, args: [resolve(root, file), ...args] }
}

/** The npm that runs us, or the one on the path. */
export function npm(...args: string[]): Command {
  const own = process.env.npm_execpath
  return own?.endsWith('.js') ? { program: process.execPath, args: [own, ...args] } : { program: 'npm', args }
}

/** Runs in the root and collects what is printed, so that commands side by side do not talk into each other. */
export function collect({ program, args, env }: Command): Promise<Outcome> {
  const startedAt = performance.now()
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  return new Promise((settle) => {
    const end = (ok: boolean) => settle({ ok, output, seconds: (performance.now() - startedAt) / 1000 })
    child.once('error', (error) => {
      output += `${error.message}\n`
      end(false)
    })
    child.once('close', (code) => end(code === 0))
  })
}

/** Runs with the terminal of this process; rejects when the command fails. */
export function show({ program, args, env }: Command): Promise<void> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['inherit', 2, 2] })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${args.join(' ')} ended with ${code}`))))
  })
}
