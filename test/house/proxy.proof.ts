import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTimeoutMs, type RunningProcess, root, startProcess } from '../support/child-process.ts'
import { testCertificates } from '../support/tls.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

// A proof and no test: it needs Debian's nginx and systemd. deploy.test.ts reads the same files on every machine.
const nginx = installed('nginx', ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'])
const systemdAnalyze = installed('systemd-analyze', ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'])
const trueProgram = '/bin/true'

/** The example as it stands, with the places that its first line tells people to change changed. */
function adapted(text: string, changes: Record<string, string>): string {
  let result = text
  for (const [from, to] of Object.entries(changes)) {
    if (!result.includes(from)) throw new Error(`The example no longer has: ${from}`)
    result = result.replaceAll(from, to)
  }
  return result
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function installed(name: string, places: readonly string[]): string {
  const found = places.find((file) => existsSync(file))
  if (!found) throw new Error(`This proof needs ${name}: apt-get install nginx-light systemd`)
  return found
}

describe('the nginx example in front of a gateway', { timeout: processTimeoutMs }, () => {
  let world: World
  let proxy: RunningProcess
  let ca = ''
  let ports = { http: 0, https: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'postern-nginx-'))

  beforeAll(async () => {
    const certificates = await testCertificates()
    ca = certificates.ca
    world = await aWorld('sqlite', { POSTERN_TRUST_PROXY: '127.0.0.1' })
    ports = { http: await freePort(), https: await freePort() }
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const site = adapted(readFileSync(join(root, 'deploy/proxy/nginx.conf'), 'utf8'), {
      'listen 80;': `listen 127.0.0.1:${ports.http};`,
      'listen 443 ssl': `listen 127.0.0.1:${ports.https} ssl`,
      'server 127.0.0.1:8080': `server 127.0.0.1:${new URL(world.service.urls.base).port}`,
      'server_name gateway.example.com;': 'server_name localhost;',
      '/etc/ssl/gateway/fullchain.pem': file('cert.pem', certificates.trusted.cert),
      '/etc/ssl/gateway/privkey.pem': file('key.pem', certificates.trusted.key),
    })
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = folders.map((name) => `${name}_temp_path ${folder};`).join(' ')
    const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
      http { access_log off; ${temporary} include ${file('site.conf', site)}; }`
    proxy = startProcess(nginx, ['-e', 'stderr', '-p', folder, '-c', file('nginx.conf', main)])
    await waitFor(async () => (await ask('/livez').catch(() => null))?.status === 200, 30_000)
  }, processTimeoutMs)
  afterAll(async () => {
    await proxy?.destroy()
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** From an address that is not the proxy's, so that the two can be told apart. */
  async function open(path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<IncomingMessage> {
    const request = httpsRequest({
      host: '127.0.0.1',
      servername: 'localhost',
      localAddress: '127.0.0.2',
      port: ports.https,
      ca,
      path,
      method: body ? 'POST' : 'GET',
      headers: { host: 'localhost', ...headers },
    })
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }

  async function ask(path: string, headers: Record<string, string> = {}, body?: Buffer) {
    const response = await open(path, headers, body)
    let text = ''
    for await (const chunk of response) text += chunk
    return { status: response.statusCode, headers: response.headers, text }
  }

  test('sends http to https', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/v1/events?limit=1`, {
      redirect: 'manual',
      headers: { host: 'localhost' },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://127.0.0.1/v1/events?limit=1'])
  })

  test("passes on the client's own address, and not one that the client made up", async () => {
    const { status, headers } = await ask('/v1/auth/me', { 'x-forwarded-for': '203.0.113.9' })
    expect(status).toBe(401)
    const id = String(headers['x-request-id'])
    const logged = () => world.logLines.find((line) => line.includes(id) && line.includes('remote_ip')) ?? ''
    await waitFor(() => logged() !== '')
    expect(JSON.parse(logged())).toMatchObject({ remote_ip: '127.0.0.2' })
    expect(world.logLines.join('')).not.toContain('proxy.not_trusted')
  })

  test('leaves it to the gateway to refuse a large body', async () => {
    const { status, text } = await ask(
      '/v1/chat/messages/send',
      { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
      Buffer.alloc(2_000_000, ' '),
    )
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ success: false })
  })

  test('passes each event of /v1/listen when it happens', async () => {
    const stream = await open('/v1/listen', { authorization: `Bearer ${world.token}` })
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    let received = ''
    stream.on('data', (chunk: string) => {
      received += chunk
    })
    await waitFor(() => received.includes('event: listening'), 20_000)
    expect(received).not.toContain('message.sent')
    await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Hello' })
    await waitFor(() => received.includes('message.sent'), 20_000)
    expect(stream.complete).toBe(false)
    stream.destroy()
  })
})

describe('the systemd unit', () => {
  const analyze = promisify(execFile)
  const folder = mkdtempSync(join(tmpdir(), 'postern-unit-'))
  const unit = join(folder, 'postern.service')
  writeFileSync(
    unit,
    adapted(readFileSync(join(root, 'deploy/systemd/postern.service'), 'utf8'), {
      '/opt/postern/bin/postern': trueProgram,
    }),
  )
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('has no line that systemd does not know', async () => {
    const { stderr } = await analyze(systemdAnalyze, ['verify', unit])
    expect(stderr.split('\n').filter((line) => line.includes('postern.service'))).toEqual([])
  })

  test('leaves little to attack', () => {
    const report = execFileSync(systemdAnalyze, ['security', '--offline=true', '--no-pager', unit]).toString()
    const [, exposure] = /exposure level for postern\.service: ([\d.]+)/.exec(report) ?? []
    expect(Number(exposure)).toBeLessThan(2)
  })
})
