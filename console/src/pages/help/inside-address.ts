/** `/docs/webhooks#retries` is `/help/webhooks#retries` inside the console; files and other sites stay what they are. */
export function insideAddress(href: string): string {
  const found = /^\/docs(?:\/([a-z0-9-]+))?(#.*)?$/.exec(href)
  return found ? `/help/${found[1] ?? 'guides'}${found[2] ?? ''}` : href
}

/** The page of /docs that a page of the console shows. */
export function docsAddress(page: string): string {
  return page === 'guides' ? '/docs' : `/docs/${encodeURIComponent(page)}`
}
