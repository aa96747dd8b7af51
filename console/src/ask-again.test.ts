import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askAgain } from './ask-again.ts'

const queryKey = ['templates', 'one', 'tpl_1']
const staleTime = 10_000
const patience = { timeout: 20_000 }

let client: QueryClient
/** The questions in the order they were asked, each to be answered by the test. */
let asked: ((words: string) => void)[]
beforeEach(() => {
  client = new QueryClient()
  asked = []
})
afterEach(() => client.clear())

/** A page that shows the query; it is left by calling what this returns. */
function openPage(): () => void {
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      asked.push(resolve)
      signal.addEventListener('abort', () => reject(new Error('left')))
    })
  return new QueryObserver(client, { queryKey, queryFn, staleTime, retry: false }).subscribe(() => {})
}

function theQuery() {
  const query = client.getQueryCache().find({ queryKey })
  if (!query) throw new Error('Nobody has asked.')
  return query
}

/** The next question, once it is asked. */
async function answer(number: number, words: string): Promise<void> {
  await vi.waitFor(() => expect(asked).toHaveLength(number), patience)
  asked[number - 1]?.(words)
  await vi.waitFor(() => expect(theQuery().state.data).toBe(words), patience)
}

describe('a page that hears of a change', () => {
  test('while an answer is under way asks once more after it, however often it hears', async () => {
    const leave = openPage()
    const heard = [askAgain(client, theQuery()), askAgain(client, theQuery()), askAgain(client, theQuery())]
    await answer(1, 'old')
    await answer(2, 'new')
    await Promise.all(heard)
    expect(asked).toHaveLength(2)
    leave()
  })

  test('and is left before the older answer is there asks again when it is opened', async () => {
    const leaveFirst = openPage()
    await answer(1, 'old')
    void client.refetchQueries({ queryKey })
    const heard = askAgain(client, theQuery())
    expect(asked).toHaveLength(2)
    leaveFirst()
    await heard
    expect(theQuery().state).toMatchObject({ data: 'old', fetchStatus: 'idle' })
    const leave = openPage()
    await answer(3, 'new')
    leave()
  })

  test('does not ask for ever when its query is removed from memory', async () => {
    const leave = openPage()
    await answer(1, 'old')
    const query = theQuery()
    const heard = askAgain(client, query)
    const invalidate = vi.spyOn(client, 'invalidateQueries')
    invalidate.mockRejectedValue(new Error('It asks for what is not there.'))
    client.removeQueries({ queryKey })
    await heard
    expect(query.isActive()).toBe(true)
    leave()
  })
})
