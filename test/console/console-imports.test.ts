import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buttons } from '../../console/src/texts.ts'
import { type Import, importsOf, readSources } from '../support/import-graph.ts'

/** The page a file of the console belongs to: its folder in pages/. */
const pageOf = (path: string) => /^console\/src\/pages\/([\w-]+)\//.exec(path)?.[1] ?? null
const isIn = (path: string, ...rooms: string[]) => rooms.some((room) => path.startsWith(`console/src/${room}/`))

const law: { says: string; breaks(imported: Import): boolean }[] = [
  {
    says: 'no page imports another page',
    breaks: ({ from, to }) => pageOf(from) !== null && pageOf(to) !== null && pageOf(from) !== pageOf(to),
  },
  {
    says: 'pages know components, never the frame around them',
    breaks: ({ from, to }) => isIn(from, 'pages') && isIn(to, 'shell'),
  },
  {
    says: 'components know neither pages nor the frame',
    breaks: ({ from, to }) => isIn(from, 'components') && isIn(to, 'pages', 'shell'),
  },
]

function offences(imports: readonly Import[]): string[] {
  return imports.flatMap((imported) =>
    law.filter((rule) => rule.breaks(imported)).map(({ says }) => `${says}: ${imported.from} imports ${imported.to}`),
  )
}

describe('the console', () => {
  const sources = readSources(resolve(import.meta.dirname, '../..')).filter(({ path }) => path.startsWith('console/'))
  const imports = sources.flatMap(importsOf)

  test('was read, with the pages that are loaded lazily', () => {
    expect(imports.filter(({ to }) => to === 'console/src/pages/messages/messages-page.tsx')).toHaveLength(1)
    expect(new Set(imports.map(({ from }) => pageOf(from))).size).toBeGreaterThan(10)
  })

  test('keeps its import law', () => {
    expect(offences(imports)).toEqual([])
  })

  test.each([
    ['console/src/pages/home/a.tsx', "import { b } from '../messages/b.tsx'", 'no page imports another page'],
    ['console/src/pages/home/a.tsx', "import type { B } from '../messages/b.tsx'", 'no page imports another page'],
    ['console/src/pages/home/a.tsx', "import { b } from '../../shell/b.tsx'", 'pages know components'],
    ['console/src/components/a.tsx', "import { b } from '../pages/home/b.tsx'", 'components know neither'],
  ])('would not allow in %s: %s', (path, text, sentence) => {
    expect(offences(importsOf({ path, text })).join('\n')).toContain(sentence)
  })

  test('lets a page use its own files and the components', () => {
    const path = 'console/src/pages/home/a.tsx'
    const text = "import { b } from './b.tsx'\nimport { c } from '../../components/c.tsx'"
    expect(offences(importsOf({ path, text }))).toEqual([])
  })

  test('has one spelling of the words that several pages say', () => {
    const pages = sources.filter(({ path }) => path.endsWith('.tsx'))
    const shared = new RegExp(`>\\s*(${Object.values(buttons).join('|')})\\s*</Button>`)
    expect(shared.test('<Button onClick={close}>\n  Cancel\n</Button>')).toBe(true)
    expect(pages.filter(({ text }) => shared.test(text)).map(({ path }) => path)).toEqual([])
  })
})
