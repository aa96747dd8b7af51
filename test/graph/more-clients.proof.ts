import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../media/media-samples.ts'
import { root, withoutSettings } from '../support/child-process.ts'
import { comparable } from '../support/clients/comparable.ts'
import { goProgram } from '../support/clients/go.ts'
import { pythonWith } from '../support/clients/python.ts'
import { aGraphWorld, type GraphWorld } from '../support/graph-world.ts'
import { recordFigure } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
const env = withoutSettings(process.env)

/**
 * More libraries that others wrote for Meta, installed as they are, each played against the platform itself and through the
 * gateway: an address and a token are all that differs. A proof and no test, because it installs them.
 */
const clients: Readonly<Record<string, string>> = {
  'whatsapp-business': 'whatsapp-business@1.7.2',
  'whatsapp-cloud-api': 'whatsapp-cloud-api@0.3.1',
  'chat-adapter': '@chat-adapter/whatsapp@4.41.1',
  'whatsapp-business-api': 'whatsapp-business-api@0.0.4',
}
const pythonPackage = 'heyoo==0.1.2'
const goModule = { name: 'github.com/piusalfred/whatsapp', version: 'ab37a96f4d26' }

const customer = '12025550100'
let world: GraphWorld
let folder: string
let places: { BASE: string; TOKEN: string }[]
let usual: Record<string, string>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-clients-'))
  cpSync(join(root, 'test/support/clients'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  writeFileSync(join(folder, 'dot.png'), png)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  await run('npm', ['install', ...flags, ...Object.values(clients)], { cwd: folder, env })
  world = await aGraphWorld('sqlite')
  // All of them write to one customer.
  await world.control('PUT', '/_sandbox/scenario', { throttle: false })
  const tool = await world.connect()
  const { body } = await world.control('POST', '/_sandbox/inbound', { from: `+${customer}`, text: 'Hi' })
  const inbound = body.message_id as string
  const known = async () => (await world.get(`/v1/chat/messages/${encodeURIComponent(inbound)}`)).status === 200
  await waitFor(known, 20_000)
  const { body: sandbox } = await world.control('GET', '/_sandbox')
  const gateway = `${world.service.urls.base.replace('localhost', '127.0.0.1')}/graph`
  places = [
    { BASE: world.sandboxUrl, TOKEN: sandbox.numbers[0].access_token },
    { BASE: gateway, TOKEN: tool.token },
  ]
  const picture = join(folder, 'dot.png')
  usual = { NUMBER: world.number, WABA: world.waba, CUSTOMER: customer, INBOUND: inbound, PICTURE: picture }
}, 600_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world?.stop()
})

type Given = Record<string, unknown>

async function expectSame(version: string, [program, ...args]: readonly [string, ...string[]]): Promise<void> {
  const given: Given[] = []
  for (const place of places) {
    const { stdout } = await run(program, args, { cwd: folder, env: { ...env, ...usual, ...place } })
    given.push(comparable(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), world.number) as Given)
  }
  const [theirs = {}, ours] = given
  world.saw(JSON.stringify(ours))
  expect(ours).toEqual(theirs)
  const failed = Object.entries(theirs).filter(
    ([step, value]) => !step.startsWith('rejected') && /"(?:error|thrown)"/.test(JSON.stringify(value)),
  )
  expect(failed).toEqual([])
  recordFigure('more clients', version, `equal: ${Object.keys(theirs).join(', ')}`)
}

const limits = { timeout: 300_000 }
test.each(Object.entries(clients))('%s gives the same through the gateway', limits, (name, version) =>
  expectSame(version, [process.execPath, '--require', './elsewhere.cjs', 'play.mjs', `${name}.mjs`]),
)

test('heyoo gives the same through the gateway', limits, async () => {
  const python = pythonWith([pythonPackage], join(folder, 'python'))
  if (python === null) return void recordFigure('more clients', pythonPackage, 'not run: no Python or packages here')
  await expectSame(pythonPackage, [python, '-B', 'play_heyoo.py'])
})

test('a Go client gives the same through the gateway', limits, async () => {
  const { name, version } = goModule
  const program = goProgram(name, version, join(folder, 'go'))
  if (program === null) return void recordFigure('more clients', name, 'not run: no Go or no such module here')
  await expectSame(`${name}@${version}`, [program])
})
