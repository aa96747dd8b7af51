/** One page of the guides, rendered. */
export type Guide = {
  /** The last part of its address, `/docs/{slug}`. */
  slug: string
  group: string
  title: string
  summary: string
  /** The lines of its HTML. */
  html: readonly string[]
}
