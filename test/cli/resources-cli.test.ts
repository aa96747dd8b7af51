import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../../cli/src/commands.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { runPostern } from '../support/run-postern.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

let world: World
let folder: string
beforeAll(async () => {
  world = await aWorld('sqlite', { POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8' })
  folder = await mkdtemp(join(dataFolder(), 'postern-cli-'))
}, 60_000)
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true })
})

const withKey = () => ({
  POSTERN_BASE_URL: world.service.urls.base,
  POSTERN_API_KEY: world.apiKey,
  POSTERN_API_SECRET: world.apiSecret,
})

async function postern(args: readonly string[], env: Record<string, string> = withKey()) {
  const own = { XDG_CONFIG_HOME: folder, POSTERN_DATA_DIR: join(folder, 'none') }
  const ended = await runPostern(args, { env: { ...own, ...env } })
  expect(ended.stdout + ended.stderr).not.toContain(world.apiSecret)
  return ended
}

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await postern([...args, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

describe('commands that are one call of the API', { timeout: processTimeoutMs }, () => {
  test('list and show messages', async () => {
    const { message_id } = await json('send', '--to', world.customer, '--text', 'Hi')
    const [listed, shown] = await Promise.all([
      postern(['messages', 'list', '--phone', world.customer, '--limit', '1']),
      json('messages', 'get', message_id),
    ])
    expect(listed.stdout).toContain(message_id)
    expect(shown).toMatchObject({ message_id, content: { text: 'Hi' } })
  })

  test('register a webhook with the secret of the environment, and delete it only when told twice', async () => {
    const args = ['webhooks', 'create', '--url', 'https://shop.test/hooks', '--events', 'message.*', '--json']
    const made = await postern(args, { ...withKey(), POSTERN_WEBHOOK_SECRET: 'only-for-this-test' })
    expect(made.code, made.stderr).toBe(0)
    const { id } = JSON.parse(made.stdout)
    expect(made.stdout).not.toContain('only-for-this-test')
    const [listed, resent, unconfirmed] = await Promise.all([
      postern(['webhooks', 'list']),
      json('events', 'resend', '--webhook', id, '--since', new Date(Date.now() - 60_000).toISOString()),
      postern(['webhooks', 'delete', id]),
    ])
    expect(listed.stdout).toMatch(new RegExp(`${id} .*message\\.\\*.*https://shop\\.test/hooks`))
    expect(resent).toMatchObject({ queued: 0 })
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('add --yes')])
    expect(await json('webhooks', 'delete', id, '--yes')).toEqual({ id, deleted: true })
  })

  test('change a webhook, test it, check it and rotate its secret', async () => {
    const receiver = await startHostileReceiver()
    try {
      receiver.echo('plain')
      const url = `${receiver.url}/hooks`
      const { id } = await json('webhooks', 'create', '--url', url, '--events', 'template.status_changed')
      expect(await json('webhooks', 'verify', id)).toMatchObject({
        signed: false,
        verification: { status: 'verified' },
      })
      const changed = await json('webhooks', 'update', id, '--events', 'message.*', '--description', 'Shop')
      expect(changed).toMatchObject({ events: ['message.*'], description: 'Shop', url, active: true })
      const [tested, rotated, nothing, wrong] = await Promise.all([
        json('webhooks', 'test', id, '--type', 'message.received'),
        json('webhooks', 'rotate-secret', id, '--overlap', '60'),
        postern(['webhooks', 'update', id]),
        postern(['webhooks', 'update', id, '--active', 'maybe']),
      ])
      expect(tested).toMatchObject({ type: 'message.received', attempt: { trigger: 'test', url } })
      expect(rotated).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) })
      expect([nothing.code, nothing.stderr]).toEqual([2, 'Give --url, --events, --active or --description.\n'])
      expect([wrong.code, wrong.stderr]).toEqual([2, '--active is one of true, false.\n'])
      expect(await json('webhooks', 'update', id, '--active', 'false')).toMatchObject({ active: false, signed: true })
      await json('webhooks', 'delete', id, '--yes')
    } finally {
      await receiver.close()
    }
  })

  test('count messages, by day and by group', async () => {
    await json('send', '--to', world.customer, '--text', 'Counted')
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
    const [byDay, byType, report] = await Promise.all([
      postern(['analytics']),
      postern(['analytics', '--group', 'type', '--since', dayAgo, '--by', 'hour']),
      json('analytics', '--group', 'type'),
    ])
    expect(byDay.stdout).toMatch(
      /^start +sent +delivered +read +failed +received\n(\d{4}-\d\d-\d\dT\S+( +\d+){5}\n)+total( +\d+){5}\n$/,
    )
    expect(byType.stdout).toMatch(/^type +sent .*\n(.+\n)*text +[1-9]/)
    expect(report).toMatchObject({ group_by: ['type'], totals: { sent: expect.any(Number) } })
  })

  test('upload a file and bring back the same bytes, and replace none', async () => {
    const file = join(folder, 'invoice.pdf')
    await writeFile(file, '%PDF-1.7 one invoice')
    const { media_id, filename } = await json('media', 'upload', '--file', file)
    expect(filename).toBe('invoice.pdf')
    const out = join(folder, 'copy.pdf')
    await json('media', 'download', media_id, '--out', out)
    expect(await readFile(out, 'utf8')).toBe('%PDF-1.7 one invoice')
    expect((await postern(['media', 'download', media_id, '--out', out])).stderr).toContain('already exists')
  })

  test('write and copy the recipients of a broadcast who failed, and show why a message failed', async () => {
    const [unreachable, fine] = ['+12025550102', '+12025550101']
    const parameters = ['Ana', 'A-1', '9 EUR'].map((text) => ({ type: 'text', text }))
    const { status, body } = await world.post('/v1/chat/broadcasts', {
      ...{ name: 'Orders', template: 'order_confirmation', language: 'en_US', start: true },
      components: [{ type: 'body', parameters }],
      recipients: [unreachable, fine].map((to) => ({ to })),
    })
    expect(status).toBe(201)
    const { id } = body.data
    await waitFor(async () => (await world.get(`/v1/chat/broadcasts/${id}`)).body.data.counts.failed === 1, 30_000)
    const [copied, none, listed] = await Promise.all([
      json('broadcasts', 'copy', id, '--name', 'Second try'),
      postern(['broadcasts', 'copy', id, '--code', 'recipient_blocked']),
      postern(['messages', 'list', '--status', 'failed', '--phone', unreachable]),
    ])
    expect(copied).toMatchObject({ name: 'Second try', status: 'draft', counts: { accepted: 1 } })
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No recipient has the result failed')])
    expect(listed.stdout).toContain('failed: recipient_unreachable')
    const out = join(folder, 'failed.csv')
    expect(await json('broadcasts', 'export', id, '--result', 'failed', '--out', out)).toEqual({ id, file: out })
    const [, ...rows] = (await readFile(out, 'utf8')).trim().split('\n')
    expect(rows).toEqual([expect.stringContaining(unreachable)])
  })

  test('create a template from a file, and say what is wrong with one', async () => {
    const file = join(folder, 'template.json')
    const components = [{ type: 'body', text: 'Your parcel is here.' }]
    await writeFile(file, JSON.stringify({ name: 'parcel_here', language: 'en_US', category: 'utility', components }))
    expect(await json('templates', 'create', '--file', file)).toMatchObject({ name: 'parcel_here' })
    const listed = await postern(['templates', 'list', '--name', 'parcel_here'])
    expect(listed.stdout).toMatch(/parcel_here +en_US +utility/)
    const draft = { name: 'parcel_late', language: 'en_US', category: 'utility', submit: false }
    await writeFile(file, JSON.stringify({ ...draft, components: [{ type: 'body', text: 'Your parcel is late.' }] }))
    const { id } = await json('templates', 'create', '--file', file)
    await writeFile(file, JSON.stringify({ components: [{ type: 'body', text: 'It comes today.' }], submit: false }))
    expect(JSON.stringify(await json('templates', 'update', id, '--file', file))).toContain('It comes today.')
    expect(await json('templates', 'update', id)).toMatchObject({ id, status: 'pending' })
    await writeFile(file, '{')
    const [broken, missing] = await Promise.all([
      postern(['templates', 'create', '--file', file]),
      postern(['templates', 'get', 'tpl_none']),
    ])
    expect([broken.code, broken.stderr]).toEqual([2, `--file: ${file}: The body is not valid JSON (at character 1).\n`])
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('template_not_found')])
  })
})

