import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiTypes } from '../../scripts/documents/api-types.ts'
import { root } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'

const run = promisify(execFile)
const document = join(root, 'docs/api/openapi.json')

/** An import of the program, which the tests of this project's own imports must not take for one of theirs. */
const beside = (file: string) => `'./${file}'`

/** Every form of a value that a template takes. */
const components = `[
  { type: 'header', parameters: [{ type: 'image', image: { link: 'https://files.example.test/a.png' } }] },
  { type: 'header', parameters: [{ type: 'video', video: { media_id: 'med_1' } }] },
  { type: 'header', parameters: [{ type: 'document', document: { id: 'med_1', filename: 'a.pdf' } }] },
  { type: 'header', parameters: [{ type: 'location', location: { latitude: 38.7, longitude: '-9.1', name: 'Shop' } }] },
  { type: 'header', parameters: [{ type: 'product', product: { product_retailer_id: 'a', catalog_id: '1' } }] },
  { type: 'header', parameters: [{ type: 'text', text: 'A-1', parameter_name: 'order' }] },
  {
    type: 'body',
    parameters: [
      { type: 'text', text: 'Ana' },
      { type: 'currency', currency: { code: 'EUR', amount_1000: 42_000 } },
      { type: 'date_time', date_time: { fallback_value: '18 November' } },
    ],
  },
  { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1' }] },
  { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'P' }] },
  { type: 'button', sub_type: 'copy_code', index: 2, parameters: [{ type: 'coupon_code', coupon_code: 'SAVE' }] },
  { type: 'button', sub_type: 'flow', index: 3, parameters: [{ type: 'action', action: { flow_action_data: { a: 1 } } }] },
  {
    type: 'button',
    sub_type: 'mpm',
    index: 4,
    parameters: [{ type: 'action', action: { sections: [{ title: 'Ours', product_items: [{ product_retailer_id: 'a' }] }] } }],
  },
  { type: 'button', sub_type: 'catalog', index: 5 },
  {
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_893_456_000_000 } }],
  },
  { type: 'carousel', cards: [{ card_index: 0, components: [{ type: 'body', parameters: [{ type: 'text', text: 'x' }] }] }] },
]`

/** A body for each way to send, by the last part of its path. */
const sends: [path: string, operation: string, body: string][] = [
  [
    'send',
    'sendText',
    `{ to, message: 'Hello', fallback: { template: 'a', language: 'en', components: ${components} } }`,
  ],
  ['template', 'sendTemplate', `{ to, template: 'a', language: 'en_US', components: ${components} }`],
  ['media', 'sendMedia', `{ to, type: 'document', media_id: 'med_1', filename: 'a.pdf' }`],
  ['interactive', 'sendInteractive', `{ to, type: 'buttons', body: 'Which?', buttons: [{ id: 'a', title: 'A' }] }`],
  ['location', 'sendLocation', `{ to, latitude: 38.7, longitude: -9.1 }`],
  ['contacts', 'sendContacts', `{ to, contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' } }] }`],
  ['sticker', 'sendSticker', `{ to, link: 'https://files.example.test/a.webp' }`],
  ['reaction', 'sendReaction', `{ to, message_id: 'wamid.1', emoji: '👍' }`],
]

/** Every kind of interactive message, as the document shows it. */
type Documented = { components: { schemas: { SendInteractive: { examples: { type: string }[] } } } }
const { SendInteractive } = (JSON.parse(readFileSync(document, 'utf8')) as Documented).components.schemas
const kinds = SendInteractive.examples.map((example): (typeof sends)[number] => [
  'interactive',
  'sendInteractive',
  JSON.stringify(example),
])

/** The constant \`dry_run\` tells the two responses of a send apart. */
const reading = `
    if (data === undefined) throw new Error('no response')
    const result = data.data
    if (result.dry_run) return result.would_send ? 'would be sent' : result.problems.map(({ code }) => code).join()
    const id: string = result.message_id
    return id`

