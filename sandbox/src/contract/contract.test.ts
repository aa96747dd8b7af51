import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { OVERRIDABLE_FIELDS, WEBHOOK_FIELDS } from '../callbacks/webhook-fields.ts'
import { callbackContracts, callContracts, checkCallback, checkExchange, describeViolation } from './contract.ts'
import { compile, type Shape } from './shape.ts'

describe('a shape', () => {
  const types = { Person: { name: 'string', 'friends?': ['Person'] } as Shape, Base: { id: 'string' } as Shape }
  const of = compile(
    { '...': 'Base', 'size?': 'number|string', tags: ['string'], 'owner?': 'Person', 'mood?': "'good'|'bad'|null" },
    types,
  )

  test('takes what it describes', () => {
    expect(of({ id: 'a', tags: [] })).toBeNull()
    const owner = { name: 'Ana', friends: [{ name: 'Zoë' }] }
    expect(of({ id: 'a', size: '7', tags: ['x'], owner, mood: null })).toBeNull()
  })

  test('tells what is missing, of another kind, unknown, or another constant, and no value', () => {
    const owner = { name: 'Ana', phone: '+12025550100', friends: [{}] }
    expect(of({ size: true, tags: ['x', 1, 2], owner, mood: 'secret' })).toEqual([
      { at: 'id', expected: 'string', found: 'nothing' },
      { at: 'size', expected: 'number|string', found: 'boolean' },
      { at: 'tags[]', expected: 'string', found: 'number' },
      { at: 'owner.friends[].name', expected: 'string', found: 'nothing' },
      { at: 'owner.phone', expected: 'nothing', found: 'string' },
      { at: 'mood', expected: "'good'|'bad'|null", found: 'another string' },
    ])
    expect(of([])).toEqual([{ at: '', expected: 'object', found: 'list' }])
    const named = { id: 'a', tags: [], '+12025550100': 1, 'wamid.HBgL': 2, Ana: 3, '106540352242922': 4, sha256: 5 }
    expect(
      of(named)
        ?.map(({ at }) => at)
        .sort(),
    ).toEqual(['*', '*', '*', '*', 'sha256'])
  })

  test('wants of a reader’s fields what was asked for, and by default what comes unasked', () => {
    const node = compile({ id: 'string', name: 'string', 'health*': 'string', 'note?': 'string' })
    expect(node({ id: '1', name: 'a' })).toBeNull()
    expect(node({ id: '1' })).toEqual([{ at: 'name', expected: 'string', found: 'nothing' }])
    const asked = new Set(['health', 'note'])
    expect(node({ id: '1', health: 'good' }, asked)).toBeNull()
    expect(node({ id: '1' }, asked)).toEqual([{ at: 'health', expected: 'string', found: 'nothing' }])
    const listed = compile({ data: ['Node'], 'paging?': 'any' }, { Node: { id: 'string', 'health*': 'string' } })
    expect(listed({ data: [{ id: '1' }] }, asked)).toEqual([
      { at: 'data[].health', expected: 'string', found: 'nothing' },
    ])
  })
})

