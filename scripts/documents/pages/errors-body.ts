import { errorTable } from '../../../server/src/contract/errors.ts'
import { metaIntroduction, metaRows } from '../meta-codes.ts'
import { inline } from './html.ts'

/** Every code of the table; the API links to `/docs/errors#code`. */
export function errorsBody(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, type, retryable, title, help }]) => `
    <section id="${code}"><h2><a href="#${code}"><code>${code}</code></a></h2>
      <p class="facts">Status ${status} · ${type} · ${retryable ? 'the same request can succeed later' : 'not retryable'}</p>
      <p>${inline(title)}</p><p>${inline(help)}</p></section>`,
  )
  return `<p>Every error has a stable code, the field it is about, a sentence for a developer, and says whether a retry can
    succeed.</p>${rows.join('')}
    <section id="codes-of-meta"><h2><a href="#codes-of-meta">Codes of Meta</a></h2><p>${inline(metaIntroduction)}</p>
      <table><thead><tr><th>Meta's code</th><th>Meaning</th><th>code</th><th>Sent?</th><th>Who can act</th></tr></thead>
      <tbody>${metaRows().map(tableRow).join('')}</tbody></table></section>`
}

function tableRow(cells: string[]): string {
  return `<tr>${cells.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`
}
