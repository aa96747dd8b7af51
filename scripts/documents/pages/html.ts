import { escapeHtml } from '../../../server/src/http/page.ts'
import { highlighted } from './highlight.ts'

/** Text with code between backticks. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Long identifiers may break after a separator; `<wbr>` does not disturb find-in-page or copying. */
export function breakable(text: string): string {
  return escapeHtml(text).replace(/[._/]/g, '$&<wbr>')
}

export function codeBlock(text: string, label: string, language: string): string {
  return `<pre tabindex="0" aria-label="${escapeHtml(label)}"><code>${highlighted(text, language)}</code></pre>`
}

/** The same in several languages, one of them open. The script of the page opens the one that was chosen last everywhere. */
export function languageTabs(samples: readonly { language: string; code: string; grammar: string }[]): string {
  const tabs = samples.map(({ language, code, grammar }, index) => {
    const block = codeBlock(code, `${language} sample`, grammar)
    const open = index === 0 ? ' open' : ''
    return `<details class="sample" data-language="${language}"${open}><summary>${language}</summary>${block}</details>`
  })
  return `<div class="samples">${tabs.join('')}</div>`
}
