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
  return `<div class="reference">${navigation(guide, guides)}<div class="content guides">${guide.html}
    <p class="neighbours">${links.join(' ')}</p></div></div>`
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
