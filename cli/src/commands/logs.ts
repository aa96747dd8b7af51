import { setTimeout as delay } from 'node:timers/promises'
import { installationLog, tailRequests, verifyAudit } from '@postern/server/accounts.ts'
import { factsOf } from '@postern/server/database.ts'
import { type Runtime, withRuntime } from '@postern/server/gateway.ts'
import type { Config } from '@postern/server/settings.ts'
import { anyAccountOption, chooseAccount, chooseAccounts } from '../choose-account.ts'
import { type Flags, type Output, switchOption, textOption } from '../command.ts'
import { askServer } from '../control/control-client.ts'
import { carryOut, type DataCommand, dataCommand } from '../data-command.ts'
import { CommandFailure, exitCodes, wrongUsage } from '../exit-codes.ts'
import { dataNote, settingsForData } from '../find-data.ts'
import { growingTable, table } from '../output/table.ts'
import { countFlag, noWords, textFlag } from '../read-flags.ts'
import { dataOptions } from '../settings.ts'
import { untilAskedToStop } from '../signals.ts'

type Args = {
  account: string | null
  statusMin: number
  statusMax: number
  route: string
  count: number
  since: number | null
}
type Tail = Awaited<ReturnType<typeof tailRequests>>
type LoggedRequest = Tail['requests'][number]

const linesDefault = 20
const linesMax = 1_000
const askEveryMs = 1_000
/** What one look may bring: a thousand requests a second, with the five seconds that are looked at again. */
const followedMax = 6_000

export const logsTail: DataCommand = {
  name: 'logs tail',
  summary: 'Show the latest API requests, newest last. --follow also shows new ones, until Ctrl+C.',
  examples: [
    'postern logs tail --status 4xx',
    'postern logs tail --follow --account "Acme Store" --route messages/send',
    'postern logs tail --status 429 --lines 100 --json',
  ],
  options: {
    status: textOption('A class such as 2xx, 4xx or 5xx, or one status such as 429. Without it: all.'),
    ...anyAccountOption,
    route: textOption('Part of the route, such as /v1/webhooks or messages/send.'),
    lines: textOption(`How many requests to show at first, up to ${linesMax}. Default ${linesDefault}.`),
    follow: switchOption('Check for new requests every second, until Ctrl+C.'),
    ...dataOptions,
  },
  verb: (rt, args) => tail(rt, args as Args),
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const args = readArgs(flags)
    const config = settingsForData(flags, host)
    if (flags.data === undefined) output.note(dataNote(config))
    const stopping = new AbortController()
    // The reader of the lines has closed the pipe: `| head`.
    host.stdout.on('error', (error: Error & { code?: string }) => {
      if (error.code !== 'EPIPE') throw error
      stopping.abort()
    })
    if (flags.follow === true) await follow(config, args, output, stopping)
    else {
      const { requests, keeps } = (await carryOut(config, logsTail, args)) as Tail
      printerOf(output)(requests)
      if (requests.length === 0) output.note(nothingText(keeps))
    }
    return exitCodes.ok
  },
}

function readArgs(flags: Flags): Args {
  return {
    account: textFlag(flags, 'account'),
    ...readStatus(textFlag(flags, 'status')),
    route: textFlag(flags, 'route') ?? '',
    count: countFlag(flags, 'lines', { max: linesMax }) ?? linesDefault,
    since: null,
  }
}

function readStatus(text: string | null): { statusMin: number; statusMax: number } {
  if (text === null) return { statusMin: 0, statusMax: 999 }
  if (/^[1-5]xx$/i.test(text)) return { statusMin: Number(text[0]) * 100, statusMax: Number(text[0]) * 100 + 99 }
  if (/^[1-5]\d\d$/.test(text)) return { statusMin: Number(text), statusMax: Number(text) }
  throw wrongUsage('--status is a class such as 4xx, or one status such as 429.')
}

async function tail(rt: Runtime, { account, ...wanted }: Args): Promise<Tail> {
  if (rt.config.requestLog === 'off') {
    throw new CommandFailure(
      'The request log is disabled (POSTERN_REQUEST_LOG=off): set it to refused or all, and restart the server.',
    )
  }
  const accountId = account === null ? null : (await chooseAccount(rt, account)).id
  return tailRequests(rt, { ...wanted, accountId })
}

