import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Postern } from '../../sdk/src/index.ts'
import { processTimeoutMs, type RunningProcess, root, startProcess } from '../support/child-process.ts'
import { pathWithCurl } from '../support/curl/curl.ts'
import { expectToReceive } from '../support/guides/receivers.ts'
import { codeOf, fileOf, moduleOf, type SamplePage, samplePages } from '../support/guides/samples.ts'
import { programFile } from '../support/programs/program-file.ts'
import { aPlayground, type Gateway, type Playground } from '../support/serve.ts'

/** These are about another database, and run in recipes.test.ts. */
const apart = ['docs/recipes/three-nodes.md', 'docs/recipes/sqlite-to-postgresql.md']
const pages = samplePages().filter(({ page }) => !apart.includes(page))
/** This page gives the sandbox rules that would hit the sends of the others. */
const alone = 'docs/guides/testing.md'
/** How many calls of a page are refused on purpose. */
const refused: Readonly<Record<string, number>> = { [alone]: 1, 'docs/recipes/budgets.md': 1 }

/** `npx` asks a registry elsewhere; readers have the command in their clone. */
const shellStart = `set -eu
npx() { shift 2; npm_lifecycle_event=npx "$NODE" "$CLI" "$@"; }
`
const pdf = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'

describe('the samples of the guides, run against a gateway that has just been started', {
  timeout: processTimeoutMs,
}, () => {
  let play: Playground
  let gateway: Gateway
  let postern: Postern
  let env: Record<string, string>
  const started: RunningProcess[] = []

  beforeAll(async () => {
    play = await aPlayground()
    gateway = await play.serve([], { POSTERN_WEBHOOK_DEV_ALLOW: 'localhost,127.0.0.0/8' })
    const { api_key: apiKey = '', api_secret: apiSecret = '' } = gateway.firstRun ?? {}
    postern = new Postern({ baseUrl: gateway.base_url, apiKey, apiSecret })
    env = {
      PATH: pathWithCurl(),
      NODE: process.execPath,
      CLI: programFile('postern'),
      SANDBOX_URL: gateway.sandbox_url ?? '',
      POSTERN_BASE_URL: gateway.base_url,
      POSTERN_API_KEY: apiKey,
      POSTERN_API_SECRET: apiSecret,
    }
    mkdirSync(join(play.folder, 'node_modules/@postern'), { recursive: true })
    symlinkSync(join(root, 'sdk'), join(play.folder, 'node_modules/@postern/sdk'))
    writeFileSync(join(play.folder, 'receipt.pdf'), pdf)
  }, processTimeoutMs)
  afterAll(async () => {
    await Promise.all(started.map((process) => process.destroy()))
    await play.dispose()
  })

  function run(command: string, args: string[], more: Record<string, string> = {}): RunningProcess {
    const running = startProcess(command, args, { cwd: play.folder, env: { ...env, ...more } })
    started.push(running)
    return running
  }

  async function runShell(page: SamplePage): Promise<void> {
    const script = codeOf(page, 'sh').join('\n')
    const shell = run('sh', ['-c', shellStart + script])
    const ended = await shell.ended
    // Commands on a data folder name the one they found.
    const stderr = shell.output.stderr.replaceAll(/^Data: .*\n/gm, '')
    expect([page.page, ended, stderr]).toEqual([page.page, 0, ''])
    const answers = [...shell.output.stdout.matchAll(/"success":(true|false)/g)].map(([, word]) => word)
    expect([page.page, answers.filter((word) => word === 'false').length]).toEqual([page.page, refused[page.page] ?? 0])
    const calls = script.match(/"\$POSTERN_BASE_URL\/(?!.*> copy)/g)?.length ?? 0
    const captured = script.match(/=\$\(curl/g)?.length ?? 0
    expect(answers.length, page.page).toBeGreaterThanOrEqual(calls - captured)
  }

  /** The pages side by side in one process: each in its own would load the SDK again, 0.3 s of processor time. */
  async function runNode(...pages: SamplePage[]): Promise<void> {
    const files = pages.map((page) => {
      const file = join(play.folder, `${page.page.replaceAll(/[/.]/g, '-')}.mjs`)
      writeFileSync(file, moduleOf(codeOf(page, 'js')))
      return file
    })
    const script = 'await Promise.all(process.argv.slice(1).map((file) => import(file)))'
    const node = run(process.execPath, ['--input-type=module', '--eval', script, ...files])
    expect([await node.ended, node.output.stderr]).toEqual([0, ''])
  }

  test('every curl and command line sample works as pasted', async () => {
    const withShell = pages.filter((page) => codeOf(page, 'sh').length > 0 && page.page !== alone)
    expect(withShell.length).toBeGreaterThan(10)
    await Promise.all(withShell.map(runShell))
  })

  test('every Node sample works as pasted', async () => {
    const withNode = pages.filter((page) => codeOf(page, 'js').length > 0 && page.page !== alone)
    expect(withNode.length).toBeGreaterThan(10)
    await runNode(...withNode)
  })

  test('the samples that make the sandbox fail do', async () => {
    const page = pages.find((one) => one.page === alone)
    if (!page) throw new Error(`${alone} is gone`)
    await runShell(page)
    await runNode(page)
  })

  test.each(['docs/guides/quick-start.md', 'docs/guides/webhooks.md'])(
    'the receiver of %s takes genuine events and refuses others',
    async (page) => {
      const file = `${page.replaceAll(/[/.]/g, '-')}-receiver.mjs`
      writeFileSync(join(play.folder, file), fileOf(page, 'receiver.mjs'))
      await expectToReceive(postern, (more) => run(process.execPath, [file], more))
    },
  )

  test('every field that a Node sample names exists in the types of the SDK', async () => {
    const files = pages
      .filter((page) => codeOf(page, 'js', 'ts').length > 0)
      .map((page) => {
        const file = `${page.page.replaceAll(/[/.]/g, '-')}.mts`
        writeFileSync(join(play.folder, file), moduleOf(codeOf(page, 'js', 'ts')))
        return file
      })
    const flags = ['--noEmit', '--strict', '--ignoreConfig', '--skipLibCheck', '--allowImportingTsExtensions']
    const target = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node']
    const types = ['--typeRoots', join(root, 'node_modules/@types')]
    const args = [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...target, ...types, ...files]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: play.folder }).catch(
      (failure: { stdout: string }) => failure,
    )
    expect(stdout).toBe('')
  })
})
