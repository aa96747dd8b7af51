import { dirname, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circlesIn, type Import, importsOf, readSources, type SourceFile } from '../support/import-graph.ts'

type ImportRule = { says: string; breaks(imported: Import): boolean }
type TextRule = { says: string; breaks(file: SourceFile): boolean }

/** Tests and their helpers may know everything; the law is about what runs. */
const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|^test\//.test(path)
const isTooling = (path: string) => isTest(path) || /^(scripts|bench)\//.test(path)
const inRoom = (path: string, ...rooms: string[]) => rooms.some((room) => path.startsWith(`${room}/`))
const inServer = (path: string, ...folders: string[]) => folders.some((name) => path.startsWith(`server/src/${name}/`))
const isOneOf = (path: string, ...files: string[]) => files.some((name) => path === `server/src/${name}`)

/** From the bottom up: a folder may import those before it. */
const domain = [
  'audit',
  'access',
  'people',
  'costs',
  'analytics',
  'events',
  'budgets',
  'channels',
  'media',
  'templates',
  'profile',
  'connect',
  'messages',
  'broadcasts',
  'webhooks',
  'connections',
  'overview',
  'installation',
]
const composition = ['service.ts', 'create-runtime.ts', 'readiness.ts', 'start-failure.ts']
/** `operator/` composes too: what each of its files shows to the command line is put together from everywhere. */
const isComposition = (path: string) => isOneOf(path, ...composition) || inServer(path, 'operator')
/** Settings, log, metrics, traces, and right under server/src the waist itself. */
const isTool = (path: string) => /^server\/src\/((config|observe)\/)?[^/]+$/.test(path) && !isComposition(path)
const isEngine = (path: string) =>
  inServer(path, 'store/sqlite', 'store/postgres', 'store/migrations', 'store/schema') ||
  /^server\/src\/store\/(open-store|migrate|engine\/(group-commit|merge-calls|dialect))\.ts$/.test(path)
const isAdapter = (path: string) =>
  isEngine(path) ||
  inServer(path, 'platform/cloud') ||
  /^server\/src\/lib\/guarded-http\/guarded-http(-(agent|connector|exchange|open|socket|stream|tunnel))?\.ts$/.test(
    path,
  )

/**
 * Each of these calls below a base URL that comes from a setting or the command line. An address that a tenant, a
 * customer or an answer of the platform has a say in goes through lib/guarded-http.
 */
const operatorAddresses = [
  'platform/cloud/cloud-request.ts',
  'platform/sandbox-control.ts',
  'platform/sandbox-templates.ts',
]

