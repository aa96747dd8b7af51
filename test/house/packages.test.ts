import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../../cli/src/commands.ts'
import { processTimeoutMs, root, startProcess } from '../support/child-process.ts'
import { installPackage } from '../support/installed-package.ts'

type Component = { 'bom-ref': string; group?: string; name: string; version: string; hashes?: []; licenses?: [] }
type Sbom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const run = promisify(execFile)
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }

describe('what npm run build makes', { timeout: processTimeoutMs }, () => {
  let folder = ''
  let built = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-packages-'))
    built = join(folder, 'built')
    await run(process.execPath, ['scripts/build.ts', '--out', built], { cwd: root })
  }, processTimeoutMs)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  describe('the package postern, installed without a registry', () => {
    let project = ''
    /** Without type stripping: what is installed is plain JavaScript. */
    const postern = (...args: string[]) => ['--no-strip-types', join(project, 'node_modules/.bin/postern'), ...args]

    beforeAll(async () => {
      project = await installPackage(folder, join(built, `postern-${version}.tgz`))
    }, processTimeoutMs)

    test('shows the help of every command', async () => {
      const names = (await allCommands()).map(({ name }) => name)
      const overview = await run(process.execPath, postern('--help'), { cwd: project })
      expect(names.filter((name) => !overview.stdout.includes(`  ${name} `))).toEqual([])
      const broken: string[] = []
      const left = [...names]
      const work = async () => {
        for (let name = left.shift(); name !== undefined; name = left.shift()) {
          const help = await run(process.execPath, postern(...name.split(' '), '--help'), { cwd: project }).catch(
            (error: Error) => ({ stdout: error.message }),
          )
          if (!help.stdout.includes(`Flags of 'postern ${name}'`)) broken.push(`${name}: ${help.stdout}`)
        }
      }
      await Promise.all([work(), work(), work()])
      expect(names.length).toBeGreaterThan(30)
      expect(broken).toEqual([])
    })

    test('starts in an empty folder with its console, is ready and stops', async () => {
      const empty = join(project, 'empty')
      await mkdir(empty)
      const ports = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']
      const server = startProcess(process.execPath, postern('serve', ...ports, '--json'), { cwd: empty })
      try {
        const line = await server.line((text) => text.includes('"event":"ready"'))
        const { base_url } = JSON.parse(line) as { base_url: string }
        expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
        const page = await (await fetch(`${base_url}/`, { headers: { accept: 'text/html' } })).text()
        const asset = /src="([^"]+\.js)"/.exec(page)?.[1]
        expect(asset).toBeDefined()
        expect((await fetch(new URL(asset ?? '', base_url))).headers.get('content-type')).toContain('javascript')
        server.signal('SIGTERM')
        expect(await server.ended).toBe(0)
        expect(await readdir(empty)).toEqual(['data'])
      } finally {
        await server.destroy()
      }
    })
  })
  test('the package @postern/sdk works from ESM and CommonJS', async () => {
    const project = await installPackage(folder, join(built, `postern-sdk-${version}.tgz`))
    const options = "{ baseUrl: 'http://gateway.test', apiKey: 'ptk_1', apiSecret: 'pts_1' }"
    const code = `console.log(version, typeof new Postern(${options}).messages.send)`
    await writeFile(join(project, 'app.mjs'), `import { Postern, version } from '@postern/sdk'\n${code}`)
    await writeFile(join(project, 'app.cjs'), `const { Postern, version } = require('@postern/sdk')\n${code}`)
    for (const file of ['app.mjs', 'app.cjs']) {
      const { stdout } = await run(process.execPath, ['--no-strip-types', file], { cwd: project })
      expect(stdout).toBe(`${version} function\n`)
    }
  })
  test('the list of components names everything that is bundled, with hash and licence, and every reference leads somewhere', async () => {
    const list = JSON.parse(await readFile(join(built, `postern-${version}.cdx.json`), 'utf8')) as Sbom
    expect(list).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    const listed = list.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`)
    const manifests = globSync('postern/node_modules/**/package.json', { cwd: built })
    const bundled = manifests
      .filter((file) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
      .map((file) => JSON.parse(readFileSync(join(built, file), 'utf8')) as { name: string; version: string })
      .map((manifest) => `${manifest.name}@${manifest.version}`)
    expect(bundled.length).toBeGreaterThan(100)
    expect(bundled.filter((one) => !listed.includes(one))).toEqual([])
    expect(list.components.filter(({ hashes, licenses }) => !hashes || !licenses)).toEqual([])
    const refs = new Set([list.metadata.component['bom-ref'], ...list.components.map((one) => one['bom-ref'])])
    const named = list.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
    expect(named.filter((ref) => !refs.has(ref))).toEqual([])
    expect(new Set(named)).toEqual(refs)
  })
})
