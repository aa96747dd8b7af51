/**
 * Writes everything that is made from the sources and checked in, and renders docs/dist: `npm run generate`. With
 * `--check` nothing is written; it fails and names each file that differs from what the sources say.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { OpenApiDocument } from '../server/src/http/docs/document.ts'
import { writeDocs } from './build-docs.ts'
import { apiDocuments } from './documents/api-documents.ts'
import { apiTypes } from './documents/api-types.ts'
import { apiValues } from './documents/api-values.ts'
import { configurationPage } from './documents/configuration-page.ts'
import { dialectPage } from './documents/dialect-page.ts'
import { errorsPage } from './documents/errors-page.ts'
import { eventsPage } from './documents/events-page.ts'
import { guidePages } from './documents/guide-pages.ts'
import { docsFiles } from './documents/pages/docs-files.ts'
import { scenarioPage } from './documents/scenario-page.ts'

const root = resolve(import.meta.dirname, '..')
const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const stale: string[] = []
for (const [file, content] of await artefacts()) {
  const path = join(root, file)
  if ((await readFile(path, 'utf8').catch(() => null)) === content) continue
  stale.push(file)
  if (flags.check) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
report(stale, flags.check)

async function artefacts(): Promise<[file: string, content: string][]> {
  const { api, postman, console: consoleApi } = await apiDocuments()
  const pages: [string, string][] = [
    ['docs/errors.md', errorsPage()],
    ['docs/events.md', eventsPage()],
    ['docs/configuration.md', configurationPage()],
    ['docs/sandbox-scenario.md', scenarioPage()],
    ['docs/meta-dialect.md', dialectPage(JSON.parse(api) as OpenApiDocument)],
  ]
  const guides = guidePages(new Map(pages))
  const docs = docsFiles(JSON.parse(api) as OpenApiDocument, guides)
  if (!flags.check) writeDocs(docs)
  const files: [string, string][] = [
    ['docs/api/openapi.json', api],
    ['docs/api/postman.json', postman],
    ...pages,
    ['sdk/src/types.ts', await apiTypes(api, 'docs/api/openapi.json', { paths: false })],
  ]
  if (consoleApi !== null) {
    files.push(['docs/api/console.json', consoleApi])
    files.push(['console/src/api-types.ts', await apiTypes(consoleApi, 'docs/api/console.json', { paths: true })])
    files.push(['console/src/api-values.ts', apiValues(guides.guides)])
  }
  return files
}

function report(files: readonly string[], check: boolean): void {
  if (files.length === 0) return void process.stderr.write('generated files are up to date\n')
  if (check) {
    for (const file of files) process.stderr.write(`${file} differs from the sources: run npm run generate\n`)
    process.exitCode = 1
  } else process.stderr.write(`wrote ${files.join(', ')}\n`)
}
