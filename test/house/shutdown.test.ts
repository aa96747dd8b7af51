import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processTimeoutMs, type RunningProcess, startPostern } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { runPostern } from '../support/run-postern.ts'
import { accepts } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const anyPorts = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0', '--json']
const running: RunningProcess[] = []
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(dataFolder(), 'postern-shutdown-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.destroy()))
  await rm(folder, { recursive: true, force: true })
})

async function ready(process: RunningProcess): Promise<{ process: RunningProcess; baseUrl: string }> {
  running.push(process)
  const line = await process.line((text) => text.includes('"event":"ready"'))
  const baseUrl = (JSON.parse(line) as { base_url: string }).base_url
  expect((await fetch(`${baseUrl}/livez`)).status).toBe(200)
  return { process, baseUrl }
}

function serve(env: Record<string, string> = {}) {
  return ready(startPostern(['serve', ...anyPorts, '--data', folder], { env }))
}

/** Long enough to look at a server on its way out; the test ends it earlier. */
const slowStop = { POSTERN_SHUTDOWN_DELAY: '20s' }

async function stopping(process: RunningProcess): Promise<void> {
  await waitFor(() => process.output.stderr.includes('"msg":"stopping"'))
}

async function health(baseUrl: string): Promise<[code: number | string, stdout: string, stderr: string]> {
  const { code, stdout, stderr } = await runPostern(['health', '--port', new URL(baseUrl).port])
  return [code, stdout, stderr]
}

describe('a server that is asked to stop', { timeout: processTimeoutMs }, () => {
  // After SIGTERM too: test/house/first-run.test.ts, where one is stopped in any case.
  test('finishes with 0 after SIGINT and frees its port', async () => {
    const { process, baseUrl } = await serve()
    process.signal('SIGINT')
    expect(await process.ended).toBe(0)
    expect(await accepts(baseUrl)).toBe(false)
  })

  test('does not wait for ever for a client that never finishes its request', async () => {
    const { process, baseUrl } = await serve({ POSTERN_SHUTDOWN_TIMEOUT: '500ms' })
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {}).write('POST /v1/auth/token HTTP/1.1\r\nhost: gateway.test\r\ncontent-le')
    process.signal('SIGTERM')
    expect(await process.ended).toBe(0)
    socket.destroy()
  })

  test('says so to load balancers and `postern health` while it still answers, and exits at once with 130 after a later signal', async () => {
    const { process, baseUrl } = await serve(slowStop)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const connectionHeader = async () => {
      const [response] = (await once(get(`${baseUrl}/livez`, { agent }), 'response')) as [IncomingMessage]
      await once(response.resume(), 'end')
      return response.headers.connection
    }
    expect(await connectionHeader()).toBe('keep-alive')
    expect(await health(baseUrl)).toEqual([0, 'The gateway is ready.\n', ''])
    process.signal('SIGTERM')
    await stopping(process)
    // Within half a second these are the same signal. They have been handled once a later request is answered: the
    // server lives on.
    process.signal('SIGINT')
    process.signal('SIGTERM')
    expect((await fetch(`${baseUrl}/livez`)).status).toBe(200)
    await waitFor(async () => (await fetch(`${baseUrl}/readyz`)).status === 503)
    expect((await fetch(`${baseUrl}/livez`)).status).toBe(200)
    // Kept connections end with an answer, so that no client finds one closed.
    expect(await connectionHeader()).toBe('close')
    agent.destroy()
    const address = baseUrl.replace('localhost', '127.0.0.1')
    expect(await health(baseUrl)).toEqual([1, '', `The gateway at ${address} is not ready: accepting.\n`])
    await delay(600) // the first 500 ms belong to the first signal
    process.signal('SIGINT')
    expect(await process.ended).toBe(130)
    expect(await health(baseUrl)).toEqual([1, '', `No gateway responds at ${address}.\n`])
  })
})
