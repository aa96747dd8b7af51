import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTimeoutMs, root, startProcess } from './support/child-process.ts'

describe('the gateway built to plain JavaScript', { timeout: processTimeoutMs }, () => {
  // Below node_modules, so that dependencies are found as they would be beside an installed build.
  const build = join(root, 'node_modules', '.cache', `postern-build-test-${process.pid}`)
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-build-'))
    await promisify(execFile)(process.execPath, ['scripts/build.ts', '--gateway-only', '--out', build], { cwd: root })
  })
  afterAll(async () => {
    await rm(build, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })

  test('starts, is ready and stops, from another folder and without type stripping', async () => {
    const ports = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']
    const program = join(build, 'cli', 'bin', 'postern.js')
    const args = ['--no-strip-types', program, 'serve', ...ports, '--data', join(folder, 'data'), '--json']
    const server = startProcess(process.execPath, args, { cwd: folder })
    try {
      const line = await server.line((text) => text.includes('"event":"ready"'))
      const { base_url } = JSON.parse(line) as { base_url: string }
      expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
    } finally {
      await server.destroy()
    }
  })
})
