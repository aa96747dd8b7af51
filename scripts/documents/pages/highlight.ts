import { createRequire } from 'node:module'
import { escapeHtml } from '../../../server/src/http/page.ts'

/** Its own types bring those of the browser into every program of this repository. */
type Highlighter = {
  registerLanguage(name: string, language: unknown): void
  registerAliases(names: string[], alias: { languageName: string }): void
  getLanguage(name: string): object | undefined
  highlight(code: string, options: { language: string }): { value: string }
}

const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter
for (const name of ['bash', 'go', 'javascript', 'json', 'php', 'python', 'sql', 'typescript']) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
}
// What the fences of the guides are called.
highlighter.registerAliases(['sh', 'console'], { languageName: 'bash' })

/** Code as HTML: words with classes that the style sheet colours. Other languages stay as they are. */
export function highlighted(code: string, language: string): string {
  return highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : escapeHtml(code)
}