const withOpenapiFetch = [...sends, ...kinds].map(
  ([path, operation, body], index) => `
  async ${operation}${index}(): Promise<string> {
    const { data } = await client.POST('/v1/chat/messages/${path}', { body: ${body} })${reading}
  },`,
)
const withHeyApi = [...sends, ...kinds].map(
  ([, operation, body], index) => `
  async ${operation}${index}(): Promise<string> {
    const { data } = await api.${operation}({ client, body: ${body} })${reading}
  },`,
)

describe('clients generated from the API document', { timeout: 300_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(dataFolder(), 'postern-clients-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await cp(document, join(folder, 'openapi.json'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** What the compiler says about a program, and about one with a mistake, with the options of a strict project. */
  async function complaints(name: string, right: string, wrong: string): Promise<{ right: string; wrong: string }> {
    const files = [join(folder, `${name}.ts`), join(folder, `${name}-wrong.ts`)]
    await writeFile(files[0] ?? '', right)
    await writeFile(files[1] ?? '', wrong)
    const strict = ['--ignoreConfig', '--strict', '--skipLibCheck', '--noEmit', '--pretty', 'false']
    const modules = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
    // The compiler of this repository: those in JavaScript need seven times its processor time.
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler, ...strict, ...modules, ...files]).catch(
      (failure: { stdout: string }) => failure,
    )
    // Further lines of a complaint are indented.
    const each = stdout.split(/\n(?=\S)/)
    const isWrong = (complaint: string) => complaint.includes(`${name}-wrong.ts(`)
    return {
      right: each.filter((complaint) => !isWrong(complaint)).join('\n'),
      wrong: each.filter(isWrong).join('\n'),
    }
  }

  test('are tried with every way to send that the document has', async () => {
    type Document = { paths: Record<string, Record<string, { operationId: string }>> }
    const { paths } = JSON.parse(await readFile(document, 'utf8')) as Document
    const found = Object.entries(paths).flatMap(([path, { post }]) => {
      const name = /^\/v1\/chat\/messages\/(\w+)$/.exec(path)?.[1]
      // Canceling is no send.
      return name && name !== 'cancel' && post ? [`${name} ${post.operationId}`] : []
    })
    expect(sends.map(([path, operation]) => `${path} ${operation}`).sort()).toEqual(found.sort())
  })

  test('openapi-typescript with openapi-fetch: every kind of send compiles, and a mistake does not', async () => {
    const types = await apiTypes(await readFile(document, 'utf8'), 'openapi.json', { paths: true })
    await writeFile(join(folder, 'types.ts'), types)
    const program = (bodies: string[]) => `import createClient from 'openapi-fetch'
import type { paths } from ${beside('types')}
const client = createClient<paths>({ baseUrl: 'https://gateway.example.test' })
const to = '+12025550100'
export const sends = {${bodies.join('')}
}
`
    const wrong = withOpenapiFetch.map((send) => send.replace("code: 'EUR', amount_1000: 42_000", "code: 'EUR'"))
    const said = await complaints('fetch', program(withOpenapiFetch), program(wrong))
    expect(said.right).toBe('')
    expect(said.wrong).toMatch(/amount_1000/)
  })

  test('@hey-api/openapi-ts: every kind of send compiles, and a mistake does not', async () => {
    const output = join(folder, 'hey')
    await mkdir(output)
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
    const options = { input: join(folder, 'openapi.json'), output, plugins, logs: { level: 'silent' } }
    const generate = `import { createClient } from '@hey-api/openapi-ts'; await createClient(${JSON.stringify(options)})`
    // Started in its workspace, whose TypeScript still has the compiler API that it needs.
    await run(process.execPath, ['--input-type=module', '--eval', generate], { cwd: join(root, 'tools/api') })
    const program = (bodies: string[]) => `import * as api from ${beside('hey/sdk.gen')}
import { createClient } from ${beside('hey/client')}
const client = createClient({ baseUrl: 'https://gateway.example.test' })
const to = '+12025550100'
export const sends = {${bodies.join('')}
}
`
    const wrong = withHeyApi.map((send) => send.replace("sub_type: 'url'", "sub_type: 'link'"))
    const said = await complaints('hey', program(withHeyApi), program(wrong))
    expect(said.right).toBe('')
    expect(said.wrong).toMatch(/"link"/)
  })
})
