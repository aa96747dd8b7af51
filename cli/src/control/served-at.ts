import type { Config } from '@postern/server/settings.ts'
import { askServer } from './control-client.ts'
import type { Verb } from './control-server.ts'

const answerMs = 5_000

export const servedAtVerb: { name: string; verb: Verb } = {
  name: 'served-at',
  async verb(rt) {
    return { base_url: rt.urls.base }
  },
}

/** The address of the server that uses this data folder; null when none does, or it does not tell. */
export async function servedAt({ dataDir }: Config): Promise<string | null> {
  const asked = askServer(dataDir, servedAtVerb.name, {}, { withinMs: answerMs })
  const answer = (await asked.catch(() => null)) as { base_url: string } | null
  return answer?.base_url ?? null
}