/** Data that are not shared are written by one server alone: while none runs there is nothing to ask for. */
async function follow(config: Config, args: Args, output: Output, stopping: AbortController): Promise<void> {
  void untilAskedToStop(() => stopping.abort())
  const following = { args, output, signal: stopping.signal }
  if (factsOf(config.database).shared) {
    return withRuntime(config, (rt) =>
      followWith({ ...following, first: (own) => tail(rt, own), ask: (own) => tail(rt, own) }),
    )
  }
  await followWith({
    ...following,
    first: async (own) => (await carryOut(config, logsTail, own)) as Tail,
    ask: async (own) => (await askServer(config.dataDir, logsTail.name, own, { again: true })) as Tail | null,
  })
}

type Following = {
  args: Args
  output: Output
  signal: AbortSignal
  first(args: Args): Promise<Tail>
  /** Null while nobody is there to be asked. */
  ask(args: Args): Promise<Tail | null>
}

async function followWith({ args, output, signal, first, ask }: Following): Promise<void> {
  const isNew = firstTimers()
  const print = printerOf(output)
  const { requests, asked_at } = await first({ ...args, count: followedMax })
  print(requests.filter(isNew).slice(-args.count))
  if (requests.length === 0) output.note('No matching request yet; waiting for the first. Press Ctrl+C to stop.')
  let trouble: string | null = null
  for (let since = asked_at; ; ) {
    await delay(askEveryMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const next =
      (await ask({ ...args, count: followedMax, since }).catch(troubleOf)) ?? 'No server is running; waiting for one.'
    const now: string | null = typeof next === 'string' ? next : null
    if (now !== trouble) output.note(now ?? 'Following again.')
    trouble = now
    if (typeof next === 'string') continue
    print(next.requests.filter(isNew))
    since = next.asked_at
  }
}

/** A server that restarts is asked again: what could be read once will be readable again. */
function troubleOf(error: unknown): string {
  return error instanceof CommandFailure ? error.message : 'The log cannot be read right now; retrying.'
}

/** Says of each request whether it is the first time; remembers as many as a few looks can bring. */
function firstTimers(): (request: LoggedRequest) => boolean {
  const seen = new Set<string>()
  return ({ id }) => {
    if (seen.has(id)) return false
    seen.add(id)
    for (const oldest of seen) {
      if (seen.size <= 5 * followedMax) break
      seen.delete(oldest)
    }
    return true
  }
}

/** One line per request, aligned with those before. */
function printerOf(output: Output): (requests: readonly LoggedRequest[]) => void {
  const aligned = growingTable()
  return (requests) => {
    const lines = aligned(requests.map(cellsOf))
    for (const [index, request] of requests.entries()) output.result(request, lines[index] ?? '')
  }
}

function cellsOf({ at, status, method, route, code, duration_ms, key_name, key_id }: LoggedRequest): string[] {
  // Accounts name their keys as they like; what would steer a terminal is not for the operator's.
  const key = (key_name ?? key_id ?? '-').replace(/\p{C}/gu, '?')
  return [at, String(status), method, route, code ?? '-', `${duration_ms} ms`.padStart(8), key]
}

function nothingText(keeps: Tail['keeps']): string {
  const kept = keeps === 'refused' ? ' Only rejected requests and sends are kept (POSTERN_REQUEST_LOG=refused).' : ''
  return `No request matches.${kept}`
}

export const auditVerify = dataCommand({
  name: 'audit verify',
  summary: 'Verify that no entry of the audit log was changed, removed or added. Exits with 1 otherwise.',
  examples: ['postern audit verify', 'postern audit verify --account "Acme Store" --json'],
  options: anyAccountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  async run(rt, { account }) {
    const verdicts = []
    const logs = (await chooseAccounts(rt, account)).filter(({ deleting_at }) => deleting_at === null)
    const ofAll = account === null ? [{ id: installationLog, name: 'the installation' }] : []
    for (const { id, name } of [...ofAll, ...logs]) {
      const { ok, entries, brokenAt } = await verifyAudit(rt, id)
      // Nothing was done to all accounts yet.
      if (id === installationLog && ok && entries === 0) continue
      verdicts.push({ account_id: id, name, ok, entries, broken_at: brokenAt })
    }
    return { ok: verdicts.every(({ ok }) => ok), accounts: verdicts }
  },
  text: ({ accounts }) =>
    table(
      ['account', 'name', 'lines', 'verdict'],
      accounts.map(({ account_id, name, entries, broken_at }) => [
        account_id,
        name,
        String(entries),
        broken_at === null ? 'sound' : `broken at line ${broken_at}`,
      ]),
    ),
  exitCode: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failure),
})
