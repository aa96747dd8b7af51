import type { ApiPromise } from './api-promise.ts'
import type { Answer } from './wire.ts'

/** One page of a list. */
export interface Page<T> {
  items: T[]
  /** True when another page follows; it can be empty. */
  hasMore: boolean
  /** Where the next page starts; `null` on the last one. Valid for 24 hours and for the same filters. */
  nextCursor: string | null
  /** Set when the search ended before the page was full: how far it got. The next page continues there. */
  searchedBackTo?: string
}

/** The `pagination` member of a list answer. */
export type Pagination = Answer<'Pagination'>

/**
 * A list that has not been asked for yet. Iterate it to get every item, page after page as they are needed:
 *
 * ```ts
 * for await (const message of postern.messages.list({ status: 'failed' })) console.log(message.messageId)
 * ```
 */
export class List<T> implements AsyncIterable<T> {
  readonly #fetchPage: (cursor: string | undefined) => ApiPromise<Page<T>>
  readonly #cursor: string | undefined

  /** Made by the `list` methods. */
  constructor(fetchPage: (cursor: string | undefined) => ApiPromise<Page<T>>, cursor: string | undefined) {
    this.#fetchPage = fetchPage
    this.#cursor = cursor
  }

  /** The first page alone, or the one at the cursor that was given. */
  page(): ApiPromise<Page<T>> {
    return this.#fetchPage(this.#cursor)
  }

  /** Every page. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor = this.#cursor
    do {
      const page = await this.#fetchPage(cursor)
      yield page
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }
}

/** A page out of the member that holds the items; a list without pagination is one page. */
export function pageOf<T>(items: T[], pagination: Pagination | undefined): Page<T> {
  const { hasMore = false, nextCursor = null, searchedBackTo } = pagination ?? {}
  return { items, hasMore, nextCursor, ...(searchedBackTo === undefined ? {} : { searchedBackTo }) }
}