describe('postern login', { timeout: processTimeoutMs }, () => {
  test('keeps a key that works in a file of its own, and logout forgets it', async () => {
    const { POSTERN_BASE_URL: address, ...key } = withKey()
    const at = ['--base-url', address]
    const wrong = await postern(['login', ...at], { ...key, POSTERN_API_SECRET: 'pts_wrong' })
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('does not accept this API key and secret')])
    const file = join(folder, 'postern', 'logins.json')
    await expect(stat(file)).rejects.toThrow()
    expect((await postern(['login', ...at], key)).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const listed = await postern(['events', 'list', '--limit', '1'], {})
    expect([listed.code, listed.stderr]).toEqual([0, `Gateway: ${address}\n`])
    const elsewhere = await postern(['events', 'list', '--base-url', 'https://other.test'], {})
    expect([elsewhere.code, elsewhere.stderr]).toEqual([4, expect.stringContaining('postern login')])
    expect((await postern(['logout'], {})).code).toBe(0)
    expect((await postern(['events', 'list'], {})).code).toBe(4)
  })
})

describe('postern completion', { timeout: processTimeoutMs }, () => {
  test('completes commands, second words and flags in bash', async () => {
    const { stdout: script } = await postern(['completion', 'bash'])
    const complete = (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ')
      const body = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _postern; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', `${script}\n${body}`], { encoding: 'utf8' }).trim()
    }
    expect(complete('postern', 'templ')).toBe('templates')
    expect(complete('postern', 'messages', '')).toBe('list get settle ask')
    expect(complete('postern', 'send', '--te')).toBe('--text --template')
    expect(complete('postern', 'webhooks', 'create', '--ev')).toBe('--events')
    for (const { name } of await allCommands()) expect(script).toContain(`'${name}')`)
  })

  test('has a line for each flag in fish, and names the shells it knows', async () => {
    const [fish, unknown] = await Promise.all([postern(['completion', 'fish']), postern(['completion', 'cmd'])])
    expect(fish.stdout).toContain("-l forward-to -r -d 'Where each event is posted")
    expect([unknown.code, unknown.stderr]).toEqual([2, 'There is a script for bash, zsh, fish.\n'])
  })
})
