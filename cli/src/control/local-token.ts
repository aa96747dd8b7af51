import { issueLocalToken } from '@postern/server/access/tokens/issue-token.ts'
import { createTokenAuthority } from '@postern/server/access/tokens/token-codec.ts'
import { listUsers } from '@postern/server/store/accounts/users.ts'
import { firstAccount } from '../choose-account.ts'
import type { Verb } from './control-server.ts'
import { localTokenName } from './local-gateway.ts'

/** What `send`, `listen` and `trigger` ask for when nobody gave them a key: a token of the first account. */
export const localToken: { name: string; verb: Verb } = {
  name: localTokenName,
  async verb(rt) {
    const account = await firstAccount(rt)
    const [owner] = await rt.store.read(listUsers, { account_id: account.id })
    const about = { accountId: account.id, createdBy: owner?.id ?? '' }
    const token = await issueLocalToken(rt, createTokenAuthority(rt), about)
    return { base_url: rt.urls.base, token }
  },
}
