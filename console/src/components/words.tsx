/** A sentence of the gateway: between backticks stands code. */
export function Words({ text }: { text: string }) {
  const parts = text.split('`')
  // One that is not closed is a backtick.
  if (parts.length % 2 === 0) return text
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no other name
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
