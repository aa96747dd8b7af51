import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Runtime } from '@postern/server/gateway.ts'
import { exitCodes, toCommandFailure } from '../exit-codes.ts'
import { controlPath } from './control-path.ts'

/** What a command does with the data; the same function whether the server or the command line runs it. */
export type Verb = (rt: Runtime, args: unknown) => Promise<object>
export type ControlAnswer = { result: object } | { failure: { message: string; exitCode: number } }
type Question = { name: string; args: unknown; again?: boolean }
export type ControlServer = { close(): Promise<void> }

const bodyBytesMax = 1024 * 1024

/**
 * Lets the command line work while the server runs: HTTP on a socket file that only this user may open. The caller holds
 * the lock of the data folder, so a socket that is there already was left by a server that died.
 */
export async function startControlServer(rt: Runtime, verbs: ReadonlyMap<string, Verb>): Promise<ControlServer> {
  const path = controlPath(rt.config.dataDir)
  rmSync(path, { force: true })
  const server = createServer((request, response) => void answer(rt, verbs, request, response))
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    // The file is made inside this call, so it is never open to others, not even for a moment.
    const mask = process.umask(0o177)
    server.listen(path, listening)
    process.umask(mask)
  })
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      rmSync(path, { force: true })
    },
  }
}

async function answer(
  rt: Runtime,
  verbs: ReadonlyMap<string, Verb>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await outcome(rt, verbs, request)
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

async function outcome(
  rt: Runtime,
  verbs: ReadonlyMap<string, Verb>,
  request: IncomingMessage,
): Promise<ControlAnswer> {
  try {
    const { name, args, again } = JSON.parse(await readText(request)) as Question
    const verb = verbs.get(name)
    if (request.method !== 'POST' || request.url !== '/command' || !verb) {
      return failed(`The running server does not support '${name}': it is another version of Postern. Restart it.`)
    }
    rt.log[again ? 'debug' : 'info']({ command: name }, 'command.received')
    return { result: await verb(rt, args) }
  } catch (error) {
    const failure = toCommandFailure(error)
    if (failure) return failed(failure.message, failure.exitCode)
    rt.log.error({ err: error }, 'command.failed')
    return failed('The command failed in the running server; see its log.')
  }
}

function failed(message: string, exitCode: number = exitCodes.failure): ControlAnswer {
  return { failure: { message, exitCode } }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Error('The command is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
