import { operator } from '../../server/src/audit/audit.ts'
import { saveChannel } from '../../server/src/channels/save-channel.ts'
import type { Runtime } from '../../server/src/runtime.ts'

/** Stores the nth channel of a platform that nobody calls, or gives it another secret. */
export function saveCloudChannel(rt: Runtime, accountId: string, nth: number, appSecret = 'secret') {
  return saveChannel(rt, {
    wabaId: `90${nth}`,
    phoneNumberId: `10${nth}`,
    appSecret,
    accountId,
    kind: 'cloud',
    accessToken: 'token',
    appId: null,
    baseUrl: 'http://platform.invalid',
    graphVersion: 'v26.0',
    app: null,
    tokenExpiresAt: null,
    health: {
      phone_number: `+1555010${String(nth).padStart(4, '0')}`,
      display_name: null,
      status: 'CONNECTED',
      quality: null,
      sends_per_second: 1_000,
      messaging_limit: null,
    },
    actor: operator,
  })
}
