/** Two letters of a name, on a colour that stays with the person; of who has no name, the last digits. */
export function Avatar({ name, of, small = false }: { name: string | null; of: string; small?: boolean }) {
  return (
    <span className="avatar" data-tint={tintOf(of)} data-small={small} aria-hidden="true">
      {initialsOf(name, of)}
    </span>
  )
}

const tints = 6

function tintOf(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
  return sum % tints
}

export function initialsOf(name: string | null, of: string): string {
  const words = (name ?? '').split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) return of.slice(-2)
  const ends = words.length === 1 ? words : [words[0] ?? '', words.at(-1) ?? '']
  return ends
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}
