import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Code and tables are neutral; users of the product read of WhatsApp and of Meta. */
const neutral = /\bthe platform\b|\bplatform code|business chat|chat account|chat channel|chat platform/i
/** Words of the first edition that a reader of the field does not expect, in code and comments too. */
const dialect =
  /\bwhoever\b|\bwhat came\b|\bdoors?\b|\bdoorstep|\bknock|\bholdings\b|own fault|takes? back\b|\bwish(es)?\b|repeatable|\bmend(s|ed|ing)?\b|\binTurn\b|its turn\b|\bsomebody\b|\b(his|himself)\b/i
/** Phrases of the first edition that no reader of English expects. */
const retired =
  /a repeat will not help|not looked at|by code\b|of many\b|nothing is called that|not with your role|\d %|\} %/i

/** The package is not on npm: outside the clone npx would install whatever has that name. */
const installable = /\bnpx (?!--no-install )(--?\S+ )*postern\b/

/** For contributors, who also read the code. */
const forContributors = ['architecture.md', 'dependencies.md', 'performance.md', 'proof.md', 'releasing.md']
const guides = ['docs', 'docs/guides'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && !forContributors.includes(name))
    .map((name) => `${folder}/${name}`),
)

describe('what people read', () => {
  test.each([
    ...['README.md', 'sdk/README.md', 'docs/api/openapi.json', 'docs/api/console.json', ...guides],
    ...['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml'],
  ])('says WhatsApp and Meta: %s', (path) => {
    expect(linesWith(neutral, path, (text) => text)).toEqual([])
  })

  test.each(['console/src', 'cli/src', 'server/src', 'sdk/src'])(
    'says WhatsApp and Meta: sentences of %s',
    (folder) => {
      expect(sourcesOf(folder).flatMap((path) => linesWith(neutral, path, withoutComments))).toEqual([])
    },
  )

  test.each(['server/src', 'console/src', 'cli/src', 'sdk/src', 'sandbox/src', 'scripts', 'bench'])(
    'uses the words of the field: code and comments of %s',
    (folder) => {
      expect(sourcesOf(folder).flatMap((path) => linesWith(dialect, path, (text) => text))).toEqual([])
    },
  )

  test('uses the words of the field: names and comments of tests', () => {
    const tests = ['server/src', 'console/src', 'cli/src', 'sdk/src', 'sandbox/src', 'test']
      .flatMap((folder) => sourcesOf(folder, /./))
      .filter((path) => path !== 'test/house/words.test.ts')
    expect(tests.length).toBeGreaterThan(300)
    expect(tests.flatMap((path) => linesWith(dialect, path, (text) => text))).toEqual([])
  })

  test('never lets npx install a package that is not ours', () => {
    const pages = ['docs', 'examples', 'sdk', 'sandbox', 'deploy'].flatMap((folder) =>
      sourcesOf(folder, /./, /\.(md|json|ya?ml)$/),
    )
    const sources = ['console/src', 'cli/src', 'server/src', 'sdk/src', 'sandbox/src', 'examples'].flatMap((folder) =>
      sourcesOf(folder),
    )
    const read = ['README.md', 'CONTRIBUTING.md', ...pages.filter((path) => !path.includes('node_modules')), ...sources]
    expect(read.length).toBeGreaterThan(500)
    expect(read.flatMap((path) => linesWith(installable, path, (text) => text))).toEqual([])
  })

  test('uses plain English: sentences of the console', () => {
    expect(sourcesOf('console/src').flatMap((path) => linesWith(retired, path, withoutComments))).toEqual([])
  })
})

function sourcesOf(folder: string, named = /^(?!.*\.test\.tsx?$)/, ending = /\.tsx?$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && named.test(name))
    .map((name) => `${folder}/${name}`)
}

function linesWith(pattern: RegExp, path: string, prepare: (text: string) => string): string[] {
  const lines = prepare(readFileSync(join(root, path), 'utf8')).split('\n')
  return lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
}

/** Comments are for contributors. Lines keep their numbers. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/ .*$/gm, '')
}
