import { expect, test, vi } from 'vitest'
import { freshStore } from '../../../test/support/postgres/databases.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { measuredStore } from './measured-calls.ts'
import { createMetrics } from './metrics.ts'

/** A short read of SQLite is over when its promise is there; what began to count only then told it with the next one's name. */
test('each read is told with its own time, also one that is over at once', async () => {
  const { store, dispose } = await freshStore('sqlite')
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  try {
    const metrics = createMetrics({ version: '1.2.3', commit: 'abc1234' })
    const slow: typeof store = {
      ...store,
      async read(query, params) {
        nowMs += query.name === 'accounts.find' ? 2_000 : 0
        return store.read(query, params)
      },
    }
    const measured = measuredStore(slow, metrics)
    await Promise.all([
      measured.read({ ...findAccount, name: 'accounts.quick' }, { id: 'acc_1' }),
      measured.read(findAccount, { id: 'acc_1' }),
    ])
    const page = await metrics.render()
    expect(page).toContain('postern_db_query_duration_seconds_sum{query="accounts.find"} 2\n')
  } finally {
    clock.mockRestore()
    await dispose()
  }
})
