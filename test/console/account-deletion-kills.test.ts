import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { processTimeoutMs } from '../support/child-process.ts'
import { sendAndReceive } from '../support/media-of-every-kind.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { scaled } from '../support/proof.ts'
import { openRaw, type RawDatabase } from '../support/raw-database.ts'
import { aPlayground, stop, tokenOf } from '../support/serve.ts'
import { tablesNaming } from '../support/tables-naming.ts'
import { waitFor } from '../support/wait-for.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const rows = scaled(10_000)
const kills = scaled(1)

async function count(raw: RawDatabase, accountId: string): Promise<number> {
  const [row] = await raw.run(`select count(*) as n from messages where account_id = '${accountId}'`)
  return Number(row?.n)
}

/** As if the time had come two minutes ago: the product waits seven days, and a minute of quiet before and after. */
async function hurry(raw: RawDatabase, accountId: string): Promise<void> {
  const past = Date.now() - 120_000
  await raw.run(
    `update accounts set delete_at = ${past}, deleting_at = ${past}, updated_at = ${past} where id = '${accountId}'`,
  )
  await raw.run(`update jobs set run_at = 1 where kind = 'accounts.delete' and claim is null`)
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    : 0

describe.each(engines)('a gateway that is killed while it deletes an account, on %s', (engine) => {
  test(
    'goes on with it after the next start, to the last row and file',
    async () => {
      const play = await aPlayground()
      closers.push(play.dispose)
      const fresh = engine === 'postgres' ? await freshDatabase('postgres', { withDays: true }) : null
      if (fresh) closers.push(fresh.remove)
      const env: Record<string, string> = { POSTERN_LOG_LEVEL: 'info' }
      if (fresh?.database.kind === 'postgres') env.POSTERN_DATABASE_URL = fresh.database.url
      let gateway = await play.serve([], env)
      const gone = gateway.firstRun?.account_id ?? ''
      await sendAndReceive(gateway, await tokenOf(gateway.base_url, gateway.firstRun ?? {}))
      const kept = String((await play.run(['accounts', 'create', '--name', 'Kept', '--json'], env)).json.id)
      const media = join(play.dataDir, 'media')
      if (engine === 'sqlite') expect(filesIn(media)).toBeGreaterThan(0)

      const database = fresh?.database ?? { kind: 'sqlite' as const, path: join(play.dataDir, 'postern.db') }
      const raw = await openRaw(database)
      closers.push(raw.close)
      for (const [mark, accountId] of [
        ['g', gone],
        ['k', kept],
      ]) {
        await raw.fill('messages', rows, {
          id: `'out_${mark}' || i`,
          account_id: `'${accountId}'`,
          number_id: `'pn_${mark}'`,
          direction: `'outbound'`,
          type: `'text'`,
          held: '0',
          created_at: 'i',
          status: `'delivered'`,
          history: `'[]'`,
          event_sequence: '1',
          revision: '1',
        })
      }
      expect(await count(raw, kept)).toBe(rows)

      const planned = await play.run(['accounts', 'delete', gone, '--yes', '--json'], env)
      expect(planned.json).toMatchObject({ id: gone, status: 'suspended' })
      for (let kill = 1; kill <= kills; kill++) {
        const before = await count(raw, gone)
        await waitFor(async () => {
          await hurry(raw, gone)
          return (await count(raw, gone)) < before
        }, 30_000)
        gateway.process.signal('SIGKILL')
        await gateway.process.ended
        // As if the lease of the dead one were over.
        await raw.run(`update jobs set claim = null where kind = 'accounts.delete'`)
        const left = await count(raw, gone)
        expect([left > 0, left < before], `${left} of ${before}`).toEqual([true, true])
        gateway = await play.serve([], env)
      }
      await waitFor(async () => {
        await hurry(raw, gone)
        return (await raw.run(`select id from accounts where id = '${gone}'`)).length === 0
      }, 90_000)
      // That there was a first start, and what became of the account.
      expect((await tablesNaming(database, gone)).sort()).toEqual(['audit_log', 'installation'])
      expect(await count(raw, kept)).toBe(rows)
      expect(filesIn(media)).toBe(0)
      const [chunks] = engine === 'postgres' ? await raw.run('select count(*) as n from blob_chunks') : [{ n: 0 }]
      expect(Number(chunks?.n)).toBe(0)
      const verified = await play.run(['audit', 'verify', '--json'], env)
      expect(verified.json).toMatchObject({ ok: true })
      await stop(gateway)
      await stop(await play.serve([], env))
    },
    processTimeoutMs * 3,
  )
})
