import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import { png } from '../media/media-samples.ts'
import { root } from '../support/child-process.ts'
import { pythonWith } from '../support/clients/python.ts'
import { aGraphWorld, type GraphWorld } from '../support/graph-world.ts'
import { freePort } from '../support/kills/killed-gateway.ts'
import { recordFigure } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

// A proof and no test: npm brings neither Python nor pywa.
const packages = ['pywa==4.5.0', 'flask==3.1.2']
type Step = { step: string } & Record<string, unknown>

let world: GraphWorld
let folder: string
let python: string | null = null
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-pywa-'))
  python = pythonWith(packages, folder)
  world = await aGraphWorld('sqlite', { POSTERN_RELAY_ALLOW: 'localhost' })
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world?.stop()
})

test('a bot made with pywa sets its address, hears a customer, replies, and hears that it was read', async () => {
  if (python === null) return void recordFigure('pywa', 'not run', 'Python or its packages are missing here')
  const tool = await world.connect({ tool: 'pywa', options: { hosts: ['localhost'] } })
  const { row } = await requireConnection(world.service.rt, world.accountId, tool.row.id)
  const { appId, appSecret } = openConnection(world.service.rt, row)
  const bot = spawn(python, ['-B', join(root, 'test/support/pywa/bot.py')], {
    env: {
      PATH: process.env.PATH,
      GATEWAY: world.service.urls.base.replace('localhost', '127.0.0.1'),
      PORT: String(await freePort()),
      PHONE_ID: world.number,
      TOKEN: tool.token,
      APP_ID: appId,
      APP_SECRET: appSecret,
      CUSTOMER: world.customer.slice(1),
      PICTURE: png.toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const steps: Step[] = []
  const errors: string[] = []
  createInterface({ input: bot.stdout }).on('line', (line) => line.startsWith('{') && steps.push(JSON.parse(line)))
  createInterface({ input: bot.stderr }).on('line', (line) => errors.push(line))
  const stepOf = (name: string) => steps.filter(({ step }) => step === name)
  const ended = new Promise((resolve) => bot.once('exit', resolve))
  try {
    await waitFor(() => stepOf('ready').length > 0 || bot.exitCode !== null, 60_000)
    expect(stepOf('ready'), errors.slice(-20).join('\n')).toHaveLength(1)
    expect(stepOf('rejected')).toMatchObject([{ error: 'TemplateNotExists' }])
    expect(stepOf('uploaded')).toMatchObject([{ bytes: png.length }])
    const shown = async () => (await world.graph('GET', `/${world.waba}/subscribed_apps`, undefined, tool)).body
    await waitFor(async () => JSON.stringify(await shown()).includes('http://localhost'), 30_000)
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Olá ✓' })
    await waitFor(() => stepOf('status').some(({ status }) => status === 'read'), 30_000)
    const [replied] = stepOf('replied')
    const own = stepOf('status').filter(({ id, tracker }) => id === replied?.id && tracker === 'reply-1')
    expect(own.map(({ status }) => status)).toEqual(expect.arrayContaining(['delivered', 'read']))
    world.saw(errors.join('\n'))
    recordFigure('pywa', 'steps', `${packages.join(', ')}: ${steps.map(({ step }) => step).join(', ')}`)
  } finally {
    bot.kill()
    await ended
  }
}, 300_000)
