/** Single keys never act while somebody writes, holds a modifier, or has a dialog open. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  const target = event.target
  const writes = target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]')
  return writes || document.querySelector('dialog[open]') !== null
}
