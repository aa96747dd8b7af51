import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { processTimeoutMs, root } from '../support/child-process.ts'

type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string> | undefined>

const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the documents', () => {
  test('that are generated say what the sources say', { timeout: processTimeoutMs }, async () => {
    const generate = promisify(execFile)(process.execPath, ['scripts/generate.ts', '--check'], { cwd: root })
    await expect(generate).resolves.toMatchObject({ stderr: 'generated files are up to date\n' })
  })

  test('name the two commands that continuous integration runs, and it runs no others', () => {
    const setup = /^(#|set |cd |$)/
    const commands = read('.ci/run')
      .split('\n')
      .filter((line) => !setup.test(line))
    expect(commands).toEqual(['npm ci', 'npm test'])
    expect(read('README.md')).toContain(`\`\`\`sh\n${commands.join(' && ')}\n\`\`\``)
  })

  test('give a reason for every direct dependency', () => {
    const manifests = globSync(
      ['package.json', '{server,sandbox,sdk,console,cli}/package.json', 'tools/*/package.json'],
      {
        cwd: root,
      },
    )
    const page = read('docs/dependencies.md')
    const names = manifests.flatMap((file) => {
      const manifest = JSON.parse(read(file)) as Manifest
      return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    })
    const unexplained = names.filter((name) => !name.startsWith('@postern/') && !page.includes(`\`${name}\``))
    expect(names.length).toBeGreaterThan(30)
    expect(unexplained).toEqual([])
  })

  test('quote the check of a channel in its own words', () => {
    const table = read('docs/go-live.md').split('## Troubleshooting')[1]?.split('\n## ')[0] ?? ''
    const quotes = [...table.matchAll(/"([^"]+)"/g)].flatMap(([, quote = '']) => quote.split('…'))
    const said = globSync('server/src/channels/check/*.ts', { cwd: root }).map(read).join('\n')
    const fragments = quotes.map((part) => part.trim().replace(/^, /, '')).filter((part) => part !== '')
    expect(fragments.length).toBeGreaterThan(20)
    expect(fragments.filter((part) => !said.includes(part))).toEqual([])
  })

  test('link only to files that exist', () => {
    const pages = globSync(['*.md', '{docs,examples}/**/*.md', '{sandbox,sdk,sdk-python}/*.md'], {
      cwd: root,
      exclude: ['docs/dist'],
    })
    // As on GitHub, a leading slash is the root of the repository.
    const fileOf = (page: string, target: string) => join(root, target.startsWith('/') ? '' : dirname(page), target)
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(fileOf(page, target)))
        .map((target) => `${page}: ${target}`),
    )
    expect(pages.length).toBeGreaterThan(5)
    expect(broken).toEqual([])
  })
})
