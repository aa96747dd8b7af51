import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../media/media-support.ts'
import { processTimeoutMs, root } from '../support/child-process.ts'
import { recordFigure } from '../support/proof.ts'
import { nowMs, retryAfterVectors } from '../support/retry-after-vectors.ts'
import { aPlayground, type Playground } from '../support/serve.ts'

// A proof and no test: npm does not bring Python. The vectors are those of the TypeScript SDK.
const folder = join(root, 'sdk-python')
const coded = `whsec_${randomBytes(32).toString('base64')}`
const at = new Date(nowMs)
const body = JSON.stringify({ id: 'evt_1', type: 'message.received', data: { content: { text: 'Olá 👋' } } })
const vectors = {
  nowMs,
  retryAfter: retryAfterVectors,
  png: png.toString('hex'),
  webhooks: [
    { secret: coded, signature: new Webhook(coded).sign('evt_1', at, body) },
    {
      secret: 'my-plain-secret_123',
      signature: new Webhook('my-plain-secret_123', { format: 'raw' }).sign('evt_1', at, body),
    },
  ].map(({ secret, signature }) => ({
    secret,
    body,
    headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(nowMs / 1_000), 'webhook-signature': signature },
  })),
  brokenSecrets: [
    '',
    'whsec_xyz!',
    `whsec_${randomBytes(23).toString('base64')}`,
    'sécret',
    'x'.repeat(257),
    'whsk_abc',
  ],
}

let play: Playground
let env: Record<string, string>

beforeAll(async () => {
  play = await aPlayground()
  const gateway = await play.serve()
  const { api_key: key = '', api_secret: secret = '' } = gateway.firstRun ?? {}
  const file = join(play.folder, 'vectors.json')
  writeFileSync(file, JSON.stringify(vectors))
  env = {
    POSTERN_BASE_URL: gateway.base_url,
    POSTERN_API_KEY: key,
    POSTERN_API_SECRET: secret,
    SANDBOX_URL: gateway.sandbox_url ?? '',
    VECTORS: file,
  }
}, processTimeoutMs)
afterAll(() => play.dispose())

test('the Python SDK sends, follows, uploads, retries and verifies as the TypeScript one', {
  timeout: processTimeoutMs,
}, () => {
  const { status, stderr } = spawnSync(
    'python3',
    ['-B', '-W', 'ignore::ResourceWarning', '-m', 'unittest', 'discover', 'tests'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env, PYTHONPATH: folder },
    },
  )
  expect(status, stderr).toBe(0)
  recordFigure('Python SDK', 'tests', /Ran (\d+) tests/.exec(stderr)?.[1] ?? 'none')
})
