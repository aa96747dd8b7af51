import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const rooms = ['server', 'sandbox', 'sdk', 'console', 'cli', 'test', 'docs', 'scripts', 'bench']
const known = rooms.flatMap((room) => [
  `/${room}/`,
  ...readdirSync(join(root, room), { recursive: true, withFileTypes: true }).map(
    (entry) => `${entry.parentPath.slice(root.length)}/${entry.name}${entry.isDirectory() ? '/' : ''}`,
  ),
])
/** Made when the gateway or a build runs. */
const made = ['./data', 'dist/', 'docs/dist/']

describe('the map of the house', () => {
  test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('names only files and folders that exist: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const inText = [...text.matchAll(/`(?!\/)([\w./-]+\/[\w.-]*)`/g)].map(([, path = '']) => path)
    const inPictures = [...text.matchAll(/^[\s|`.-]*((?:[a-z-]+\/)+[a-z-]+) /gm)].map(([, path = '']) => `${path}.ts`)
    const named = [...inText, ...inPictures].filter((path) => !made.includes(path))
    expect(named.length).toBeGreaterThan(20)
    expect([...new Set(named.filter((path) => !exists(path)))]).toEqual([])
  })
})

/** A path may leave out its beginning where the text has said it; a picture names a folder as it names a file. */
function exists(path: string): boolean {
  const folder = `${path.replace(/\.ts$/, '')}/`
  return known.some((entry) => [path, `${path}.ts`, folder].some((name) => entry.endsWith(`/${name}`)))
}