describe('the recorded contract', () => {
  const all = [...callContracts, ...callbackContracts]

  test.each(all.map(({ file, source, date }) => ({ file, source, date })))(
    '$file says on which page of Meta it was read, and in which state',
    ({ source, date }) => {
      expect(source).toMatch(/^https:\/\/developers\.facebook\.com\//)
      expect(date).toMatch(/^20(25|26)-\d\d(-\d\d)?$/)
    },
  )

  test('probes only what changes nothing', () => {
    const probes = callContracts.filter(({ probe }) => probe !== undefined)
    expect(probes.length).toBeGreaterThan(7)
    for (const { call } of probes) expect(call).toMatch(/^GET /)
  })

  test('has a file for every field that the sandbox can report, and for those of Business app numbers', () => {
    const recorded = new Set(callbackContracts.map(({ callback }) => callback))
    const fields = [...WEBHOOK_FIELDS, 'calls', 'smb_message_echoes', 'smb_app_state_sync', 'history']
    expect(fields.filter((field) => !recorded.has(field))).toEqual([])
    // Of these no page with a payload was found, or nothing here speaks of them (groups).
    expect(OVERRIDABLE_FIELDS.filter((field) => !recorded.has(field))).toEqual([
      'message_echoes',
      'consumer_profile',
      'group_lifecycle_update',
      'group_participants_update',
      'group_settings_update',
      'group_status_update',
    ])
  })

  test('holds requests and answers, errors, and the nearest of two documents', () => {
    const call = 'POST /{phone_number}/messages'
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1' }
    expect(checkExchange({ call, status: 200, request: read, answer: { success: true } })).toEqual([])
    const drifted = checkExchange({ call, status: 200, request: { ...read, sort: 1 }, answer: { success: 'yes' } })
    expect(drifted?.map(describeViolation)).toEqual([
      'sandbox/contract/mark-read.json knows no field request.sort, and a number is there.',
      'sandbox/contract/mark-read.json says that answer.success is boolean, and it is string.',
    ])
    expect(checkExchange({ call, status: 400, request: {}, answer: { error: 'no' } })).toEqual([
      { file: 'error.json', at: 'answer.error', expected: 'object', found: 'string' },
    ])
    expect(checkExchange({ call: 'GET /nowhere', status: 200, request: {}, answer: {} })).toBeNull()
  })

  test('holds callbacks by their field, and messages and statuses by their kind', () => {
    const body = (field: string, value: object) => ({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field, value }] }],
    })
    const pin = { display_phone_number: '12025550100', event: 'PIN_CHANGED' }
    expect(checkCallback(body('security', pin))).toEqual([])
    expect(checkCallback(body('security', { event: 'PIN_CHANGED' })).map(describeViolation)).toEqual([
      'sandbox/contract/callback-security.json says that security.display_phone_number is always there (string), ' +
        'and it is missing.',
    ])
    const metadata = { display_phone_number: '1', phone_number_id: '2' }
    const place = { messaging_product: 'whatsapp', metadata }
    const text = { id: 'a', timestamp: '1', type: 'text' }
    const said = checkCallback(body('messages', { ...place, messages: [text, { ...text, type: 'hologram' }] }))
    expect(said.map(describeViolation)).toEqual([
      'sandbox/contract/callback-message-text.json says that messages[].text is always there (object), and it is missing.',
      "sandbox/contract/callback-messages.json says that messages[].type is a recorded kind, and it is 'hologram'.",
    ])
    const failed = { id: 'a', timestamp: '1', status: 'failed' }
    expect(checkCallback(body('messages', { ...place, statuses: [failed] }))).toEqual([
      { file: 'callback-status-failed.json', at: 'statuses[].errors', expected: 'list', found: 'nothing' },
    ])
    expect(checkCallback(body('a_new_field', {}))).toMatchObject([
      { file: 'callback-envelope.json', at: 'a_new_field' },
    ])
    expect(checkCallback({ entry: [] })).toMatchObject([{ at: 'object', found: 'nothing' }])
  })
})

describe('every file and every rule', () => {
  const root = new URL('../../', import.meta.url)

  test('of the recorded contract names a page of Meta and its date', () => {
    const folder = new URL('contract/', root)
    const wrong = readdirSync(folder).filter((file) => {
      const { source, date } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
      const isPage = /^https:\/\/developers\.facebook\.com\/\S+$/.test(source)
      return !isPage || !/^20\d\d-(0[1-9]|1[0-2])(-[0-3]\d)?$/.test(date)
    })
    expect(wrong).toEqual([])
  })

  test('of the sandbox names its source', () => {
    const readme = readFileSync(new URL('README.md', root), 'utf8')
    const [, table = ''] = readme.split('| rule | source | how to relax it |\n|---|---|---|\n')
    const rows = table.split('\n\n', 1)[0]?.split('\n') ?? []
    expect(rows.length).toBeGreaterThan(40)
    const withoutSource = rows.filter((row) => !/^(pages? "|reported)/.test(row.split(' | ')[1] ?? ''))
    expect(withoutSource).toEqual([])
  })
})
