import { readFileSync } from 'node:fs'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../server/src/http/page.ts'
import { codeBlock, languageTabs } from './pages/html.ts'

const root = resolve(import.meta.dirname, '../..')
/** The index: its headings are the groups and its links the pages, in reading order. */
const indexFile = 'docs/guides/README.md'
const settingsFile = 'docs/configuration.md'
/** Files that the gateway serves in another form. */
const servedElsewhere: Readonly<Record<string, string>> = {
  [indexFile]: '/docs',
  'docs/errors.md': '/docs/errors',
  'docs/api': '/docs/api',
  'docs/api/openapi.json': '/openapi.json',
  'docs/api/postman.json': '/docs/postman.json',
}

type Entry = { file: string; slug: string; group: string; summary: string }

export type Guide = {
  /** The last part of its address, `/docs/{slug}`. */
  slug: string
  group: string
  title: string
  summary: string
  html: string
  /** The same for programs that read Markdown, with links as addresses of the gateway. */
  markdown: string
}

export type GuidePages = { index: string; guides: readonly Guide[] }

/** Every guide as HTML. `generated` are the pages that are made from the sources: the files may be older. */
export function guidePages(generated: ReadonlyMap<string, string> = new Map()): GuidePages {
  const read = (file: string) => generated.get(file) ?? readFileSync(join(root, file), 'utf8')
  const index = read(indexFile)
  const entries = entriesOf(index)
  const addresses = new Map(entries.map(({ file, slug }) => [file, `/docs/${slug}`]))
  const guides = entries.map(({ file, slug, group, summary }) => {
    const { title, html } = render(file, read(file), addresses)
    return { slug, group, title, summary, html, markdown: withAddresses(file, read(file), addresses) }
  })
  return { index: render(indexFile, index, addresses).html, guides }
}

/** Every page the index links to. */
function entriesOf(index: string): Entry[] {
  let group = ''
  const entries: Entry[] = []
  for (const line of index.split('\n')) {
    group = /^## (.+)/.exec(line)?.[1] ?? group
    const [, , target = '', summary = ''] = /^- \[([^\]]+)\]\(([^)]+\.md)\): (.+)/.exec(line) ?? []
    const file = pathOf(indexFile, target)
    if (target !== '' && !(file in servedElsewhere)) entries.push({ file, slug: slugOf(file), group, summary })
  }
  return entries
}

/** The name of the file, or of the folder whose README it is. */
function slugOf(file: string): string {
  return basename(file) === 'README.md' ? basename(dirname(file)) : basename(file, '.md')
}

function render(file: string, markdown: string, addresses: ReadonlyMap<string, string>) {
  const marked = new Marked({ renderer: rendererOf(file, addresses) })
  const tokens = marked.lexer(markdown)
  const at = tokens.findIndex((token) => token.type === 'heading' && token.depth === 1)
  if (at === -1) throw new Error(`${file} has no title`)
  const [title] = tokens.splice(at, 1) as [Tokens.Heading]
  groupSamples(tokens)
  // A wide table scrolls, by keyboard too; a heading without words would be read out as one.
  const html = marked
    .parser(tokens)
    .trim()
    .replaceAll('<table>', '<table tabindex="0">')
    .replaceAll('<th></th>', '<td></td>')
    // A table of settings: each can be linked to.
    .replace(/<tr>(\s*<td><code>(POSTERN_[A-Z_]+)<\/code>)/g, (row, cell: string, setting: string) =>
      file === settingsFile ? `<tr id="${setting}">${cell}` : row,
    )
  return { title: title.text, html }
}

/** As the samples of the reference name them, so that a choice holds on all pages. */
const languages: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'Node (SDK)',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
}

/** A sample directly below one in another language says the same: they become tabs. */
function groupSamples(tokens: Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    const group: Tokens.Code[] = []
    let end = at
    for (let next = at; next < tokens.length; next++) {
      const token = tokens[next] as Tokens.Code | Tokens.Space
      if (token.type === 'space') continue
      const { lang = '' } = token
      if (!(lang in languages) || group.some((one) => one.lang === lang)) break
      group.push(token)
      end = next
    }
    if (group.length < 2) continue
    const samples = group.map(({ lang = '', text }) => ({
      language: languages[lang] ?? lang,
      code: text,
      grammar: lang,
    }))
    const tabs = { type: 'html', block: true, raw: '', pre: false, text: languageTabs(samples) } as Tokens.HTML
    tabsMade.add(tabs)
    tokens.splice(at, end - at + 1, tabs)
  }
}

/** Markup of ours, which the renderer lets pass. */
const tabsMade = new WeakSet<object>()

/** Links outside of code; a file that the gateway does not serve keeps its words alone. */
function withAddresses(file: string, markdown: string, addresses: ReadonlyMap<string, string>): string {
  const codeOrLink = /^```[\s\S]*?^```$|(?<!!)\[((?:`[^`\n]+`|[^[\]`]|\[[^\]]*\])*)\]\(([^)\s]+)\)|`[^`\n]+`/gm
  return markdown.replace(codeOrLink, (all, text: string | undefined, href: string | undefined) => {
    if (text === undefined || href === undefined) return all
    const address = addressOf(file, href, addresses)
    return address === null ? text : `[${text}](${address})`
  })
}

function rendererOf(file: string, addresses: ReadonlyMap<string, string>) {
  const ids = new Map<string, number>()
  type Context = { parser: { parseInline(tokens: Token[]): string } }
  return {
    heading(this: Context, { depth, text, tokens }: Tokens.Heading): string {
      const id = uniqueId(text, ids)
      return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
    },
    code({ text, lang = '' }: Tokens.Code): string {
      return `${codeBlock(text, `Example${lang === '' ? '' : ` (${lang})`}`, lang)}\n`
    },
    link(this: Context, { href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens)
      const address = addressOf(file, href, addresses)
      return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`
    },
    image: ({ text }: Tokens.Image): string => escapeHtml(text),
    // Comments are for editors. Any other markup works on GitHub and would be shown as text here.
    html(token: Tokens.HTML | Tokens.Tag): string {
      const { text } = token
      if (tabsMade.has(token)) return `${text}\n`
      if (text.startsWith('<!--')) return ''
      throw new Error(`${file}: write Markdown instead of ${text.trim()}`)
    },
  }
}

/** Where a link of the Markdown leads on the gateway; null for a file that it does not serve. */
function addressOf(file: string, href: string, addresses: ReadonlyMap<string, string>): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [target = '', fragment] = href.split('#')
  const path = pathOf(file, target)
  const address = servedElsewhere[path] ?? addresses.get(path)
  if (address === undefined) return null
  return fragment === undefined ? address : `${address}#${fragment}`
}

/** A link's file from the root of the repository; as on GitHub, a leading slash is that root. */
function pathOf(file: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(file), target)
}

/** As GitHub makes them, so that a link works in both places. */
function uniqueId(text: string, ids: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = ids.get(id) ?? 0
  ids.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}
