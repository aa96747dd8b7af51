import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

export type Sample = {
  language: string
  code: string
  /** The file it is to be saved as, which its first lines name: a program of its own. */
  file: string | null
}
export type SamplePage = { page: string; text: string; samples: Sample[] }

/** The pages whose samples are run: every guide and recipe, and the README of the SDK, which is one. */
export function samplePages(): SamplePage[] {
  return globSync(['docs/guides/*.md', 'docs/recipes/*.md', 'sdk/README.md'], { cwd: root })
    .sort()
    .map((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      return { page, text, samples: [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(toSample) }
    })
}

function toSample([, language = '', code = '']: RegExpMatchArray): Sample {
  return { language, code, file: /^(?:<\?php\n)?(?:\/\/|#) (receiver\.\w+)/.exec(code)?.[1] ?? null }
}

/** The program that a page tells its reader to save under this name. */
export function fileOf(page: string, file: string): string {
  const sample = samplePages()
    .find((one) => one.page === page)
    ?.samples.find((one) => one.file === file)
  if (!sample) throw new Error(`${page} has no sample ${file}`)
  return sample.code
}

/** All samples in one language of a page, to be run in their order. */
export function codeOf({ samples }: SamplePage, ...languages: string[]): string[] {
  return samples.filter(({ language, file }) => languages.includes(language) && file === null).map(({ code }) => code)
}

/**
 * One module of a page's Node samples. Imports and what the first sample defines are for all of them; the others are kept
 * apart, as a reader would who tries one after the other.
 */
export function moduleOf(samples: readonly string[]): string {
  const isImport = /^import .*\n/gm
  const imports = new Set(samples.flatMap((code) => code.match(isImport) ?? []))
  const [first = '', ...others] = samples.map((code) => code.replace(isImport, ''))
  return [...imports, first, ...others.map((code) => (code.includes('export ') ? code : `{\n${code}}\n`))].join('')
}
