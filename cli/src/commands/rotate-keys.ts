import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rotateMasterKey, UnreadableSecret } from '@postern/server/accounts.ts'
import { readConnectionLimit } from '@postern/server/database.ts'
import { type Runtime, withRuntime } from '@postern/server/gateway.ts'
import { rotateSigningKeys } from '@postern/server/keys.ts'
import { type Config, createSecrets, type Env, findMasterKey, parseMasterKey } from '@postern/server/settings.ts'
import { type Command, switchOption } from '../command.ts'
import { confirmByTyping } from '../confirm.ts'
import { isServed } from '../control/data-lock.ts'
import { dataCommand } from '../data-command.ts'
import { readEnvironment } from '../env.ts'
import { CommandFailure, exitCodes, wrongUsage } from '../exit-codes.ts'
import { requireData } from '../find-data.ts'
import { table } from '../output/table.ts'
import { noWords } from '../read-flags.ts'
import { dataOptions, loadSettings } from '../settings.ts'

/** Not run through a server: none may be running, because it would go on sealing with the old key. */
export const masterKeyRotate: Command = {
  name: 'master-key rotate',
  summary: 'Encrypt every stored secret with a new master key. Stop all servers first.',
  examples: [
    'postern master-key rotate                                          the key in the data folder',
    'POSTERN_NEW_MASTER_KEY_FILE=/run/secrets/new postern master-key rotate --yes',
  ],
  options: { ...dataOptions, yes: switchOption('Do not ask.') },
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { config } = loadSettings(flags, host)
    await requireNoServer(config)
    requireData(config)
    const next = config.masterKey ? givenKey(host.env) : keyInFolder(config)
    if (flags.yes !== true) {
      const warning =
        'Every stored secret will be encrypted with the new key; servers that still have the old key will not work.'
      await confirmByTyping({ warning, word: 'rotate' }, host)
    }
    const secrets = createSecrets(next.key, [findMasterKey(config, true).key])
    output.progress.step('Encrypting secrets with the new key', { unit: 'values' })
    const onSealed = (count: number) => output.progress.advance(count)
    const rotate = (rt: Runtime) => rotateMasterKey(rt, secrets, onSealed)
    const result = await withRuntime(config, rotate, { anyKey: true }).catch((error: unknown) => {
      throw error instanceof UnreadableSecret ? new CommandFailure(error.message) : error
    })
    output.progress.end()
    next.finish()
    output.result(
      { ...result, key_id: secrets.keyId },
      `Re-encrypted ${result.resealed === 1 ? '1 value' : `${result.resealed} values`}. ${next.advice}\n`,
    )
    return exitCodes.ok
  },
}

async function requireNoServer(config: Config): Promise<void> {
  const { database, databasePoolReadMax: readConnections, databasePoolWriteMax: writeConnections } = config
  const connected = await readConnectionLimit(database, { readConnections, writeConnections })
  if (connected ? connected.processes > 0 : isServed(config)) {
    throw new CommandFailure('A server is using this data: stop it first, on every machine.')
  }
}

type NextKey = { key: Buffer; advice: string; finish(): void }

function givenKey(env: Env): NextKey {
  const { newMasterKey, newMasterKeyFile } = readEnvironment(env)
  const text = newMasterKey ?? (newMasterKeyFile === undefined ? '' : readKeyFile(newMasterKeyFile))
  const key = parseMasterKey(text.trim())
  if (!key) {
    throw wrongUsage(
      'Put the new key into POSTERN_NEW_MASTER_KEY or the file of POSTERN_NEW_MASTER_KEY_FILE: create one with `openssl rand -hex 32`.',
    )
  }
  return { key, advice: 'Give it to the servers as POSTERN_MASTER_KEY, then start them.', finish() {} }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw wrongUsage(`The file of POSTERN_NEW_MASTER_KEY_FILE, ${file}, cannot be read (${code}).`)
  }
}

/** Written down before the first value is sealed with it: a rotation that was cut short goes on with the same key. */
function keyInFolder({ dataDir }: Config): NextKey {
  const file = join(dataDir, 'master.key.next')
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  }
  const key = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new CommandFailure(`${file} does not contain a key: remove it and try again.`)
  return {
    key,
    advice: `The new key is in ${join(dataDir, 'master.key')}.`,
    finish: () => renameSync(file, join(dataDir, 'master.key')),
  }
}

export const signingKeysRotate = dataCommand({
  name: 'signing-keys rotate',
  summary:
    'Sign new access tokens with a new key. Existing tokens stay valid. This happens automatically every 90 days.',
  examples: ['postern signing-keys rotate', 'postern signing-keys rotate --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  async run(rt) {
    return { keys: await rotateSigningKeys(rt) }
  },
  text: ({ keys }) =>
    table(
      ['key id', 'status', 'created'],
      keys.map(({ kid, status, created_at }) => [kid, status, created_at]),
    ),
})
