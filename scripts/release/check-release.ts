/**
 * Installs what a build made in empty folders, starts it, and sends a message with it: `node
 * scripts/release/check-release.ts [folder]`. Says of everything else that it was built and not run. Exits with 1 if
 * anything that ran did not work.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { npm, root } from '../run-command.ts'
import { imagesByTag } from './check-images.ts'
import { debName } from './write-deb.ts'

type Gateway = { url: string; key: string; secret: string }
/** What was done, or why nothing was. */
type Result = { done: string } | { notRun: string }
type Check = readonly [what: string, run: (folder: string) => Promise<Result> | Result]

const built = resolve(process.argv[2] ?? join(root, 'dist'))
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
const product = { name: 'postern', version: version ?? '', license: license ?? '' }
const [here, other] = process.arch === 'x64' ? ['x64', 'arm64'] : ['arm64', 'x64']
const standalone = (arch: string) => `postern-${version}-linux-${arch}`
const sdk = `postern-sdk-${version}.tgz`
const wheel = `postern-${version}-py3-none-any.whl`

/** The environment without settings of a gateway or of npm. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(POSTERN_|npm_|NODE_)/.test(name)))

const checks: Check[] = [
  ['SHA256SUMS', checkSums],
  [`postern-${version}.tgz`, checkPackage],
  [`${standalone(here)}.tar.gz`, checkTarball],
  [debName(product, here), checkDeb],
  [sdk, (folder) => withStandalone(folder, (gateway) => checkSdk(folder, gateway))],
  [wheel, (folder) => withStandalone(folder, (gateway) => checkWheel(folder, gateway))],
  [`${standalone(other)}.tar.gz`, () => ({ notRun: `this host is ${here}` })],
  [debName(product, other), () => ({ notRun: `this host is ${here}` })],
  [`postern-${version}-container.tar.gz`, checkImages],
]

for (const [what, run] of checks) {
  if (!existsSync(join(built, what))) {
    report('FAILED', what, 'was not built')
    continue
  }
  const folder = mkdtempSync(join(tmpdir(), 'postern-release-'))
  try {
    const result = await run(folder)
    if ('done' in result) report('ok    ', what, result.done)
    else report('--    ', what, `built, not run: ${result.notRun}`)
  } catch (error) {
    report('FAILED', what, (error as Error).message)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(mark: string, what: string, text: string): void {
  process.stdout.write(`${mark}  ${what}: ${text}\n`)
  if (mark === 'FAILED') process.exitCode = 1
}

function checkSums(): Result {
  const lines = readFileSync(join(built, 'SHA256SUMS'), 'utf8').trim().split('\n')
  for (const line of lines) {
    const [sum, name = ''] = line.split('  ')
    const found = createHash('sha256')
      .update(readFileSync(join(built, name)))
      .digest('hex')
    if (found !== sum) throw new Error(`${name} is another file than SHA256SUMS says`)
  }
  return { done: `${lines.length} files are as listed` }
}

async function checkPackage(folder: string): Promise<Result> {
  install(folder, `postern-${version}.tgz`)
  const program = [process.execPath, '--no-strip-types', join(folder, 'node_modules/.bin/postern')]
  return { done: `installed without a registry; ${await withGateway(program, folder, sendMessage)}` }
}

async function checkTarball(folder: string): Promise<Result> {
  return withStandalone(folder, async (gateway) => ({ done: `unpacked; ${await sendMessage(gateway)}` }))
}

async function checkDeb(folder: string): Promise<Result> {
  const file = join(built, debName(product, here))
  if (!has('dpkg-deb')) return { notRun: 'dpkg-deb is not installed' }
  call('dpkg-deb', ['--info', file], folder)
  call('dpkg-deb', ['--extract', file, join(folder, 'root')], folder)
  const program = [join(folder, 'root/opt/postern/bin/postern')]
  const sent = await withGateway(program, folder, sendMessage)
  return { done: `unpacked by dpkg-deb, its scripts not run; ${sent}` }
}

async function checkSdk(folder: string, gateway: Gateway): Promise<Result> {
  install(folder, sdk)
  const script = `import { Postern } from '@postern/sdk'
    const sent = await new Postern().messages.send({ to: '+12025550100', message: 'Hello' })
    process.stdout.write(sent.status)`
  writeFileSync(join(folder, 'send.mjs'), script)
  const printed = call(process.execPath, ['--no-strip-types', 'send.mjs'], folder, clientOf(gateway))
  return { done: `installed without a registry; sent a message (${printed})` }
}

async function checkWheel(folder: string, gateway: Gateway): Promise<Result> {
  const isNew = 'import sys; sys.exit(sys.version_info < (3, 11))'
  if (!has('python3', ['-c', isNew])) return { notRun: 'Python 3.11 or newer is not installed' }
  call('python3', ['-m', 'venv', 'venv'], folder)
  const python = join(folder, 'venv/bin/python')
  call(python, ['-m', 'pip', 'install', '--quiet', '--no-index', join(built, wheel)], folder)
  const script = "from postern import Postern; print(Postern().send('+12025550100', 'Hello')['status'], end='')"
  const printed = call(python, ['-c', script], folder, clientOf(gateway))
  return { done: `installed with pip without an index; sent a message (${printed})` }
}

function checkImages(): Result {
  const open = imagesByTag(readFileSync(join(built, 'container/Dockerfile'), 'utf8'))
  if (open.length === 0) return { notRun: 'no container is started here' }
  return {
    notRun: `no container is started here. Not to be published: ${open.join(' and ')} is named without a digest`,
  }
}

async function withStandalone(folder: string, use: (gateway: Gateway) => Promise<Result>): Promise<Result> {
  call('tar', ['-xzf', join(built, `${standalone(here)}.tar.gz`)], folder)
  return withGateway([join(folder, standalone(here), 'bin/postern')], folder, use)
}

/** Starts it in an empty data folder with its sandbox, and stops it as an operator would. */
async function withGateway<T>(
  [program = '', ...args]: readonly string[],
  folder: string,
  use: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const ports = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']
  const options = ['serve', ...ports, '--data', join(folder, 'data'), '--json']
  const server = spawn(program, [...args, ...options], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(server, 'close')
  try {
    const gateway = await firstLines(server)
    const result = await use(gateway)
    server.kill('SIGTERM')
    const [code] = await ended
    if (code !== 0) throw new Error(`the gateway stopped with ${code}`)
    return result
  } finally {
    server.kill('SIGKILL')
  }
}

async function firstLines(server: ChildProcess): Promise<Gateway> {
  const gateway = { url: '', key: '', secret: '' }
  if (!server.stdout) throw new Error('the gateway has no output')
  for await (const line of createInterface({ input: server.stdout })) {
    const { event, api_key, api_secret, base_url } = JSON.parse(line) as Record<string, string>
    if (event === 'first_run') Object.assign(gateway, { key: api_key, secret: api_secret })
    if (event === 'ready') return { ...gateway, url: base_url ?? '' }
  }
  throw new Error('the gateway ended before it was ready')
}

async function sendMessage({ url, key, secret }: Gateway): Promise<string> {
  const response = await fetch(`${url}/v1/chat/messages/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${key}:${secret}`)}` },
    body: JSON.stringify({ to: '+12025550100', message: 'Hello from a release' }),
  })
  const { data } = (await response.json()) as { data: { status: string } | null }
  if (!data) throw new Error(`the message was rejected with ${response.status}`)
  return `sent a message (${data.status})`
}

function clientOf({ url, key, secret }: Gateway): Record<string, string> {
  return { POSTERN_BASE_URL: url, POSTERN_API_KEY: key, POSTERN_API_SECRET: secret }
}

/** Where no registry can be reached: what it needs must be in the file. */
function install(folder: string, file: string): void {
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  mkdirSync(join(folder, '.npm'))
  const settings = { HOME: folder, npm_config_cache: join(folder, '.npm'), npm_config_offline: 'true' }
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_registry: 'http://registry.invalid/' }
  const { program, args } = npm('install', join(built, file))
  call(program, args, folder, { ...settings, ...quiet })
}

function call(program: string, args: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}) {
  return execFileSync(program, [...args], { cwd, env: { ...env, ...more }, encoding: 'utf8', stdio: 'pipe' })
}

function has(program: string, args: readonly string[] = ['--version']): boolean {
  try {
    execFileSync(program, [...args], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
