import { validationFailed } from '../contract/app-error.ts'
import { bodyProblem, type FieldCode, type FieldProblem } from '../contract/field-codes.ts'
import { isKnownEnding, typeNamed } from './types/media-kinds.ts'

export const filenameLengthMax = 240

// Control characters end headers and lines; the others turn the direction of text and make `exe.pdf` of `fdp.exe`.
const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** What is wrong with a name that the caller wrote into a field of its own. */
export function checkFilename(name: string | null | undefined, field: string): FieldProblem[] {
  const problem = (code: FieldCode, message: string): FieldProblem[] => [bodyProblem(field, code, message)]
  if (name === null || name === undefined) return []
  if (name.trim() === '') return problem('too_short', 'Give a name, or leave the field out.')
  if ([...name].length > filenameLengthMax) return problem('too_long', `At most ${filenameLengthMax} characters.`)
  if (name.search(unsafe) >= 0 || /[\\/]/.test(name) || !name.isWellFormed()) {
    return problem('invalid_format', 'Give a file name without path, line breaks or control characters.')
  }
  return []
}

export function requireFilename(name: string): string {
  const problems = checkFilename(name, 'filename')
  if (problems.length > 0) throw validationFailed(problems)
  return name.trim()
}

/** A name that came along with the file, from a browser, a server or the platform: made harmless without a word. */
export function cleanFilename(name: string | null | undefined): string | null {
  const last = (name ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const harmless = last.replace(unsafe, '').trim()
  const short = [...harmless].slice(0, filenameLengthMax).join('')
  return short === '' || short === '.' || short === '..' ? null : short
}

/** `photo.jpg` with the bytes of a PNG becomes `photo.png`; endings that are none of our types stay. */
export function withEndingOf(name: string | null, mimeType: string): string | null {
  const type = typeNamed(mimeType)
  const ending = /\.(\w+)$/.exec(name ?? '')
  const given = ending?.[1]?.toLowerCase() ?? ''
  if (!type || !name || !ending || !isKnownEnding(given) || type.endings.includes(given)) return name
  return `${name.slice(0, ending.index)}.${type.extension}`
}

/** For files without a name; the platform wants one with every upload. */
export function filenameOr(name: string | null, mimeType: string): string {
  const extension = typeNamed(mimeType)?.extension
  return name ?? (extension ? `file.${extension}` : 'file')
}

/** RFC 6266: a plain name for old clients, and the real one in UTF-8. Neither can leave its quotes or its header. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
