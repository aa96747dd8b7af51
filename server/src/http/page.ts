/** Plain pages: no script, nothing fetched from elsewhere, readable before anyone has signed in. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'cache-control': 'no-cache',
}

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Postern</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/docs/style.css"></head>
<body><header><a href="/">Postern</a> <a href="/docs">Guides</a> <a href="/docs/api">API reference</a> <a href="/docs/errors">Errors</a>
<a href="/docs/search">Search</a></header>
<main><h1>${title}</h1>${body}</main></body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char)
}

/** Whether a person's browser asks; programs send no `Accept` or a star. */
export function wantsPage(accept: string | undefined): boolean {
  return (accept ?? '').includes('text/html')
}
