import type MiniSearch from 'minisearch'

/** How the index of the documentation is made and searched: by the build, by the page /docs/search and by the palette. */
export const searchOptions = {
  fields: ['title', 'page', 'text'] as string[],
  storeFields: ['title', 'page', 'excerpt'] as string[],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
} as const

/**
 * Lists of codes and settings, pages that explain everything about one thing, and those of the SDKs contain many words
 * of questions that have a guide; a code is looked for in the list. Sending is what most people look for. Runs in the browser too.
 */
export function weightOf(address: string, words: string): number {
  // A list of links.
  if (address.endsWith('#more')) return 0.3
  if (/^\/docs\/sandbox/.test(address) && !/sandbox/.test(words)) return 0.3
  if (/^\/docs\/(sdk|(message|template)-lifecycle|webhook-delivery|files|tools|platform)/.test(address)) return 0.6
  if (/^\/docs\/sending/.test(address)) return 1.25
  if (/^\/docs\/api-/.test(address)) return 0.95
  return /^\/docs\/(errors|events|configuration)/.test(address) && !/[_.]/.test(words) ? 0.5 : 1
}

/** People ask in sentences; these words of them stand on every page. Runs in the browser too. */
export function wordsOf(question: string): string {
  const words = question.toLowerCase().split(/[\s?!,]+/)
  const telling = words.filter(
    (word) =>
      !/^(a|an|the|i|my|do|does|is|are|be|can|how|what|when|where|which|why|happens|if|in|on|of|for|to|with|from|it|me)?$/.test(
        word,
      ),
  )
  return telling.length > 0 ? telling.join(' ') : question
}

/** The best page first. Runs in the browser too. */
export function findPages(index: Pick<MiniSearch, 'search'>, question: string) {
  const words = wordsOf(question)
  const boostDocument = (address: string) => weightOf(address, words)
  const all = index.search(words, { boostDocument })
  return all.length > 0 ? all : index.search(words, { boostDocument, combineWith: 'OR' })
}
