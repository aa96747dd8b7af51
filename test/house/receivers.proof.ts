import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Postern } from '../../sdk/src/index.ts'
import { processTimeoutMs, root, startProcess } from '../support/child-process.ts'
import { expectToReceive } from '../support/guides/receivers.ts'
import { fileOf } from '../support/guides/samples.ts'
import { recordFigure } from '../support/proof.ts'
import { aPlayground, type Playground } from '../support/serve.ts'

// A proof and no test: npm brings none of these languages. The Node receivers run in guides.test.ts and examples.test.ts.
type Language = {
  name: string
  /** Succeeds, and says its version, where everything it needs is installed. */
  probe: string[]
  /** Started with the environment a reader gives it. */
  start: (port: string) => string[]
}
const guide = 'docs/guides/webhooks.md'
const languages: readonly Language[] = [
  { name: 'Python', probe: ['python3', '--version'], start: () => ['python3', 'receiver.py'] },
  {
    name: 'FastAPI',
    probe: ['python3', '-c', 'import fastapi, uvicorn; print(fastapi.__version__)'],
    start: (port) => ['python3', '-m', 'uvicorn', 'main:app', '--port', port],
  },
  { name: 'PHP', probe: ['php', '--version'], start: (port) => ['php', '-S', `localhost:${port}`, 'receiver.php'] },
  { name: 'Go', probe: ['go', 'version'], start: () => ['go', 'run', 'receiver.go'] },
]

const versions = new Map(languages.map(({ name, probe }) => [name, versionOf(probe)]))
const installed = languages.filter(({ name }) => versions.get(name) !== null)

describe('the receivers in other languages', { timeout: processTimeoutMs }, () => {
  let play: Playground
  let postern: Postern
  const folder = () => join(play.folder, 'receivers')

  beforeAll(async () => {
    play = await aPlayground()
    const gateway = await play.serve([], { POSTERN_WEBHOOK_DEV_ALLOW: 'localhost,127.0.0.0/8,::1' })
    const { api_key: apiKey = '', api_secret: apiSecret = '' } = gateway.firstRun ?? {}
    postern = new Postern({ baseUrl: gateway.base_url, apiKey, apiSecret })
    mkdirSync(folder())
    for (const file of ['receiver.py', 'receiver.php', 'receiver.go']) {
      writeFileSync(join(folder(), file), fileOf(guide, file))
    }
    cpSync(join(root, 'examples/fastapi-webhook'), folder(), { recursive: true })
  }, processTimeoutMs)
  afterAll(() => play.dispose())

  test('are installed here, at least one of them', () => {
    for (const { name } of languages) recordFigure('receivers', name, versions.get(name) ?? 'not installed')
    expect(installed).not.toEqual([])
  })

  test.each(installed)('$name takes genuine events and refuses others', async ({ name, start }) => {
    await expectToReceive(postern, (env) => {
      const [command = '', ...args] = start(env.PORT)
      return startProcess(command, args, { cwd: folder(), env })
    })
    recordFigure('receivers', `${name}: deliveries refused that were not genuine`, 4)
  })
})

function versionOf([command = '', ...args]: string[]): string | null {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? (stdout.split('\n')[0] ?? '').trim() : null
}
