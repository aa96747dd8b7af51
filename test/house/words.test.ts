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

/** A word that is out, the one to use, and a sentence that shows it. A space stands for any white space. */
const replaced: [out: string, use: string, sample: string][] = [
  ['(something|more) to tap', 'interactive message', 'a message with something to tap'],
  ['made-up', 'sample', 'a made-up sample'],
  [
    'switch(es|ed|ing)?( [\\w-]+){0,3} (on|off)\\b',
    'turn on or off, enable or disable',
    'switch two-factor sign-in off',
  ],
  ['\\bby (itself|themselves)\\b', 'automatically', 'It recovers by itself.'],
  ['\\b(is|are|was|were|be|been|gets?) told\\b', 'is notified', 'What nobody was told of'],
  ['\\btells? of\\b', 'reports', 'no event tells of them'],
  ['\\bmend(s|ed|ing)?\\b', 'fix', 'mend the address'],
  ['\\banswer(s|ed|ing)?\\b', 'response (of a machine), reply (of a person)', 'Meta has until second 8 to answer'],
  [
    '(?<!connections? (is |are )?)\\brefus(e|es|ed|ing|als?)\\b(?! to (start|run)| (or closed )?connections?)',
    'reject',
    'the call is refused with 403',
  ],
  ['machine of the gateway|gateway.s machine', 'gateway host', 'a command on the machine of the gateway'],
  ['what (was|is) sent and received', 'messages', 'what was sent and received'],
  ['what became of', 'the outcome of', 'a status says what became of the message'],
  ['fixed fate', 'magic number', 'recipients with a fixed fate'],
  ['takes? no more messages', 'rate-limits', 'WhatsApp takes no more messages from this number for now.'],
  ['tests hold', 'covered by automated tests', 'Tests hold each promise.'],
  ['invitation link', 'invite link', 'Make invitation link'],
  ['\\d %', '99%', '99 % of the sends'],
  ['messages? that waits?\\b', 'waiting, queued or scheduled messages', 'messages that wait with a reference'],
  ['Meta.s dialect', "tools for Meta's Cloud API, Meta-compatible API", "tools that speak Meta's dialect"],
  ['\\bgo(es)? on\\b', 'continues, resumes', 'the broadcast goes on'],
  ['\\b(no|without) room\\b', 'over the limit, used up', 'sends without room'],
  ['\\bfor good\\b', 'permanently', 'deleted for good'],
  ['\\b(start|begin)s? anew\\b', 'starts again, next period', 'the budget starts anew'],
  ['seen on a real', 'confirmed on a real account', 'not yet seen on a real account'],
]

/** The same for sentences of the code: what people read of it, not its comments. */
const outInSentences =
  /messages? that waits?\b|dialect of Meta|Meta's dialect|goes on by itself|\b(has no|without) room\b|\bfor good\b|\b(start|begin)s? anew\b/i

/** For contributors, who also read the code. */
const forContributors = ['architecture.md', 'dependencies.md', 'performance.md', 'proof.md', 'releasing.md']
const guides = ['docs', 'docs/guides', 'docs/recipes'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && !forContributors.includes(name))
    .map((name) => `${folder}/${name}`),
)

/** They follow from code, whose sentences are checked there, or from a run of the proofs. */
const generated = ['configuration.md', 'errors.md', 'events.md', 'proof.md', 'sandbox-scenario.md'].map(
  (name) => `docs/${name}`,
)
const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'sandbox/README.md', 'sdk/README.md', 'examples/README.md'],
  ...sourcesOf('examples', /^[\w-]+\/README/, /\.md$/),
  ...guides,
  ...forContributors.map((name) => `docs/${name}`),
].filter((path) => !generated.includes(path))

/** What is checked for the words that are out: one line for each part of the product. */
const checked: [part: string, paths: string[], prepare: (text: string) => string][] = [
  ['pages', pages, withoutCode],
  ['deploy', sourcesOf('deploy', /./, /./).filter((path) => /\.\w+$|Dockerfile|Caddyfile/.test(path)), withoutCode],
]

describe('what people read', () => {
  test.each(checked)('uses the words of the trade: %s', (_part, paths, prepare) => {
    expect(paths.length).toBeGreaterThan(9)
    const found = paths.flatMap((path) => outdatedIn(prepare(readFileSync(join(root, path), 'utf8')), path))
    expect(found).toEqual([])
  })

  test.each(replaced)('finds "%s", also across lines, and accepts what replaces it: %s', (out, use, sample) => {
    for (const text of [sample, sample.replaceAll(' ', '\n  ')])
      expect(outdatedIn(text, 'page').some((line) => line.endsWith(`use: ${use}`))).toBe(true)
    expect(use).not.toMatch(patternOf(out))
  })

  test('accepts refused connections, a program that refuses to start, and words in code and in quotes', () => {
    const text =
      'A connection is refused, or refused connections. It refuses to start. `answer` "the answer"\n```\nanswer\n```\n'
    expect(outdatedIn(withoutCode(text), 'page')).toEqual([])
  })

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

  test.each(['server/src', 'console/src', 'cli/src', 'sdk/src', 'sandbox/src'])(
    'uses the words of the trade: sentences of %s',
    (folder) => {
      expect(sourcesOf(folder).flatMap((path) => linesWith(outInSentences, path, withoutComments))).toEqual([])
    },
  )

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

function patternOf(out: string): RegExp {
  return new RegExp(out.replaceAll(' ', String.raw`\s+`), 'gi')
}

function outdatedIn(text: string, path: string): string[] {
  return replaced.flatMap(([out, use]) =>
    [...text.matchAll(patternOf(out))].map(
      ({ 0: found, index }) => `${path}:${text.slice(0, index).split('\n').length} ${found}, use: ${use}`,
    ),
  )
}

/** Blocks, names in backticks, and texts of the product in quotes. Lines keep their numbers. */
function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$|`[^`\n]*`|"[^"\n]*"/gm, (code) => code.replaceAll(/[^\n]/g, ''))
}

/** Comments are for contributors. Lines keep their numbers. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/ .*$/gm, '')
}
