/**
 * For working on Postern: `npm run dev [-- flags of serve]`. The server restarts when one of its files changes; the
 * console, once it has pages, is served by Vite with hot reload.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { consoleHasSources } from './build-console.ts'
import { buildDocs } from './build-docs.ts'
import { type Command, root, tool } from './run-command.ts'

buildDocs()
const server: Command = {
  program: process.execPath,
  args: ['--watch', '--watch-preserve-output', 'cli/bin/postern.js', 'serve', ...process.argv.slice(2)],
}
const commands = consoleHasSources() ? [server, tool('vite/bin/vite.js', 'console')] : [server]
const children = commands.map(({ program, args }) => spawn(program, args, { cwd: root, stdio: 'inherit' }))

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopAll(signal))
for (const child of children) child.once('exit', (code) => childEnded(code ?? 1))

/** Ctrl-C reaches the children by itself, being sent to the whole group; they take the second one as the same signal. */
function stopAll(signal: NodeJS.Signals): void {
  stopping = true
  for (const child of children) endChild(child, signal)
}

function childEnded(code: number): void {
  if (stopping) return
  process.exitCode = code
  stopAll('SIGTERM')
}

function endChild(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
}