const importLaw: ImportRule[] = [
  {
    says: 'lib knows nothing of the product',
    breaks: ({ from, to, isOurs }) => inServer(from, 'lib') && isOurs && !inServer(to, 'lib'),
  },
  {
    says: 'contract imports typebox only',
    breaks: ({ from, to }) => inServer(from, 'contract') && !inServer(to, 'contract') && to !== 'typebox',
  },
  {
    says: 'store and platform know lib, contract and the concurrency limiter, and neither knows the other',
    breaks: ({ from, to, isOurs }) =>
      ['store', 'platform'].some((own) => inServer(from, own) && isOurs && !inServer(to, own, 'lib', 'contract')) &&
      !isOneOf(to, 'limits/concurrency.ts'),
  },
  {
    says: 'settings, log, metrics and the waist know lib and contract; of store and platform types and PlatformError',
    breaks: ({ from, to, kind, isOurs }) =>
      isTool(from) &&
      isOurs &&
      !isTool(to) &&
      !inServer(to, 'lib', 'contract') &&
      !(kind === 'type' && inServer(to, 'store', 'platform', 'limits')) &&
      !isOneOf(to, 'platform/platform-error.ts'),
  },
  {
    says: 'limits count, and know lib, contract, tools and the store, never an engine or what they limit',
    breaks: ({ from, to, kind, isOurs }) =>
      inServer(from, 'limits') &&
      isOurs &&
      !inServer(to, 'limits', 'lib', 'contract', 'store') &&
      !(kind === 'type' && inServer(to, 'observe')),
  },
  {
    says: 'the domain knows neither edge and no composition',
    breaks: ({ from, to }) => inServer(from, ...domain) && (inServer(to, 'http', 'workers') || isComposition(to)),
  },
  {
    says: 'a folder of the domain imports only folders below it',
    breaks: ({ from, to }) => {
      const [own, other] = [from, to].map((path) => domain.findIndex((name) => inServer(path, name)))
      return own !== undefined && other !== undefined && own >= 0 && other > own
    },
  },
  {
    says: 'the domain takes units and declared operations of the store, never an engine',
    breaks: ({ from, to, kind }) => inServer(from, ...domain, 'limits') && kind === 'value' && isEngine(to),
  },
  {
    says: 'the domain takes types of platform, and of its values only PlatformError',
    breaks: ({ from, to, kind }) =>
      inServer(from, ...domain) &&
      kind === 'value' &&
      inServer(to, 'platform') &&
      !isOneOf(to, 'platform/platform-error.ts'),
  },
  {
    says: 'platform-error.ts imports nothing',
    breaks: ({ from }) => isOneOf(from, 'platform/platform-error.ts'),
  },
  {
    says: 'http and workers do not know each other',
    breaks: ({ from, to }) =>
      (inServer(from, 'http') && inServer(to, 'workers')) || (inServer(from, 'workers') && inServer(to, 'http')),
  },
  {
    says: 'http goes through the domain: of the store it takes types and the errors',
    breaks: ({ from, to, kind }) =>
      inServer(from, 'http') &&
      kind === 'value' &&
      inServer(to, 'store') &&
      !isOneOf(to, 'store/engine/store-error.ts', 'store/engine/cursor.ts'),
  },
  {
    says: 'adapters are imported by their own folder and by composition alone',
    breaks: ({ from, to, kind }) =>
      kind === 'value' &&
      isAdapter(to) &&
      inRoom(from, 'server') &&
      !isComposition(from) &&
      !inServer(from, 'store', 'platform', 'lib'),
  },
  {
    says: 'Fastify is imported in http only',
    breaks: ({ from, to }) => /^@?fastify(\/|$)/.test(to) && !inServer(from, 'http') && !isTooling(from),
  },
  {
    says: 'requests outside the guard belong to the three files whose addresses the operator sets',
    breaks: ({ from, to, kind }) =>
      kind === 'value' &&
      ['undici', 'node:http', 'node:https', 'node:http2', 'node:tls', 'node:dgram'].includes(to) &&
      inRoom(from, 'server') &&
      !inServer(from, 'lib/guarded-http') &&
      !isOneOf(from, ...operatorAddresses),
  },
  {
    says: 'requests to a bucket are signed by lib/s3, which sends them through the guard',
    breaks: ({ from, to, kind }) =>
      to === 'aws4fetch' &&
      !isTooling(from) &&
      !(kind === 'value' ? isOneOf(from, 'create-runtime.ts') : inServer(from, 'lib/s3')),
  },
  {
    says: 'sdk and sandbox import nothing of ours',
    breaks: ({ from, to, isOurs }) =>
      ['sdk', 'sandbox'].some((room) => inRoom(from, room) && isOurs && !inRoom(to, room)),
  },
  {
    says: 'the SDK has no dependency',
    breaks: ({ from, to, isOurs }) => inRoom(from, 'sdk') && !isOurs && !to.startsWith('node:'),
  },
  {
    says: 'the console talks to the server over HTTP and imports nothing of ours',
    breaks: ({ from, to, isOurs }) => inRoom(from, 'console') && isOurs && !inRoom(to, 'console'),
  },
  {
    says: 'the sandbox is imported by the command line and by tests alone',
    breaks: ({ from, to }) => inRoom(to, 'sandbox') && !inRoom(from, 'sandbox', 'cli') && !isTooling(from),
  },
  {
    says: 'the command line knows of the server what server/src/operator shows',
    breaks: ({ from, to }) => inRoom(from, 'cli') && inRoom(to, 'server') && !inServer(to, 'operator'),
  },
  {
    says: 'server/src/operator is for the command line alone',
    breaks: ({ from, to }) => inServer(to, 'operator') && !inServer(from, 'operator') && !inRoom(from, 'cli'),
  },
  {
    says: 'the command line is imported by nobody',
    breaks: ({ from, to }) => inRoom(to, 'cli') && !inRoom(from, 'cli') && !isTooling(from),
  },
  {
    says: 'what runs does not import tests',
    breaks: ({ from, to, isOurs }) => isOurs && isTest(to) && !isTooling(from),
  },
]

