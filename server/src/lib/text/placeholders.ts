/** One `{{token}}` of a text; `token` without the spaces around it. */
export type Placeholder = { token: string; start: number; end: number }

export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(pattern)].map((match) => ({
    token: (match[1] ?? '').trim(),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** A text without its placeholders. */
export function withoutPlaceholders(text: string): string {
  return text.replace(pattern, ' ')
}

/**
 * Puts values in the place of `{{1}}`, `{{2}}` … in one pass: a value that itself looks like a placeholder stays as it
 * is. A placeholder without a value stays too.
 */
export function fillPlaceholders(text: string, values: readonly string[]): string {
  return text.replace(pattern, (whole, token: string) => values[Number(token) - 1] ?? whole)
}

/**
 * Rewrites named placeholders as positions, in order of first use; `names[0]` is the name of `{{1}}`. A text that mixes
 * names and numbers, or holds what is neither, comes back as it was, for the check to complain about.
 */
export function numberPlaceholders(text: string): { text: string; names: (string | null)[]; named: boolean } {
  const tokens = placeholdersIn(text).map(({ token }) => token)
  if (tokens.length > 0 && tokens.every((token) => namePattern.test(token))) {
    const names = [...new Set(tokens)]
    const numbered = text.replace(pattern, (_, token: string) => `{{${names.indexOf(token.trim()) + 1}}}`)
    return { text: numbered, names, named: true }
  }
  const plain = text.replace(pattern, (_, token: string) => `{{${token.trim()}}}`)
  return { text: plain, names: [...new Set(tokens)].map(() => null), named: false }
}

const pattern = /\{\{([^{}]*)\}\}/g
export const namePattern = /^[a-z][a-z0-9_]*$/
