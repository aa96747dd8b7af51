import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCurl, pathWithCurl, standInFolder } from './curl.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'postern-curl-test-'))
const file = join(folder, 'a.pdf')
writeFileSync(file, '%PDF-1.4')

/** Answers what it was asked, the boundary of a form replaced by its name. */
const server = http.createServer(async (request, response) => {
  const { method, url, headers } = request
  const type = headers['content-type'] ?? null
  const boundary = /boundary=(\S+)/.exec(type ?? '')?.[1] ?? 'none'
  const text = JSON.stringify({
    method,
    url,
    type,
    authorization: headers.authorization ?? null,
    body: await textOf(request),
  })
  response.writeHead(url === '/refused' ? 400 : 200).end(text.replaceAll(boundary, 'BOUNDARY'))
})
let base: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  return new Promise((resolve) => server.close(resolve))
})

async function textOf(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const json = ['-H', 'Content-Type: application/json', '-d', '{"a":"it\'s\n{{1}} é"}']

const asked = { method: 'GET', url: '/a', type: null, authorization: null, body: '' }
const form = 'application/x-www-form-urlencoded'

/** Whole requests, so that the stand-in is what curl is also where there is no curl to ask. */
describe.each(hasCurl() ? ['the stand-in', 'curl itself'] : ['the stand-in'])('%s', (program) => {
  test.each([
    ['reads', ['-s', '/a?b=1', '-H', 'Authorization: Bearer t'], { url: '/a?b=1', authorization: 'Bearer t' }],
    ['sends user name and password', ['-s', '/a', '-u', 'ptk_1:pts_1'], { authorization: 'Basic cHRrXzE6cHRzXzE=' }],
    ['posts JSON as it stands', ['-s', '/a', ...json], { method: 'POST', body: json[3], type: 'application/json' }],
    ['takes another method', ['-s', '-X', 'DELETE', '/a'], { method: 'DELETE' }],
    ['names the type of data', ['-s', '/a', '-d', 'a'], { method: 'POST', body: 'a', type: form }],
  ])('%s', async (_name, args, expected) => {
    const output = await outputOf(program === 'the stand-in' ? standInFolder() : '', args)
    expect(JSON.parse(output)).toEqual({ ...asked, ...expected })
  })
})

describe('the stand-in for curl', () => {
  test('uploads a file under the name and type it is given', async () => {
    const args = ['-sS', '-X', 'POST', '/a', '-F', `file=@${file};filename=b.pdf;type=application/pdf`]
    const { type, body } = JSON.parse(await outputOf(standInFolder(), args))
    expect(type).toBe('multipart/form-data; boundary=BOUNDARY')
    expect(body).toMatch(/name="file"; filename="b\.pdf"\r\nContent-Type: application\/pdf\r\n\r\n%PDF-1\.4\r\n/)
  })

  test('writes the status after the answer', async () => {
    expect(await outputOf(standInFolder(), ['-sS', '/refused', '-w', '\\n%{http_code}'])).toMatch(/\}\n400$/)
  })

  test('refuses an option that no text of ours prints', async () => {
    await expect(outputOf(standInFolder(), ['--insecure', '/a'])).rejects.toThrow(/Unknown option '--insecure'/)
  })

  test('is not used where there is a curl', () => {
    expect(pathWithCurl().startsWith(standInFolder())).toBe(!hasCurl())
  })
})

async function outputOf(first: string, args: readonly string[]): Promise<string> {
  const program = first === '' ? 'curl' : join(first, 'curl')
  const complete = args.map((arg) => (arg.startsWith('/') ? `${base}${arg}` : arg))
  return (await run(program, complete)).stdout
}
