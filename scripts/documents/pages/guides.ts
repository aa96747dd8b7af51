import type { Guide } from '../guide-pages.ts'

export function indexBody(index: string): string {
  return `<div class="guides">${index}</div>`
}

/** A guide with the list of all of them beside it, and its neighbours below. */
export function guideBody(guide: Guide, guides: readonly Guide[]): string {
  const at = guides.indexOf(guide)
  const neighbours = [
    ['Previous', guides[at - 1]],
    ['Next', guides[at + 1]],
  ] as const
  const links = neighbours.flatMap(([word, one]) =>
    one ? [`<a href="/docs/${one.slug}">${word}: ${one.title}</a>`] : [],
  )
  return `<div class="reference with-contents">${navigation(guide, guides)}${contentsOf(guide)}<div class="content guides">${guide.html}
    <p class="neighbours">${links.join(' ')}</p></div></div>`
}

/** What the page is about, by its headings; not worth a list for one or two of them. */
function contentsOf({ html, slug }: Guide): string {
  const headings = [...html.matchAll(/<h2 id="([^"]+)"><a [^>]+>(.*?)<\/a><\/h2>/g)]
  if (headings.length < 3) return ''
  const links = headings.map(([, id, text]) => `<li><a href="#${id}">${text}</a></li>`)
  const list = `<ul>${links.join('')}</ul><p class="as-markdown"><a href="/docs/${slug}.md">Markdown</a></p>`
  return `<nav aria-label="On this page" class="contents"><p>On this page</p>${list}</nav>
    <details class="contents-folded"><summary>On this page</summary>${list}</details>`
}

function navigation(current: Guide, guides: readonly Guide[]): string {
  const groups = [...new Set(guides.map(({ group }) => group))].map((group) => {
    const own = guides.filter((guide) => guide.group === group)
    const links = own.map((guide) => {
      const here = guide === current ? ' aria-current="page"' : ''
      return `<li><a href="/docs/${guide.slug}"${here}>${guide.title}</a></li>`
    })
    return `<p>${group}</p><ul>${links.join('')}</ul>`
  })
  return `<nav aria-label="Guides" class="beside">${groups.join('')}</nav>`
}
