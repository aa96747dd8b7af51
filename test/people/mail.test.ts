import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { changeAccount, createAccount } from '../../server/src/installation/account.ts'
import { planDeletion } from '../../server/src/installation/delete-account.ts'
import { createMailer, MailRejected } from '../../server/src/lib/mailer.ts'
import { addSetupLink } from '../../server/src/people/setup-link.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findWebhook } from '../../server/src/store/webhooks/webhooks.ts'
import { announceWebhook } from '../../server/src/webhooks/disable-webhook.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { aVisitor, password } from '../support/console/console-world.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

type Received = { to: string[]; text: string }
type Post = { url: string; body: { text: string; kind: string } }

/** A real SMTP server that keeps what it gets, and knows nobody called "gone". */
async function aMailServer() {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone@')) {
        return done(Object.assign(new Error(`No such mailbox ${address}`), { responseCode: 550 }))
      }
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

let mail: Awaited<ReturnType<typeof aMailServer>>
let world: ConsoleService
let hooks: Server
const posts: Post[] = []

beforeAll(async () => {
  mail = await aMailServer()
  hooks = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk))
    request.on('end', () => {
      posts.push({ url: request.url ?? '', body: JSON.parse(text) })
      response.writeHead(request.url === '/broken' ? 500 : 200).end()
    })
  })
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
  world = await aConsoleService('postgres', { POSTERN_SMTP_URL: mail.url, POSTERN_MAIL_FROM: 'postern@gateway.test' })
}, 60_000)
afterAll(async () => {
  await world?.stop()
  await mail?.stop()
  hooks?.closeAllConnections()
  await new Promise((resolve) => hooks.close(resolve))
})

const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))
/** As a mail reader puts the soft line breaks together. */
const linkIn = ({ text }: Received) =>
  /\S+\/setup#token=\S+/.exec(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0] ?? ''

describe('mail', () => {
  test('tells the owners of an account when it will be deleted, and that it will not be', async () => {
    const { rt } = world.service
    let link = ''
    const { account } = await createAccount(rt, { name: 'Harbour', plan: 'free', actor: operator }, (unit, draft) => {
      link = addSetupLink(rt, unit, draft.owner.id, 'owner').link
    })
    const email = 'hanna@harbour.test'
    await aVisitor(world).call('POST', '/setup', { token: tokenOfLink(link), name: 'Hanna', email, password })
    await planDeletion(rt, account.id, operator)
    await waitFor(() => mailsTo(email).length === 1, 15_000)
    expect(mailsTo(email)[0]?.text).toMatch(/Subject: Harbour will be deleted on \d{4}-/)
    await changeAccount(rt, account.id, { status: 'active' }, operator)
    await waitFor(() => mailsTo(email).length === 2, 15_000)
    expect(mailsTo(email)[1]?.text).toContain('Subject: Harbour will not be deleted')
    expect(mailsTo('ana@acme.test').filter(({ text }) => text.includes('Harbour'))).toEqual([])
  }, 60_000)

  test('brings an invitation, whose link works', async () => {
    const invited = { name: 'Ben Ode\r\nBcc: victim@acme.test', email: 'ben@acme.test', role: 'developer' }
    const { data } = (await world.owner.call('POST', '/members', invited)).json
    expect(data.mailed).toBe(true)
    await waitFor(() => mailsTo('ben@acme.test').length === 1, 15_000)
    const [invitation] = mailsTo('ben@acme.test')
    expect(mail.received.flatMap(({ to }) => to)).not.toContain('victim@acme.test')
    expect(invitation?.text).not.toMatch(/^bcc:/im)
    expect(invitation?.text).toMatch(/^Auto-Submitted: auto-generated/im)
    const ben = aVisitor(world)
    const setup = { token: tokenOfLink(linkIn(invitation as Received)), name: 'Ben', email: 'ben@acme.test', password }
    expect((await ben.call('POST', '/setup', setup)).status).toBe(200)
  })

  test('brings a link to a new password, and says the same about every address', async () => {
    const visitor = aVisitor(world)
    const ask = async (email: string) => (await visitor.call('POST', '/sign-in/forgot', { email })).json
    expect(await ask('nobody@acme.test')).toEqual(await ask('ana@acme.test'))
    await waitFor(() => mailsTo('ana@acme.test').length === 1, 15_000)
    const [reset] = mailsTo('ana@acme.test')
    // The password before works until the link is used.
    expect((await visitor.call('POST', '/sign-in', { email: 'ana@acme.test', password })).status).toBe(200)
    const next = 'another correct horse'
    const setup = {
      token: tokenOfLink(linkIn(reset as Received)),
      name: 'Ana Sousa',
      email: 'ana@acme.test',
      password: next,
    }
    expect((await visitor.call('POST', '/setup', setup)).status).toBe(200)
    expect((await aVisitor(world).call('POST', '/sign-in', { email: 'ana@acme.test', password: next })).status).toBe(
      200,
    )
    world.owner.cookie = visitor.cookie
    expect(mailsTo('nobody@acme.test')).toEqual([])
  })

  test('shows what the server would not deliver, and repeats neither link nor address in the log', async () => {
    await world.owner.call('POST', '/members', { name: 'Gone', email: 'gone@acme.test', role: 'viewer' })
    const gone = async () =>
      (await world.owner.call('GET', '/members')).json.data.members.find(
        ({ email }: { email: string }) => email === 'gone@acme.test',
      )
    await waitFor(async () => (await gone()).mail?.status === 'failed', 15_000)
    expect((await gone()).mail.error).toContain('550')
    const log = world.logLines.join('\n')
    expect(log).toContain('mail.not_sent')
    expect(log).not.toContain('gone@acme.test')
    expect(log).not.toContain('#token=')
  })

  test('goes to one person at most ten times in a short time', async () => {
    const { id } = (
      await world.owner.call('POST', '/members', { name: 'Often', email: 'often@acme.test', role: 'viewer' })
    ).json.data.member
    const mailed: boolean[] = []
    for (let nth = 0; nth < 12; nth++)
      mailed.push((await world.owner.call('POST', `/members/${id}/link`, {})).json.data.mailed)
    expect(mailed.filter(Boolean)).toHaveLength(9)
  })

  test('takes one address, and a subject of one line', async () => {
    const mailer = createMailer({ url: mail.url, from: 'postern@gateway.test' })
    const send = (to: string) => mailer.send({ to, subject: 'A\r\nBcc: victim@acme.test\nB', text: '.\r\nline' })
    // Refused by the gateway: another server than this one may take what it is given.
    const refused = new MailRejected('This is no address that mail can be sent to.')
    for (const to of ['a@b.test,victim@acme.test', 'a@b.test>\r\nRCPT TO:<victim@acme.test', '"a b"@b.test', 'a'])
      await expect(send(to), to).rejects.toThrow(refused)
    await send('one@acme.test')
    expect(mailsTo('one@acme.test')[0]?.text).toMatch(/^Subject: A Bcc: victim@acme.test B\r$/m)
    expect(mail.received.flatMap(({ to }) => to)).not.toContain('victim@acme.test')
    mailer.close()
  })
})

