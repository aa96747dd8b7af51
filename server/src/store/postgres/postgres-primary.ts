import pg from 'pg'
import { isFromServer, isUnavailable } from './postgres-failure.ts'

export type Primary = {
  /** Opens connections for pools and others: each to the server that last accepted writes. */
  readonly Client: typeof pg.Client
  /** Tries the servers one after the other until one takes writes. */
  reach<Connected>(connect: () => Promise<Connected>): Promise<Connected>
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** A pool that has no connection to give says nothing about the server. */
const poolIsBusy = 'timeout exceeded when trying to connect'

/**
 * Of several servers one takes writes, and which one changes with a fail-over. A server that cannot be reached, or that
 * only reads, makes the next connection go to the next one; connections that are open stay until they break.
 */
export function findPrimary(url: string): Primary {
  const servers = databaseServers(url)
  let current = 0

  class PrimaryClient extends pg.Client {
    readonly #server = current

    constructor(config: pg.ClientConfig = {}) {
      const { address, options } = splitOptions(servers[current] ?? url)
      // The last of a name holds.
      super({ ...config, connectionString: address, options: `${options} ${config.options ?? ''}`.trim() })
      // From its first moment: a server may end a connection before the pool that asked for it listens, and an error
      // that nobody hears ends the process. The next query on the connection fails in any case.
      this.on('error', () => {})
    }

    override connect(): Promise<pg.Client>
    override connect(callback: OnConnected): void
    override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
      const connected = this.#connectToPrimary()
      if (!callback) return connected
      const done = callback as (error: Error | null, client?: pg.Client) => void
      void connected.then((client) => done(null, client), done)
      return undefined
    }

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect()
        await watchForOurEnd(this)
        if (servers.length > 1) await refuseReadOnly(this)
        return this
      } catch (error) {
        // Others may have gone on already.
        if (current === this.#server) current = (current + 1) % servers.length
        throw error
      }
    }
  }

  return {
    Client: PrimaryClient,
    async reach(connect) {
      for (let left = servers.length; ; left--) {
        try {
          return await connect()
        } catch (error) {
          if (left <= 1 || (error as Error).message === poolIsBusy) throw error
        }
      }
    },
  }
}

/**
 * The server looks every two seconds whether we are still there: it would go on with the statements of a connection that
 * we have given up. On some systems it cannot look, and refuses the setting.
 */
async function watchForOurEnd(client: pg.Client): Promise<void> {
  try {
    await client.query('set client_connection_check_interval = 2000')
  } catch (error) {
    if (!(error instanceof Error && isFromServer(error)) || isUnavailable(error)) throw error
  }
}

/** True of a standby, and of a primary that was closed for writes. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'on') return
  void client.end().catch(() => {})
  throw new Error('The connection leads to a server that only reads.')
}

/**
 * A PostgreSQL URL may name several servers, separated by commas, of which one at a time takes writes:
 * `postgres://user:password@a:5432,b:5432/postern?target_session_attrs=read-write`. One URL for each, in their order.
 */
export function databaseServers(url: string): string[] {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  const path = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')
  return hosts.split(',').map((host) => `${scheme}${host}${path}`)
}

/**
 * The URL without its `options`, such as a `search_path`, and these apart: beside them in the URL, pg would leave out all of
 * ours, time limits and durability included.
 */
export function splitOptions(url: string): { address: string; options: string } {
  const [found = '', before = '', options = ''] = /([?&])options=([^&]*)&?/.exec(url) ?? []
  return { address: url.replace(found, before).replace(/[?&]$/, ''), options: decoded(options.replaceAll('+', ' ')) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
