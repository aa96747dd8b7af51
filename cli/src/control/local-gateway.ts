import { factsOf } from '@postern/server/database.ts'
import type { Config } from '@postern/server/settings.ts'
import { askServer } from './control-client.ts'

export const localTokenName = 'local-token'

type LocalAnswer = { base_url: string; token: object }

/** A gateway on this machine, and a `fetch` that gets its tokens over the control socket instead of with a key. */
export type LocalGateway = { baseUrl: string; fetch: typeof globalThis.fetch }

/** Null when no server runs on these data. */
export async function findLocalGateway({ dataDir, database }: Config): Promise<LocalGateway | null> {
  if (factsOf(database).shared) return null
  const ask = async () => (await askServer(dataDir, localTokenName, {})) as LocalAnswer | null
  const first = await ask()
  if (!first) return null
  let held: LocalAnswer | null = first
  return {
    baseUrl: first.base_url,
    async fetch(input, init) {
      if (!String(input).endsWith('/v1/auth/token')) return globalThis.fetch(input, init)
      const { token } = held ?? (await ask()) ?? first
      held = null
      return Response.json({ success: true, data: token })
    },
  }
}
