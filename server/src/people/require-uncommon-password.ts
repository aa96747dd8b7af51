import { invalidField } from '../contract/app-error.ts'
import { commonPasswords } from './common-passwords.ts'

type Person = { name: string; email: string | null }

/** What a guesser tries first is refused, however long it is: everything else is the person's choice. */
export function requireUncommonPassword(field: string, password: string, { name, email }: Person): void {
  const own = [name, email?.split('@', 1)[0] ?? ''].map(lettersOf).filter((word) => word.length >= 3)
  if (!isCommon(password) && !own.includes(lettersOf(password))) return
  const message = 'This password is too common. Use several words, or let a password manager create one.'
  throw invalidField(field, 'invalid_value', message)
}

/** A common word with digits and signs around it, a few signs repeated, or a row of the keyboard or of numbers. */
export function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  return (
    [lettersOf(plain), lettersOf(unswapped(plain))].some((letters) => commonPasswords.has(letters)) ||
    isRepeated(plain) ||
    rows.some((row) => row.includes(plain))
  )
}

const rows = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
]
const unitMax = 4

/** `abcabcabcabc`, `1111111111`. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= unitMax; length++) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true
  }
  return false
}

const swaps: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

/** `p4$$w0rd` without what stands before and after it. */
function unswapped(text: string): string {
  const core = text.replace(/[^\p{L}$@]+$/u, '')
  return [...core].map((sign) => swaps[sign] ?? sign).join('')
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
}