describe('alerts', () => {
  test('reach people by mail and at their own address, who chose them and may see them', async () => {
    const base = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
    const { call } = world.owner
    const empty = (await call('GET', '/me/alerts')).json.data
    expect(empty).toMatchObject({ kinds: [], mail: false, url: null, mail_available: true })
    const wrong = await call('PUT', '/me/alerts', { kinds: ['webhook'], mail: true, url: 'ftp://acme.test/x' })
    expect([wrong.status, wrong.json.error.details[0].field]).toEqual([400, 'url'])
    expect((await call('PUT', '/me/alerts', { kinds: ['webhook'], mail: true, url: `${base}/ana` })).status).toBe(200)
    const viewer = aVisitor(world)
    const { link } = (await call('POST', '/members', { name: 'Vi', email: 'vi@acme.test', role: 'viewer' })).json.data
    await viewer.call('POST', '/setup', { token: tokenOfLink(link), name: 'Vi', email: 'vi@acme.test', password })
    await viewer.call('PUT', '/me/alerts', { kinds: ['webhook'], mail: true, url: `${base}/viewer` })

    const { rt } = world.service
    const { data } = (await call('POST', '/webhooks', { url: `${base}/hook`, events: ['message.sent'] })).json
    const [row] = await rt.store.read(findWebhook, { id: data.id, account_id: world.accountId })
    if (!row) throw new Error('no webhook')
    const before = mailsTo('ana@acme.test').length
    const disable = async () => {
      const unit = new Unit()
      announceWebhook(rt, unit, 'webhook.disabled', row as Parameters<typeof announceWebhook>[3])
      await rt.store.write(unit)
    }
    await disable()
    await waitFor(() => mailsTo('ana@acme.test').length === before + 1, 15_000)
    await waitFor(() => posts.some(({ url }) => url === '/ana'), 15_000)
    const told = posts.find(({ url }) => url === '/ana')
    expect(told?.body).toMatchObject({ kind: 'webhook', text: 'My business: A failing webhook was disabled.' })
    expect(posts.some(({ url }) => url === '/viewer')).toBe(false)

    await call('PUT', '/me/alerts', { kinds: ['webhook'], mail: false, url: `${base}/broken` })
    await disable()
    await waitFor(async () => (await call('GET', '/me/alerts')).json.data.failure !== null, 15_000)
    expect((await call('GET', '/me/alerts')).json.data.failure.error).toBe('HTTP 500')
  }, 60_000)

  test('go nowhere the guard does not allow', async () => {
    const { rt } = world.service
    const outcome = await rt.deliver.post({ url: 'http://169.254.1.1/x', headers: {}, body: Buffer.from('{}') })
    expect(outcome).toMatchObject({ kind: 'failure' })
  })
})
