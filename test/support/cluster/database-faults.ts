import { chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { smallDisk } from '../disk.ts'
import type { PostgresServer } from '../postgres/postgres.ts'

/** What can happen to a PostgreSQL while nodes use it. `begin` returns what ends it. */
export type DatabaseFault = {
  readonly name: string
  /** Nothing at all can be stored meanwhile: `/readyz` is asked too. It looks every two seconds, so not for every fault. */
  readonly endsReadiness?: boolean
  /** The server forgets what it did not have to keep: counters of the last moment. */
  readonly forgetsCounts?: boolean
  /** For the proof alone. */
  readonly slow?: boolean
  begin(server: PostgresServer): Promise<() => Promise<void>>
}

/** Below `max_connections`, so that it can be used up: two nodes open 34 at most. */
export const faultyServerSettings = ['max_connections=60']

export const databaseFaults: readonly DatabaseFault[] = [
  {
    name: 'is restarted',
    endsReadiness: true,
    async begin(server) {
      await server.shutDown()
      return () => server.restart()
    },
  },
  {
    name: 'is killed and started again',
    forgetsCounts: true,
    async begin(server) {
      await server.kill()
      return () => server.restart()
    },
  },
  {
    name: 'ends every connection again and again',
    begin: ({ url }) => repeatedly(url, `select pg_terminate_backend(pid) ${othersOf}`),
  },
  {
    name: 'refuses connections',
    async begin({ url }) {
      const elsewhere = Object.assign(new URL(url), { pathname: '/template1' }).href
      await ask(elsewhere, 'alter database postgres allow_connections false')
      await ask(elsewhere, `select pg_terminate_backend(pid) ${othersOf}`)
      return () => ask(elsewhere, 'alter database postgres allow_connections true')
    },
  },
  {
    name: 'has its messages locked',
    async begin({ url }) {
      const holder = await connect(url)
      await holder.query('begin; lock table messages in access exclusive mode')
      return () => holder.end()
    },
  },
  {
    name: 'hangs in a statement',
    slow: true,
    begin: ({ url }) => slowInserts(url, 60),
  },
  {
    name: 'has its statements cancelled',
    async begin({ url }) {
      // Statements are so short that hardly one would be met.
      const end = await slowInserts(url, 0.2)
      const cancel = await repeatedly(url, `select pg_cancel_backend(pid) ${othersOf} and state = 'active'`)
      return async () => {
        await cancel()
        await end()
      }
    },
  },
  {
    name: 'is read-only',
    endsReadiness: true,
    async begin({ url }) {
      await ask(url, 'alter system set default_transaction_read_only = on')
      await ask(url, 'select pg_reload_conf()')
      return async () => {
        await ask(url, 'alter system reset default_transaction_read_only')
        await ask(url, 'select pg_reload_conf()')
      }
    },
  },
  { name: 'has a full disk', begin: fillDisk },
  { name: 'has no connections left', endsReadiness: true, begin: takeAllConnections },
]

const othersOf = `from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`

/** The messages move to a small disk of their own; without the right to mount one, the server only says what it would. */
async function fillDisk({ url, folder }: PostgresServer): Promise<() => Promise<void>> {
  const mountPoint = join(folder, 'small-disk')
  mkdirSync(mountPoint)
  const disk = await smallDisk(mountPoint, 16)
  if (!disk) {
    const refuse = `raise exception using errcode = ''53100'', message = ''could not extend file'';`
    await ask(
      url,
      `create function full_disk() returns trigger language plpgsql as 'begin ${refuse} end';
       create trigger full_disk before insert on messages execute function full_disk()`,
    )
    return () => ask(url, 'drop function full_disk() cascade')
  }
  const space = join(mountPoint, 'space')
  mkdirSync(space)
  const { uid, gid } = statSync(folder)
  chownSync(space, uid, gid)
  await ask(url, `create tablespace small location '${space}'`)
  await ask(url, 'alter table messages set tablespace small')
  await disk.fail(0)
  return async () => {
    await disk.heal(0)
    await ask(url, 'alter table messages set tablespace pg_default')
    await ask(url, 'drop tablespace small')
    await disk.remove()
    rmSync(mountPoint, { recursive: true })
  }
}

/** Everything the server has, also what the nodes have open: others are quicker. */
async function takeAllConnections({ url }: PostgresServer): Promise<() => Promise<void>> {
  const taken: pg.Client[] = []
  const first = await connect(url)
  taken.push(first)
  let over = false
  const takers = Array.from({ length: 20 }, async () => {
    while (!over) {
      const client = await connect(url).catch(() => null)
      if (client) taken.push(client)
      else await delay(5)
    }
  })
  const [{ max }] = (await first.query(`select setting::int as max from pg_settings where name = 'max_connections'`))
    .rows as [{ max: number }]
  while (taken.length < max) {
    await first.query(`select pg_terminate_backend(pid) ${othersOf} and application_name <> 'fault'`)
    await delay(20)
  }
  // None is given back before the end: further attempts would only start a process of the server each.
  over = true
  await Promise.all(takers)
  return async () => {
    await Promise.all(taken.map((client) => client.end()))
  }
}

async function slowInserts(url: string, seconds: number): Promise<() => Promise<void>> {
  await ask(
    url,
    `create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(${seconds}); return new; end';
     create trigger linger before insert on messages execute function linger()`,
  )
  return () => ask(url, 'drop function linger() cascade')
}

async function repeatedly(url: string, sql: string): Promise<() => Promise<void>> {
  const client = await connect(url)
  let over = false
  const work = (async () => {
    while (!over) {
      await client.query(sql)
      await delay(50)
    }
  })()
  return async () => {
    over = true
    await work.finally(() => client.end())
  }
}

async function ask(url: string, sql: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const options = '-c default_transaction_read_only=off'
  const client = new pg.Client({ connectionString, options, application_name: 'fault' })
  client.on('error', () => {})
  await client.connect()
  return client
}
