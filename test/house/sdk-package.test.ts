import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials, FakeGateway } from '../../sdk/src/testing/fake-gateway.ts'
import { processTimeoutMs, root } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { installPackage, runNpm } from '../support/installed-package.ts'

const run = promisify(execFile)
let folder = ''
let project = ''

/** A project of a customer, with what `npm pack -w sdk` packs installed in it. Packed in a copy of the workspace. */
beforeAll(async () => {
  folder = await mkdtemp(join(dataFolder(), 'postern-sdk-'))
  const copy = join(folder, 'clone')
  for (const part of ['sdk/src', 'sdk/package.json', 'sdk/README.md', 'scripts', 'tsconfig.base.json', 'LICENSE']) {
    await cp(join(root, part), join(copy, part), { recursive: true })
  }
  await writeFile(join(copy, 'package.json'), '{"private": true, "workspaces": ["sdk"]}')
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const packed = await runNpm(copy, 'pack', '-w', 'sdk', '--pack-destination', folder)
  project = await installPackage(folder, join(folder, packed.trim().split('\n').at(-1) ?? ''))
}, processTimeoutMs)

afterAll(() => rm(folder, { recursive: true, force: true }))

const body = `
  const secret = 'a plain secret'
  const headers = webhooks.sign({ id: 'evt_1', body: '{"type":"message.read"}', secret })
  const event = webhooks.verify({ body: '{"type":"message.read"}', headers, secret })
  new Postern().messages.get('a/b').then(
    () => console.log('no error'),
    (error) => console.log(event.type, error instanceof errors.NotFoundError, error.code),
  )`

test.each([
  ['ESM', 'app.mjs', `import { Postern, errors, webhooks } from '@postern/sdk'\n${body}`],
  ['CommonJS', 'app.cjs', `const { Postern, errors, webhooks } = require('@postern/sdk')\n${body}`],
])('the built package works from %s', async (_, file, code) => {
  await using gateway = await FakeGateway.start(() => ({
    error: { code: 'message_not_found', type: 'not_found', status: 404 },
  }))
  await writeFile(join(project, file), code)
  const env = {
    POSTERN_BASE_URL: gateway.baseUrl,
    POSTERN_API_KEY: credentials.apiKey,
    POSTERN_API_SECRET: credentials.apiSecret,
  }
  const { stdout } = await run(process.execPath, [file], { cwd: project, env })
  expect(stdout.trim()).toBe('message.read true message_not_found')
  expect(gateway.seen[0]?.url).toBe('/v1/chat/messages/a%2Fb')
})

const typedProgram = `import { type EventType, Postern, type UnknownEvent, webhooks, type errors } from '@postern/sdk'
    export async function demo(postern: Postern, headers: Headers): Promise<errors.PosternError | undefined> {
      for await (const message of postern.messages.list({ status: 'failed' })) message.messageId satisfies string
      const plan = await postern.messages.send({ to: '+1', message: 'x' }, { dryRun: true })
      plan.wouldSend satisfies boolean
      const sent = await postern.messages.send({ to: '+1', message: 'x' }).withResponse()
      sent.data.messageId satisfies string
      const event = webhooks.verify({ body: '', headers, secret: '' })
      if (event.type === 'message.received') event.data.content?.text satisfies string | null | undefined
      // @ts-expect-error a typing error in the type of an event
      if (event.type === 'message.recieved') return undefined
      const message = await postern.messages.get('wamid.1')
      message.status satisfies string
      message.window.expiresAt satisfies string | null
      message.history[0]?.recordedAt satisfies string | undefined
      // @ts-expect-error the size of a file can be unknown
      message.content?.media?.size satisfies number | undefined
      // @ts-expect-error names are camelCase
      message.message_id
      const code: Extract<errors.ErrorCode, 'customer_window_closed'> = 'customer_window_closed'
      await postern.webhooks.create({ url: code, events: ['message.read', 'template.*'] as const })
      await postern.webhooks.create({ url: code, events: ['message.of_the_future' as EventType] })
      // @ts-expect-error a typing error in a subscription
      await postern.webhooks.create({ url: code, events: ['message.recieved'] })
      // @ts-expect-error a family that does not exist
      await postern.webhooks.create({ url: code, events: ['mesage.*'] })
      // @ts-expect-error a message has a text
      await postern.messages.send({ to: '+1' })
      switch (event.type) {
        case 'webhook.verification': case 'message.sent': case 'message.delivered': case 'message.read': case 'message.failed':
        case 'message.canceled': case 'broadcast.started': case 'broadcast.held': case 'broadcast.paused':
        case 'broadcast.resumed': case 'broadcast.completed': case 'broadcast.canceled':
        case 'message.received': case 'message.standby': case 'message.echoed':
        case 'conversation.control_changed': case 'conversation.assigned': case 'conversation.closed':
        case 'customer.preference_changed': case 'payment.updated': case 'template.status_changed':
        case 'template.quality_changed': case 'template.category_changed': case 'template.category_change_announced':
        case 'number.quality_changed': case 'number.limit_changed': case 'number.name_changed':
        case 'number.username_changed': case 'number.throughput_changed': case 'account.restricted': case 'account.warned': case 'account.restored':
        case 'channel.token_expiring': case 'channel.token_lost': case 'channel.disconnected': case 'channel.reconnected':
        case 'webhook.failing': case 'webhook.disabled': case 'account.quota_warning': break
        default: {
          const unknown: UnknownEvent = event
          unknown.type satisfies string
        }
      }
      return undefined
    }`

test.each([
  ['the TypeScript of this repository', join(root, 'node_modules/typescript'), '7.'],
  ['the oldest TypeScript', join(root, 'tools/oldest-typescript/node_modules/typescript'), '5.4.'],
])(
  'its types work from ESM and CommonJS with %s, without skipLibCheck and the types of Node',
  async (_, folder, version) => {
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version).toMatch(version)
    const files = ['typed.mts', 'typed.cts']
    for (const file of files) await writeFile(join(project, file), typedProgram)
    const lib = ['es2022', 'dom', 'dom.asynciterable']
    const language = { strict: true, module: 'nodenext', target: 'es2022', lib, types: [] }
    // Of declarations, only those of the compiler itself are not checked.
    const compilerOptions = { noEmit: true, ...language, skipDefaultLibCheck: true }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const { stdout } = await run(process.execPath, [join(folder, 'bin/tsc'), '-p', '.'], { cwd: project }).catch(
      (failure: { stdout: string }) => failure,
    )
    expect(stdout).toBe('')
  },
  60_000,
)

test('packing leaves the workspace as it was, and packs only what is used', async () => {
  const manifest = (place: string) => readFile(join(place, 'sdk/package.json'), 'utf8')
  expect(await manifest(join(folder, 'clone'))).toBe(await manifest(root))
  expect(await readdir(join(folder, 'clone/sdk'))).toEqual(['README.md', 'dist', 'package.json', 'src'])
  const installed = await readdir(join(project, 'node_modules/@postern/sdk'))
  expect(installed.sort()).toEqual(['README.md', 'dist', 'package.json'])
})

test('the package has no dependencies and names its version', async () => {
  const manifest = JSON.parse(await readFile(join(project, 'node_modules/@postern/sdk/package.json'), 'utf8'))
  const own = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).toMatchObject({ name: own.name, version: own.version, license: own.license })
})
