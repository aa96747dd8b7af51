export type Block = { kind: 'heading' | 'subheading' | 'text'; text: string } | { kind: 'list'; items: string[] }

/** The changelog has headings, lists and paragraphs; a line that is indented goes on with the one before. */
export function readChanges(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const line of joined(markdown)) {
    const [, marks = '', words = ''] = /^(#{1,3}|-)?\s*(.*)$/.exec(line) ?? []
    const last = blocks.at(-1)
    if (marks === '#' || words === '') continue
    if (marks === '-' && last?.kind === 'list') last.items.push(words)
    else if (marks === '-') blocks.push({ kind: 'list', items: [words] })
    else blocks.push({ kind: marks === '##' ? 'heading' : marks === '###' ? 'subheading' : 'text', text: words })
  }
  return blocks
}

/** Lines as they are meant: what was wrapped in the file is one line again. */
function joined(markdown: string): string[] {
  return markdown.replace(/([^\n])\n +(?=\S)/g, '$1 ').split('\n')
}

export type Part = { kind: 'text' | 'code' | 'name'; text: string }

/** A sentence of the changelog: code stands between backticks, names of the console between two stars. */
export function readSentence(text: string): Part[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/)
    .filter((part) => part !== '')
    .map((part): Part => {
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) }
      if (part.startsWith('**')) return { kind: 'name', text: part.slice(2, -2) }
      // A file of the repository, which the console cannot open.
      return { kind: 'text', text: part.replace(/^\[([^\]]+)\]\([^)]+\)$/, '$1') }
    })
}
