import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { measureCallbacks } from '../../server/src/channels/callbacks/retry-items.ts'
import { measureTokenExpiry } from '../../server/src/channels/token.ts'
import { measureFeed } from '../../server/src/events/read-feed.ts'
import { measureDisk } from '../../server/src/service.ts'
import { addCallback, claimCallbacks, finishCallback } from '../../server/src/store/channels/callbacks.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { enqueueJob } from '../../server/src/store/jobs/jobs.ts'
import { measureJobs } from '../../server/src/workers/jobs.ts'
import { feedSettled } from '../support/feed.ts'
import { engines } from '../support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { publish } from '../support/webhook-world.ts'

const insertTestChannel = operation({
  name: 'test.insert_channel',
  input: { id: 'text', token_expires_at: 'int?' },
  key: ['id'],
  sql: `insert into channels (id, callback_id, account_id, kind, waba_id, base_url, graph_version, status,
          business_verified, token_expires_at, connected_at, updated_at, revision)
        select id, id, 'acc_one', 'cloud', id, 'https://graph.test', 'v1', 'connected', 0, token_expires_at, 0, 0, 1
        from rows`,
})

describe.each(engines)('gauges for the night, on %s:', (engine) => {
  let made: TestRuntime
  beforeEach(async () => {
    made = await aRuntime(engine)
  })
  afterEach(() => made.dispose())

  async function gauge(sample: string): Promise<number> {
    const line = (await made.rt.metrics.render()).split('\n').find((one) => one.startsWith(`${sample} `))
    return Number(line?.split(' ')[1])
  }

  test('the age of the oldest callback that is not applied, of whichever account', async () => {
    const { rt, clock } = made
    const age = async () => {
      await measureCallbacks(rt)
      return gauge('postern_callback_oldest_age_seconds')
    }
    expect(await age()).toBe(0)
    const ids: string[] = []
    for (const account_id of ['acc_two', 'acc_one', 'acc_one']) {
      const id = rt.newId('cbk')
      ids.push(id)
      const unit = new Unit()
      const [hash, body] = [Buffer.from(id), Buffer.from('{}')]
      addCallback(unit, rt.store.engine, { id, channel_id: 'chn', account_id, hash, body, received_at: clock.now() })
      await rt.store.write(unit)
      clock.advance(30_000)
    }
    expect(await age()).toBe(90)
    const claim = new Unit()
    const mine = { account_id: 'acc_two', lease_until: 0, claim: 'mine', count: 1, bytes: 1 }
    claim.add(claimCallbacks, { ...mine, now: clock.now() })
    await rt.store.write(claim)
    expect(await age()).toBe(90)
    const finish = new Unit()
    finish.add(finishCallback, { account_id: 'acc_two', id: ids[0] ?? '', claim: 'mine' })
    await rt.store.write(finish)
    expect(await age()).toBe(60)
  })

  test('how long the oldest job of each lane has been due', async () => {
    const { rt, clock } = made
    const ages = async () => {
      await measureJobs(rt)
      return Promise.all(['main', 'media'].map((lane) => gauge(`postern_job_oldest_age_seconds{lane="${lane}"}`)))
    }
    expect(await ages()).toEqual([0, 0])
    const now = clock.now()
    const common = { account_id: 'acc_one', payload: '{}', subject: '', now }
    const unit = new Unit()
    unit.add(
      enqueueJob,
      { ...common, id: 'job_1', lane: 'main', kind: 'later', run_at: now + 60_000 },
      { ...common, id: 'job_2', lane: 'media', kind: 'due', run_at: now },
    )
    await rt.store.write(unit)
    clock.advance(45_000)
    expect(await ages()).toEqual([0, 45])
    clock.advance(45_000)
    expect(await ages()).toEqual([30, 90])
  })

  test('when the first access token of a channel ends', async () => {
    const { rt } = made
    const expiry = async () => {
      await measureTokenExpiry(rt)
      return gauge('postern_channel_token_expiry_timestamp_seconds')
    }
    const add = async (id: string, token_expires_at: number | null) => {
      const unit = new Unit()
      unit.add(insertTestChannel, { id, token_expires_at })
      await rt.store.write(unit)
    }
    await add('chn_never', null)
    expect(await expiry()).toBe(0)
    await add('chn_late', 1_900_000_000_000)
    await add('chn_soon', 1_800_000_000_000)
    expect(await expiry()).toBe(1_800_000_000)
  })

  test('what is free on the disk of the data folder', async () => {
    await measureDisk(made.rt)
    const [free, size] = [await gauge('postern_disk_free_bytes'), await gauge('postern_disk_size_bytes')]
    expect(free).toBeGreaterThan(0)
    expect(size).toBeGreaterThan(free)
  })

  test('how long a transaction that does not end has held back the feed', async () => {
    const { rt, clock } = made
    const lag = async () => {
      await measureFeed(rt)
      return gauge('postern_feed_lag_seconds')
    }
    const world = { rt, accountId: 'acc_one' }
    const stuck = new pg.Client(inject('postgresUrl'))
    await stuck.connect()
    try {
      await publish(world)
      await feedSettled(rt.store)
      clock.advance(400_000)
      expect(await lag()).toBe(0)
      await stuck.query('begin; select pg_current_xact_id()')
      await publish(world)
      clock.advance(9_000)
      expect(await lag()).toBe(0)
      clock.advance(61_000)
      await publish(world)
      expect(await lag()).toBe(engine === 'postgres' ? 60 : 0)
    } finally {
      await stuck.query('rollback').finally(() => stuck.end())
    }
    await feedSettled(rt.store)
    expect(await lag()).toBe(0)
  })
})
