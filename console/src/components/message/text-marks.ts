export type Marked = { text: string; mark: 'bold' | 'italic' | 'strike' | 'mono' | null }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const
/** A mark opens before a word and closes behind one; backticks, three or one, keep everything between them. */
const pattern = /```([\s\S]+?)```|`([^`\n]+)`|(?<![\w*_~])([*_~])(?=\S)([^\n]*?\S)\3(?![\w*_~])/g

/** The four formatting marks of chat texts. The result is data: components render it as text, never as markup. */
export function readMarks(text: string): Marked[] {
  const parts: Marked[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), mark: null })
    const [whole, block, code, sign, inner = ''] = match
    const mono = block ?? code
    if (mono !== undefined) parts.push({ text: mono, mark: 'mono' })
    else parts.push({ text: inner, mark: marks[sign as keyof typeof marks] })
    end = match.index + whole.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), mark: null })
  return parts
}