const sqlStart =
  /['"`]\s*(select\s[^'"`]+\sfrom\s|insert\s+into\s|delete\s+from\s|update\s+\w+\s+set\s|create\s+(table|index|unique)|alter\s+table)/i

const textLaw: TextRule[] = [
  {
    says: 'process.env is read in three files only',
    breaks: ({ path, text }) =>
      inRoom(path, 'server', 'sandbox', 'sdk', 'cli') &&
      /process\.env\b/.test(text) &&
      !['server/src/config/config.ts', 'cli/src/env.ts', 'sdk/src/env.ts'].includes(path),
  },
  {
    says: 'the server reads the wall clock in lib/clock.ts only',
    breaks: ({ path, text }) =>
      inRoom(path, 'server') && /Date\.now\(|new Date\(\)/.test(text) && !isOneOf(path, 'lib/clock.ts'),
  },
  {
    says: 'state belongs to the runtime: the domain keeps none in a WeakMap',
    breaks: ({ path, text }) => inServer(path, ...domain) && /\bnew WeakMap\b/.test(text),
  },
  {
    says: 'which engine it is, is asked in the store only; others ask for its facts',
    breaks: ({ path, text }) =>
      inRoom(path, 'server', 'cli') &&
      !inServer(path, 'store') &&
      /\b(engine [!=]== '|kind [!=]== '(sqlite|postgres)')/.test(text),
  },
  {
    says: 'names of headers, query and callbacks of Meta stand in platform/cloud only',
    breaks: ({ path, text }) =>
      inRoom(path, 'server') &&
      /x-hub-signature|hub\.(mode|verify_token|challenge)|messaging_product/i.test(text) &&
      !inServer(path, 'platform/cloud'),
  },
  {
    says: 'SQL stands in the store only',
    breaks: ({ path, text }) => inRoom(path, 'server', 'cli') && sqlStart.test(text) && !inServer(path, 'store'),
  },
  {
    says: 'the server never calls fetch: lib/guarded-http and platform do all outgoing HTTP',
    breaks: ({ path, text }) => inRoom(path, 'server') && /(?<![\w.])fetch\(|https?\.request\(/.test(text),
  },
  {
    says: 'sockets are opened by lib/guarded-http only',
    breaks: ({ path, text }) =>
      inRoom(path, 'server') &&
      /\bcreateConnection\b|\bnet\.connect\(|\bnew (net\.)?Socket\(|import \{[^}]*\bconnect\b[^}]*\} from 'node:net'/.test(
        text,
      ) &&
      !path.startsWith('server/src/lib/guarded-http'),
  },
  {
    says: 'an unguarded request is built from the base URL of the channel, never from an address in an answer',
    breaks: ({ path, text }) =>
      inServer(path, 'platform') &&
      /new URL\(|origin:/.test(text) &&
      !isOneOf(path, ...operatorAddresses, 'platform/cloud/http-exchange.ts', 'platform/cloud/cloud-media.ts'),
  },
]

/** Every broken rule as a sentence that names the place. */
function offences(files: readonly SourceFile[]): string[] {
  const lawful = files.filter(({ path }) => !isTest(path))
  const byImport = lawful
    .flatMap(importsOf)
    .flatMap((imported) =>
      importLaw
        .filter((rule) => rule.breaks(imported))
        .map(({ says }) => `${says}: ${imported.from} imports ${imported.kind}s of ${imported.to}`),
    )
  const byText = lawful
    .filter(({ path }) => !isTooling(path))
    .flatMap((file) => textLaw.filter((rule) => rule.breaks(file)).map(({ says }) => `${says}: ${file.path}`))
  return [...byImport, ...byText]
}

describe('the architecture', () => {
  const files = readSources(resolve(import.meta.dirname, '../..'))
  const imports = files.flatMap(importsOf)

  test('was read: every room that has sources is in the graph', () => {
    for (const room of ['server', 'sandbox', 'sdk', 'cli', 'test']) {
      expect(imports.filter(({ from }) => inRoom(from, room)).length, room).toBeGreaterThan(0)
    }
  })

  test('keeps the import law', () => {
    expect(offences(files)).toEqual([])
  })

  test('has no circle of imports, and in what runs not even one of types', () => {
    expect(circlesIn(imports.filter(({ kind }) => kind === 'value'))).toEqual([])
    expect(circlesIn(imports.filter(({ from }) => !inRoom(from, 'test')))).toEqual([])
  })

  test('has no two folders side by side that import each other', () => {
    const folderOf = (path: string) => path.replace(/^server\/src\/([^/]+\/[^/]+)\/.*$/, '$1')
    const among = imports
      .filter(({ from, to }) => !isTest(from) && [from, to].every((path) => /^server\/src\/(.+\/){2}/.test(path)))
      .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
      .filter(([from, to]) => from !== to)
    const pairs = new Set(among.map((pair) => pair.join(' and ')))
    const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' and ').reverse().join(' and ')))
    expect(mutual).toEqual([])
  })

  test('has no folder that is too long to read', () => {
    // A migration is found by its number, and one that was released is never merged into another.
    const isMigration = (path: string) => /\/migrations\/\d{4}-/.test(path)
    const sizes = Map.groupBy(
      files.filter(({ path }) => !isTest(path) && !isMigration(path)),
      ({ path }) => dirname(path),
    )
    const long = [...sizes]
      .filter(([, { length }]) => length > 25)
      .map(([folder, { length }]) => `${folder}: ${length}`)
    expect(long).toEqual([])
  })

  test('has no file that nothing imports, such as a page or a command without its row', () => {
    const used = new Set(imports.filter(({ from }) => !isTest(from)).map(({ to }) => to))
    const forTests = /\/testing\/|^sandbox\/src\/test-support\.ts$/
    const alone = files
      .map(({ path }) => path)
      .filter((path) => inRoom(path, 'server', 'sandbox', 'sdk', 'cli', 'console') && !isTest(path))
      .filter((path) => !used.has(path) && !forTests.test(path))
    expect(alone).toEqual(['cli/src/main.ts', 'console/src/main.tsx'])
  })

  test('resolves every import of ours to a file that exists', () => {
    const known = new Set(files.map(({ path }) => path))
    const isCode = ({ to, isOurs }: Import) => isOurs && /\.tsx?$/.test(to)
    expect(imports.filter((imported) => isCode(imported) && !known.has(imported.to))).toEqual([])
  })
})

describe('the architecture test', () => {
  const forbidden: [path: string, text: string, sentence: string][] = [
    ['server/src/lib/ids.ts', "import { limits } from '../contract/plans.ts'", 'lib knows nothing of the product'],
    ['server/src/contract/plans.ts', "import { a } from '../lib/ids.ts'", 'contract imports typebox only'],
    ['server/src/store/jobs/jobs.ts', "import { a } from '../../messages/window.ts'", 'store and platform know'],
    ['server/src/runtime.ts', "import { openStore } from './store/open-store.ts'", 'settings, log, metrics'],
    ['server/src/limits/a.ts', "import type { Runtime } from '../runtime.ts'", 'limits count'],
    ['server/src/messages/a.ts', "import type { App } from '../http/app.ts'", 'the domain knows neither edge'],
    ['server/src/media/a.ts', "import type { A } from '../messages/a.ts'", 'only folders below it'],
    ['server/src/media/a.ts', "import {\n  openStore,\n} from '../store/open-store.ts'", 'never an engine'],
    ['server/src/media/a.ts', "import { createCloudApi } from '../platform/cloud/cloud-api.ts'", 'only PlatformError'],
    ['server/src/platform/platform-error.ts', "import { a } from '../lib/ids.ts'", 'imports nothing'],
    ['server/src/http/a.ts', "import { jobs } from '../workers/jobs.ts'", 'do not know each other'],
    [
      'server/src/http/a.ts',
      "import { insertEvent } from '../store/webhooks/events.ts'",
      'http goes through the domain',
    ],
    ['server/src/workers/a.ts', "import { a } from '../lib/guarded-http/guarded-http.ts'", 'adapters are imported'],
    ['server/src/webhooks/a.ts', "import type { FastifyReply } from 'fastify'", 'Fastify is imported in http only'],
    ['server/src/webhooks/a.ts', "const { request } = await import('undici')", 'requests outside the guard'],
    ['server/src/platform/a.ts', "import { request } from 'node:https'", 'requests outside the guard'],
    ['server/src/media/a.ts', "import { AwsClient } from 'aws4fetch'", 'requests to a bucket are signed by lib/s3'],
    ['server/src/media/a.ts', "import { connect } from 'node:net'", 'sockets are opened by'],
    ['server/src/platform/cloud-a.ts', 'call(new URL(answer.url))', 'never from an address in an answer'],
    ['sandbox/src/a.ts', "export { newId } from '@postern/server/lib/ids.ts'", 'sdk and sandbox import nothing'],
    ['sdk/src/a.ts', "import { request } from 'undici'", 'the SDK has no dependency'],
    ['console/src/a.tsx', "import { Postern } from '@postern/sdk'", 'the console talks'],
    [
      'server/src/service.ts',
      "import { startSandbox } from '@postern/sandbox/http/server.ts'",
      'the sandbox is imported',
    ],
    ['cli/src/a.ts', "import { openStore } from '../../server/src/store/open-store.ts'", 'server/src/operator shows'],
    ['server/src/http/a.ts', "import { findKey } from '../operator/keys.ts'", 'for the command line alone'],
    ['server/src/service.ts', "import '../../cli/src/main.ts'", 'the command line is imported by nobody'],
    ['server/src/service.ts', "import { a } from '../../test/support/tls.ts'", 'what runs does not import tests'],
    ['server/src/observe/log.ts', 'const level = process.env.LEVEL', 'process.env is read'],
    ['server/src/webhooks/a.ts', 'const at = Date.now()', 'wall clock'],
    ['server/src/access/a.ts', 'const known = new WeakMap<object, string>()', 'state belongs to the runtime'],
    ['server/src/media/a.ts', "if (rt.store.engine === 'sqlite') return null", 'which engine it is'],
    ['cli/src/a.ts', "if (config.database.kind !== 'sqlite') return null", 'which engine it is'],
    ['server/src/http/a.ts', "request.headers['x-hub-signature-256']", 'headers, query and callbacks of Meta'],
    ['server/src/access/a.ts', 'const sql = `\n  select id from accounts`', 'SQL stands in the store only'],
    ['server/src/lib/a.ts', "await fetch('http://a.test')", 'never calls fetch'],
  ]

  test.each(forbidden)('sees in %s: %s', (path, text, sentence) => {
    expect(offences([{ path, text }]).join('\n')).toContain(sentence)
  })

  test('has a forbidden example for every rule', () => {
    const seen = forbidden.flatMap(([path, text]) => offences([{ path, text }])).join('\n')
    for (const { says } of [...importLaw, ...textLaw]) expect(seen).toContain(says)
  })

  test('tells what is allowed from what is not', () => {
    const allowed: [path: string, text: string][] = [
      ['server/src/messages/a.ts', "import { PlatformError } from '../platform/platform-error.ts'"],
      ['server/src/messages/a.ts', "import type { ChatPlatform } from '../platform/chat-platform.ts'"],
      ['server/src/messages/a.ts', "import { insertEvent } from '../store/webhooks/events.ts'"],
      ['server/src/messages/a.ts', "import { type Store, type Unit } from '../store/open-store.ts'"],
      ['server/src/service.ts', "import { createCloudApi } from './platform/cloud/cloud-api.ts'"],
      ['cli/src/a.ts', "import { startSandbox } from '@postern/sandbox/http/server.ts'"],
      ['cli/src/a.ts', "import { createKey } from '@postern/server/keys.ts'"],
      ['server/src/operator/a.ts', "import { migrate } from '../store/migrate.ts'"],
      ['server/src/http/a.ts', "import type { IncomingMessage } from 'node:http'"],
      ['server/src/platform/cloud/cloud-request.ts', "import { Agent } from 'undici'"],
      ['sdk/src/a.ts', "const crypto = await import('node:crypto')"],
      ['server/src/messages/a.test.ts', "import { openStore } from '../store/open-store.ts'"],
    ]
    expect(offences(allowed.map(([path, text]) => ({ path, text })))).toEqual([])
  })

  test('finds a circle, of types too', () => {
    const files = [
      { path: 'server/src/a.ts', text: "import { b } from './b.ts'" },
      { path: 'server/src/b.ts', text: "import type { C } from './lib/c.ts'" },
      { path: 'server/src/lib/c.ts', text: "export * from '../a.ts'" },
      { path: 'server/src/d.ts', text: "import { b } from './b.ts'" },
    ]
    expect(circlesIn(files.flatMap(importsOf))).toEqual([['server/src/a.ts', 'server/src/b.ts', 'server/src/lib/c.ts']])
  })
})
