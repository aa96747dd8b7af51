import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/src/sandbox.ts'
import { startReceiver, until } from '../../sandbox/src/test-support.ts'
import { CloudCaller } from '../../server/src/platform/cloud/cloud-request.ts'
import { startPostern } from '../support/child-process.ts'
import { departFromContract, takeViolations } from '../support/contract/violations.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function aSandbox(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; number: Sandbox['numbers'][number] }> {
  const sandbox = await startSandbox({ approved: true, development: true, ...options })
  cleanups.push(sandbox.close)
  const [number] = sandbox.numbers
  if (!number) throw new Error('The sandbox starts with one number.')
  return { sandbox, number }
}

const credentials = (url: string, number: Sandbox['numbers'][number]) => ({
  phoneNumberId: number.phone_number_id,
  wabaId: number.waba_id,
  accessToken: number.access_token,
  baseUrl: url,
  graphVersion: number.graph_version,
})
const reading = { method: 'GET', context: { purpose: 'read' } } as const

/** Were these sentences not taken here, the shared setup would fail the test that caused them. */
describe('An exchange that is not as recorded', () => {
  test('is told when the client sends a field that no page knows, although the sandbox takes it', async () => {
    const { sandbox, number } = await aSandbox()
    const caller = new CloudCaller()
    cleanups.push(() => caller.close())
    const query = { fields: 'id,verified_name', colour: 'red' }
    await caller.call(credentials(sandbox.url, number), { ...reading, path: `/${number.phone_number_id}`, query })
    expect(takeViolations()).toEqual([
      'sandbox/contract/read-number.json knows no field request.colour, and a string is there.',
    ])
  })

  test('is told when the client makes a call that no file speaks of', async () => {
    const { sandbox } = await aSandbox()
    await fetch(`${sandbox.url}/v26.0/message_template_library/favourites`, {
      headers: { authorization: `Bearer ${sandbox.numbers[0]?.access_token}` },
    })
    expect(takeViolations()).toEqual([
      'sandbox/contract has no file for the call GET /message_template_library/favourites.',
    ])
  })

  test('is told when the sandbox leaves out a documented field, although the client does without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-drift-'))
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
    const stateFile = join(folder, 'sandbox.json')
    const before = await startSandbox({ approved: true, development: true, stateFile })
    before.control.updateNumber(before.numbers[0]?.phone_number_id ?? '', { quality_rating: 'GREEN' })
    await before.close()
    // A sandbox that has forgotten the name of its number.
    writeFileSync(stateFile, readFileSync(stateFile, 'utf8').replace(/"verifiedName":"[^"]*",/, ''))
    const { sandbox, number } = await aSandbox({ stateFile })
    const caller = new CloudCaller()
    cleanups.push(() => caller.close())
    const query = { fields: 'id,verified_name' }
    await caller.call(credentials(sandbox.url, number), { ...reading, path: `/${number.phone_number_id}`, query })
    expect(takeViolations()).toEqual([
      'sandbox/contract/read-number.json says that answer.verified_name is always there (string), and it is missing.',
    ])
  })

  test('is told when a callback leaves out a documented field or brings another', async () => {
    const { sandbox, number } = await aSandbox()
    const receiver = await startReceiver()
    cleanups.push(() => receiver.close())
    const subscribe = async (path: string, token: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      await fetch(`${sandbox.url}/v26.0/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const address = { callback_url: receiver.url, verify_token: 'v', fields: 'security,messages' }
    const app = { object: 'whatsapp_business_account', ...address }
    await subscribe(`${number.app_id}/subscriptions`, `${number.app_id}|${number.app_secret}`, app)
    await subscribe(`${number.waba_id}/subscribed_apps`, number.access_token, {})
    sandbox.control.event({ field: 'security', value: { event: 'PIN_CHANGED', mood: 'good' } })
    await until('the callback', () => receiver.received.length === 1)
    expect(takeViolations()).toEqual([
      'sandbox/contract/callback-security.json says that security.display_phone_number is always there (string), and it is missing.',
      'sandbox/contract/callback-security.json knows no field security.mood, and a string is there.',
    ])
  })

  test('is told when it happens in a process of its own', async () => {
    const sandbox = startPostern(['sandbox', '--port', '0', '--approved', '--json'])
    cleanups.push(() => sandbox.destroy())
    const ready = JSON.parse(await sandbox.line((line) => line.includes('"ready"')))
    const [number] = ready.numbers
    const headers = { authorization: `Bearer ${number.access_token}` }
    await fetch(`${ready.sandbox_url}/v26.0/${number.phone_number_id}?colour=red`, { headers })
    await sandbox.destroy()
    expect(takeViolations()).toEqual([
      'sandbox/contract/read-number.json knows no field request.colour, and a string is there.',
    ])
  })

  test('passes where the test has declared it', async () => {
    departFromContract(/read-number\.json knows no field request\.colour/)
    const { sandbox, number } = await aSandbox()
    const headers = { authorization: `Bearer ${number.access_token}` }
    await fetch(`${sandbox.url}/v26.0/${number.phone_number_id}?colour=red`, { headers })
    expect(takeViolations()).toEqual([])
  })
})
