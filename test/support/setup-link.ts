/** The secret of a one-time link, which stands behind the #. */
export function tokenOfLink(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}
