import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support/child-process.ts'
import { type ConsoleWorld, startConsole } from '../support/console/console-world.ts'

const built = join(root, 'console/dist')
const gzipBytes = (file: string) => gzipSync(readFileSync(join(built, file)), { level: 9 }).length
const asPage = { accept: 'text/html,application/xhtml+xml' }

let world: ConsoleWorld
beforeAll(async () => {
  world = await startConsole()
})
afterAll(() => world.dispose())

/** Undici would unpack by itself; these tests want the bytes as they travel. */
async function raw(path: string, encoding: string) {
  const { request } = await import('undici')
  const { headers, body, statusCode } = await request(`${world.url}${path}`, {
    headers: { ...asPage, 'accept-encoding': encoding },
  })
  return { statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

/** These files, and all that they import before they run. */
function imported(files: readonly string[], known = new Set<string>()): Set<string> {
  for (const file of files.filter((one) => !known.has(one))) {
    known.add(file)
    const text = readFileSync(join(built, 'assets', file), 'utf8')
    imported(
      [...text.matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)].map(([, name = '']) => name),
      known,
    )
  }
  return known
}

describe('the files of the console', () => {
  const entry = /src="(\/assets\/[^"]+\.js)"/.exec(readFileSync(join(built, 'index.html'), 'utf8'))?.[1] ?? ''

  test('make a first load below 150 kB, and no page adds more than 30 kB', () => {
    const assets = readdirSync(join(built, 'assets'))
    const pages = assets.filter((file) => /-page-.*\.js$/.test(file))
    const sum = (files: Iterable<string>) =>
      [...files].reduce((total, file) => total + gzipBytes(join('assets', file)), 0)
    expect(pages.length).toBeGreaterThan(4)
    const styles = assets.filter((file) => file.endsWith('.css'))
    // What is asked for on a click, such as a dialog, is no part of it.
    const loads = pages.map((page) => sum([...imported([entry.replace('/assets/', ''), page]), ...styles]))
    expect(Math.max(...loads)).toBeLessThan(150_000)
    expect(Math.max(...pages.map((file) => sum([file])))).toBeLessThan(30_000)
  })

  test('travel compressed as the build left them, and are kept for a year', async () => {
    const plain = readFileSync(join(built, entry))
    const brotli = await raw(entry, 'br, gzip')
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(brotliDecompressSync(brotli.bytes).equals(plain)).toBe(true)
    const gzip = await raw(entry, 'gzip')
    expect(gunzipSync(gzip.bytes).equals(plain)).toBe(true)
    expect((await raw(entry, 'identity')).bytes.equals(plain)).toBe(true)
  })

  test('stay inside their folder', async () => {
    for (const path of [
      '/assets/../../package.json',
      '/assets/%2e%2e/index.html',
      '/assets/..%2f.sources',
      '/.sources',
    ]) {
      expect((await raw(path, 'identity')).statusCode, path).toBe(404)
    }
  })
})

describe('a page of the console', () => {
  test('carries a policy without inline code, and is asked for anew every time', async () => {
    const { headers } = await fetch(`${world.url}/api-keys`, { headers: asPage })
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'; " +
        "require-trusted-types-for 'script'",
    )
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('is what a person gets; a program gets the refusal of the API', async () => {
    for (const path of ['/api-keys', '/settings/plan', '/messages/wamid.x', '/setup']) {
      expect((await fetch(`${world.url}${path}`, { headers: asPage })).status, path).toBe(200)
      const answer = await fetch(`${world.url}${path}`, { headers: { accept: 'application/json' } })
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code], path).toEqual([
        404,
        'endpoint_not_found',
      ])
    }
  })

  test('at / is for browsers; other clients get an index with links that work', async () => {
    const page = await fetch(`${world.url}/`, { headers: asPage })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const accept of ['*/*', 'application/json']) {
      const answer = await fetch(`${world.url}/`, { headers: { accept } })
      expect([answer.status, answer.headers.get('vary')]).toEqual([200, 'Accept'])
      const index = (await answer.json()) as { name: string; version: string; links: Record<string, string> }
      expect(index).toMatchObject({ name: 'postern', version: expect.stringMatching(/^\d+\./) })
      expect(Object.keys(index.links)).toEqual(['api', 'openapi', 'docs', 'go_live', 'errors', 'health', 'console'])
      for (const [name, link] of Object.entries(index.links)) {
        if (name !== 'api') expect((await fetch(link, { headers: asPage })).status, link).toBe(200)
      }
    }
  })

  test('and everything else that can be fetched answers HEAD too', async () => {
    const entry = /src="(\/assets\/[^"]+\.js)"/.exec(readFileSync(join(built, 'index.html'), 'utf8'))?.[1] ?? ''
    for (const path of ['/', '/api-keys', '/docs/errors', '/openapi.json', '/livez', '/favicon.svg', entry]) {
      const head = await fetch(`${world.url}${path}`, { method: 'HEAD', headers: asPage })
      expect([head.status, await head.text()], path).toEqual([200, ''])
    }
    const session = await fetch(`${world.url}/console/api/session`, { method: 'HEAD' })
    const got = await fetch(`${world.url}/console/api/session`)
    expect(session.status).toBe(got.status)
  })

  test('is a small page with a way home for an address that does not exist', async () => {
    const answer = await fetch(`${world.url}/nothing<b>`, { headers: asPage })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
    const html = await answer.text()
    expect(html).toContain('href="/"')
    expect(html).not.toContain('<b>')
    // The API answers its own form to everybody.
    for (const path of ['/v1/nothing', '/console/api/nothing']) {
      const refused = await fetch(`${world.url}${path}`, { headers: asPage })
      expect(((await refused.json()) as { error: { code: string } }).error.code, path).toBe('endpoint_not_found')
    }
  })

  test('is not given for an address that is none, nor for another method', async () => {
    for (const path of ['/nothing', '/v1/nothing', '/console/api/nothing', '/assets/nothing.js']) {
      expect((await fetch(`${world.url}${path}`, { headers: asPage })).status, path).toBe(404)
    }
    expect((await fetch(`${world.url}/api-keys`, { method: 'POST', headers: asPage })).status).toBe(404)
  })

  test('leaves the plain pages of the reference as they are', async () => {
    for (const path of ['/docs/api', '/docs/errors']) {
      const text = await (await fetch(`${world.url}${path}`, { headers: asPage })).text()
      expect(text, path).not.toMatch(/<script [^>]*src/)
    }
  })
})
