/** Boxes and radio buttons take no letters. */
const fields = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]'

/** Single keys never act while a person writes, holds a modifier, or has a dialog open. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  const target = event.target
  const writes = target instanceof HTMLElement && target.matches(fields)
  return writes || document.querySelector('dialog[open]') !== null
}
