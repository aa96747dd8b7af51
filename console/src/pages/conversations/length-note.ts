import { formatNumber } from '../../components/format-number.ts'

const textMax = 4_096
const captionMax = 1_024
/** From here on the end is near enough to be told. */
const nearEnd = 200

/** How much room is left, once it matters; characters are counted as WhatsApp does, an emoji as one. */
export function lengthNote(text: string, isCaption: boolean): { text: string; isOver: boolean } | null {
  const max = isCaption ? captionMax : textMax
  const left = max - [...text.trim()].length
  if (left > nearEnd) return null
  if (left >= 0) return { text: `${formatNumber(max - left)} of ${formatNumber(max)} characters`, isOver: false }
  const what = isCaption ? 'A caption' : 'A message'
  return {
    text: `${what} can have up to ${formatNumber(max)} characters; this one has ${formatNumber(max - left)}. Shorten it or split it.`,
    isOver: true,
  }
}
