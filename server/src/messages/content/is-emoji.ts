const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Liberal about which: new emoji appear every year, with or without the mark that asks for the coloured form. */
const pictured = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3)/u

/** Whether a text is one emoji: a picture, a flag or a keycap, with skin tones and what it is joined of. */
export function isEmoji(text: string): boolean {
  return pictured.test(text) && [...graphemes.segment(text)].length === 1
}
