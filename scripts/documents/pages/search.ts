import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { minifySync } from 'vite'
import { findPages, searchOptions, weightOf, wordsOf } from '../../../console/src/docs-search.ts'
import { errorTable } from '../../../server/src/contract/errors.ts'
import { pagePolicy } from '../../../server/src/http/page.ts'
import type { Guide } from '../guide-pages.ts'
import { addressOfOperation, type Endpoint } from './reference.ts'

/** What is found: a section of a guide, an operation, or an error. */
type Entry = { id: string; page: string; title: string; text: string; excerpt: string }

/** The index of all pages; the id of an entry is its address. */
export function searchIndex(guides: readonly Guide[], operations: readonly Endpoint[]): string {
  const index = new MiniSearch<Entry>(searchOptions)
  index.addAll([...guides.flatMap(sectionsOf), ...operations.map(operationEntry), ...errorEntries()])
  return JSON.stringify(index)
}

/** A guide by its headings, each with the text below it. */
function sectionsOf({ slug, title: page, summary, html }: Guide): Entry[] {
  const [intro = '', ...parts] = html.split(/(?=<h[23] id=)/)
  const sections = parts.map((part) => {
    const [heading = '', id = '', title = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? []
    return entryOf(`/docs/${slug}#${id}`, page, plain(title), part.slice(heading.length))
  })
  const settings = [...html.matchAll(/<tr id="([^"]+)">(.*?)<\/tr>/gs)].map(([, id = '', row = '']) =>
    entryOf(`/docs/${slug}#${id}`, page, id, row),
  )
  return [entryOf(`/docs/${slug}`, page, page, `<p>${summary}</p>${intro}`), ...sections, ...settings]
}

/** Found by all its words, shown by those that are not code. */
function entryOf(id: string, page: string, title: string, html: string): Entry {
  return {
    id,
    page,
    title,
    text: plain(html),
    excerpt: shortened(plain(html.replace(/<summary>.*?<\/summary>|<pre .*?<\/pre>/gs, ''))),
  }
}

function operationEntry(operation: Endpoint): Entry {
  const { tags, summary, description = '', method, path } = operation
  const text = `${method.toUpperCase()} ${path} ${description}`
  return {
    id: addressOfOperation(operation),
    page: `API reference: ${tags[0]}`,
    title: summary,
    text,
    excerpt: shortened(text),
  }
}

function errorEntries(): Entry[] {
  return Object.entries(errorTable).map(([code, { title, help }]) => {
    const text = `${title} ${help}`
    return { id: `/docs/errors#${code}`, page: 'Errors', title: code, text, excerpt: shortened(text) }
  })
}

const excerptMax = 180

/** At the end of a word. */
function shortened(marked: string): string {
  const text = marked.replaceAll('`', '')
  return text.length <= excerptMax ? text : `${text.slice(0, text.lastIndexOf(' ', excerptMax))} …`
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }

function plain(html: string): string {
  // Colours of code stand inside of words.
  const text = html.replace(/<\/?(?:span|code|a|strong|wbr)\b[^>]*>/g, '').replace(/<[^>]+>/g, ' ')
  return text
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

// The build that makes a global of itself, for a page without modules.
const browserBuild = join(dirname(createRequire(import.meta.url).resolve('minisearch')), '../umd/index.js')
const library = minifySync('minisearch.js', readFileSync(browserBuild, 'utf8')).code

const script = `${library.replaceAll('</', '<\\/')}
const field = document.querySelector('.search-page input')
const list = document.querySelector('.found')
const status = document.querySelector('.search-page [role=status]')
const index = fetch('/docs/search.json').then((answer) => answer.text()).then((text) => MiniSearch.loadJSON(text, ${JSON.stringify(searchOptions)}))
${weightOf}
${wordsOf}
${findPages}
field.value = new URLSearchParams(location.search).get('q') || ''
field.addEventListener('input', show)
field.form.addEventListener('submit', (event) => event.preventDefault())
field.focus()
show()
async function show() {
  const words = field.value.trim()
  history.replaceState(null, '', words ? '?q=' + encodeURIComponent(words) : location.pathname)
  if (!words) return void draw([], '')
  try {
    const loaded = await index
    if (words !== field.value.trim()) return
    const found = findPages(loaded, words)
    draw(found.slice(0, 20), found.length === 0 ? 'Nothing found. Try fewer words, or an error code.' : found.length === 1 ? '1 result' : found.length + ' results')
  } catch {
    draw([], 'The index could not be loaded. Reload the page.')
  }
}
function draw(found, words) {
  status.textContent = words
  list.replaceChildren(...found.map(({ id, title, page, excerpt }) => {
    const item = document.createElement('li')
    const link = document.createElement('a')
    const where = document.createElement('span')
    const text = document.createElement('p')
    link.href = id
    link.textContent = title
    where.textContent = title === page ? '' : page
    where.className = 'type'
    text.textContent = excerpt
    item.append(link, ' ', where, text)
    return item
  }))
}
`

const hash = createHash('sha256').update(script).digest('base64')

/** The page may run this one script, and load its index. */
export const searchPolicy = `${pagePolicy}; script-src 'sha256-${hash}'; connect-src 'self'`

export const searchBody = `<div class="search-page"><form><input type="search" name="q" aria-label="Search the documentation"
  autocomplete="off" spellcheck="false" maxlength="200"></form><p class="facts" role="status"></p><ol class="found"></ol>
  <noscript><p>Search needs JavaScript. All guides are listed at <a href="/docs">/docs</a>.</p></noscript></div><script>${script}</script>`
