import { issueTokenHere } from '@postern/server/keys.ts'
import { firstAccount } from '../choose-account.ts'
import type { Verb } from './control-server.ts'
import { localTokenName } from './local-gateway.ts'

/** What `send`, `listen` and `trigger` ask for when nobody gave them a key: a token of the first account. */
export const localToken: { name: string; verb: Verb } = {
  name: localTokenName,
  async verb(rt) {
    const account = await firstAccount(rt)
    return { base_url: rt.urls.base, token: await issueTokenHere(rt, account.id) }
  },
}
