/**
 * Renders what the gateway serves under /docs into docs/dist, from the guides and the checked-in API document:
 * `node scripts/build-docs.ts`. It takes less than a second; `npm start` and the tests call it each time.
 */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OpenApiDocument } from '../server/src/http/docs/document.ts'
import { guidePages } from './documents/guide-pages.ts'
import { docsFiles } from './documents/pages/docs-files.ts'

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'docs', 'dist')

export function buildDocs(): void {
  const document = readFileSync(join(root, 'docs/api/openapi.json'), 'utf8')
  writeDocs(docsFiles(JSON.parse(document) as OpenApiDocument, guidePages()))
}

/** Replaces each file in one step: a gateway that runs finds the old page or the new one, never half of it. */
export function writeDocs(files: ReadonlyMap<string, string>): void {
  mkdirSync(target, { recursive: true })
  for (const [name, content] of files) {
    const staging = join(target, `${name}.${crypto.randomUUID()}`)
    writeFileSync(staging, content)
    renameSync(staging, join(target, name))
  }
  const gone = globSync('*.{html,json,css,txt,md}', { cwd: target }).filter((name) => !files.has(name))
  for (const name of gone) rmSync(join(target, name), { force: true })
}

if (import.meta.main) buildDocs()
