/** A sentence of the gateway or of the changelog: between backticks stands code. */
export function Words({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no other name
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
