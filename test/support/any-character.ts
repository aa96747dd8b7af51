import fc, { type Arbitrary } from 'fast-check'

const surrogatesFrom = 0xd800
const surrogates = 0x800
const characters = 0x110000 - surrogates

/**
 * Every character of Unicode, in the order of the unit `binary` of fast-check. To find the dangerous words it may make,
 * that one fills a map of all 1.1 million: over a second of processor time in each process, and 100 MB that every
 * collection of garbage walks through.
 */
export const anyCharacter: Arbitrary<string> = fc.nat({ max: characters - 1 }).map(
  (index) => String.fromCodePoint(index < surrogatesFrom ? index : index + surrogates),
  (text) => {
    const code = typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? -1) : -1
    if (code < 0 || !String(text).isWellFormed()) throw new Error('Not one character.')
    return code < surrogatesFrom ? code : code - surrogates
  },
)
