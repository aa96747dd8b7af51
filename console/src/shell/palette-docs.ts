import { useQuery } from '@tanstack/react-query'
import { searchOptions, weightOf, wordsOf } from '../docs-search.ts'
import { insideAddress } from '../pages/help/inside-address.ts'
import type { PaletteItem, World } from './palette-items.ts'

const shownMax = 8

/** The index of /docs/search, asked for with the first word that is looked for. */
async function loadIndex(signal: AbortSignal) {
  const [{ default: MiniSearch }, text] = await Promise.all([
    import('minisearch'),
    fetch('/docs/search.json', { signal }).then((response) => response.text()),
  ])
  return MiniSearch.loadJSON(text, searchOptions)
}

/** Sections of the guides, endpoints and errors that have all the words, each with how it begins. */
export function useDocsFound(text: string, isWord: boolean, { go }: World): PaletteItem[] {
  const index = useQuery({
    queryKey: ['docs', 'search'],
    queryFn: ({ signal }) => loadIndex(signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWord,
  }).data
  if (!index || !isWord) return []
  const words = wordsOf(text)
  const found = index.search(words, { boostDocument: (address: string) => weightOf(address, words) })
  return found.slice(0, shownMax).map(({ id, title, page, excerpt }) => ({
    // A whole page is found by its title too, and stands there once.
    id: `guide-${String(id).replace('/docs/', '')}`,
    title,
    detail: [...(page === title ? [] : [page]), excerpt],
    kind: 'Docs',
    icon: 'book',
    run: () => go(insideAddress(String(id))),
  }))
}
