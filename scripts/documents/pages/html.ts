import { escapeHtml } from '../../../server/src/http/page.ts'

/** Text with code between backticks. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Long identifiers may break after a separator; `<wbr>` does not disturb find-in-page or copying. */
export function breakable(text: string): string {
  return escapeHtml(text).replace(/[._/]/g, '$&<wbr>')
}

export function codeBlock(text: string, label: string): string {
  return `<pre tabindex="0" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`
}
