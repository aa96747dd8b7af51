import { lstatSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { CommandFailure } from '../exit-codes.ts'
import { controlPath } from './control-path.ts'
import type { ControlAnswer } from './control-server.ts'

type AskOptions = {
  /** The same question as a moment ago: the server's log has it only at level debug. */
  again?: boolean
  /** For a question that the command can do without: how long a server that hangs may take. */
  withinMs?: number
}

/** Has the server of this data folder run a command; null when none is running. */
export async function askServer(
  dataDir: string,
  name: string,
  args: unknown,
  { again = false, withinMs }: AskOptions = {},
): Promise<object | null> {
  const path = controlPath(dataDir)
  if (!isOurs(path)) return null
  const answer = await post(path, JSON.stringify({ name, args, again }), withinMs)
  if (answer === null) return null
  const outcome = JSON.parse(answer) as ControlAnswer
  if ('failure' in outcome) throw new CommandFailure(outcome.failure.message, outcome.failure.exitCode)
  return outcome.result
}

/** A socket in the common temporary folder could belong to another user. */
function isOurs(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isSocket() === true && (process.getuid === undefined || stat.uid === process.getuid())
}

function post(socketPath: string, body: string, withinMs?: number): Promise<string | null> {
  const limit = withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/command', method: 'POST', agent: false, ...limit }, (response) => {
      text(response).then(resolve, reject)
    })
    call.once('error', (error: Error & { code?: string }) => {
      // Left behind by a server that died; or it closed this very moment.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null)
      else
        reject(
          new CommandFailure('The running server stopped before it responded: check whether the command took effect.'),
        )
    })
    call.end(body)
  })
}
