import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime } from '../../../../test/support/runtime.ts'
import { createSecrets } from '../../lib/secrets.ts'
import { loadSigningKeys, rotateSigningKey } from './token-codec.ts'

describe.each(engines)('signing keys on %s', (engine) => {
  test('that do not open are left out and named in the log, and the others go on', async () => {
    const { rt, logLines, dispose } = await aRuntime(engine)
    const [foreign] = await loadSigningKeys({ ...rt, secrets: createSecrets(randomBytes(32)) })
    await rotateSigningKey(rt)
    const keys = await loadSigningKeys(rt)
    expect(keys).toMatchObject([{ active: true }])
    expect(keys[0]?.kid).not.toBe(foreign?.kid)
    const lines = logLines.map((line) => JSON.parse(line) as { msg?: string; kid?: string })
    expect(lines.filter((line) => line.kid === foreign?.kid)).toMatchObject([{ msg: 'signing_key.unreadable' }])
    await dispose()
  })
})
