import {
  listDeliveries,
  pauseCallback,
  removeCallback,
  replayDeliveries,
  resumeCallback,
  type StoredConnection,
  setCallback,
  verifyCallback,
} from '@postern/server/connections.ts'
import { AppError } from '@postern/server/words.ts'
import { accountOption } from '../../choose-account.ts'
import { switchOption, textOption } from '../../command.ts'
import { dataCommand } from '../../data-command.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { pairs, table } from '../../output/table.ts'
import { choiceFlag, countFlag, readText, requiredFlag, textFlag } from '../../read-flags.ts'
import { by, find, named } from './connections.ts'

export const connectionsCallback = dataCommand({
  name: 'connections callback',
  summary: 'Set the callback address of a tool, and verify it.',
  examples: [
    'postern connections callback con_01jd40m1… --url https://chatwoot.example.com/webhooks/whatsapp/+15550783881 --verify-token-file token.txt',
    'postern connections callback con_01jd40m1… --remove',
  ],
  options: {
    ...accountOption,
    url: textOption('The callback address of the tool.'),
    'verify-token-file': textOption(
      'File with the verify token that the tool shows. Without it, one is created and printed.',
    ),
    waive: switchOption('Skip the verification: you know that the address is right.'),
    remove: switchOption('Stop callbacks to this tool.'),
  },
  args(flags, words) {
    const [url, remove] = [textFlag(flags, 'url'), flags.remove === true]
    if ((url === null) !== remove) throw wrongUsage('Give --url with the address of the tool, or --remove.')
    const file = textFlag(flags, 'verify-token-file')
    return {
      ...named.args(flags, words),
      url,
      verifyToken: file === null ? null : readText(file).trim(),
      waive: flags.waive === true,
    }
  },
  async run(rt, { url, verifyToken, waive, ...args }) {
    const stored = await find(rt, args)
    if (url === null) {
      await removeCallback(rt, stored, by)
      return { id: args.id, callback: null }
    }
    const { problem, ...set } = await setCallback(rt, stored, { url, verifyToken }, { ...by, waive })
    return { id: args.id, callback: { url, verify_token: set.verifyToken, verified: set.verified, problem } }
  },
  text: ({ id, callback }) => {
    if (!callback) return `${id} no longer gets callbacks.\n`
    const shown = pairs([
      ['Callbacks', callback.url],
      ['Verify token', callback.verify_token],
    ])
    if (callback.verified) return `${shown}The tool passed the handshake: callbacks are being sent.\n`
    return `${shown}${callback.problem}\nNothing is sent there yet. Check the tool, then run 'postern connections verify ${id}'.\n`
  },
  exitCode: ({ callback }) => (callback?.verified === false ? exitCodes.failure : exitCodes.ok),
})

export const connectionsVerify = dataCommand({
  name: 'connections verify',
  summary: 'Verify the callback address of a tool again.',
  examples: ['postern connections verify con_01jd40m1…', 'postern connections verify con_01jd40m1… --waive'],
  ...named,
  options: { ...accountOption, waive: switchOption('Skip the verification: you know that the address is right.') },
  args: (flags, words) => ({ ...named.args(flags, words), waive: flags.waive === true }),
  async run(rt, { waive, ...args }) {
    await verifyCallback(rt, await find(rt, args), { ...by, waive })
    return { id: args.id, verified: true }
  },
  text: ({ id }) => `${id} gets callbacks now.\n`,
})

export const connectionsPause = dataCommand({
  name: 'connections pause',
  summary: 'Pause callbacks to a tool. Missed callbacks can be replayed.',
  examples: ['postern connections pause con_01jd40m1…'],
  ...named,
  async run(rt, args) {
    await pauseCallback(rt, await find(rt, args), by)
    return { id: args.id, paused: true }
  },
  text: ({ id }) => `${id} is paused. Continue with 'postern connections resume ${id}'.\n`,
})

export const connectionsResume = dataCommand({
  name: 'connections resume',
  summary: 'Resume callbacks to a tool.',
  examples: ['postern connections resume con_01jd40m1…'],
  ...named,
  async run(rt, args) {
    await resumeCallback(rt, await find(rt, args), by)
    return { id: args.id, paused: false }
  },
  text: ({ id }) =>
    `${id} gets callbacks again. To replay missed ones: 'postern connections replay ${id} --since 2026-01-31T12:00:00Z'.\n`,
})

export const connectionsDeliveries = dataCommand({
  name: 'connections deliveries',
  summary: 'List the callbacks sent to a tool, newest first.',
  examples: [
    'postern connections deliveries con_01jd40m1… --status failed',
    'postern connections deliveries con_01jd40m1… --json',
  ],
  options: {
    ...accountOption,
    status: textOption('Only those with this status, such as failed or skipped; several comma-separated.'),
    limit: textOption('How many, at most 100. Default: 25.'),
  },
  args: (flags, words) => ({
    ...named.args(flags, words),
    status: textFlag(flags, 'status'),
    limit: countFlag(flags, 'limit', { max: 100 }),
  }),
  async run(rt, { status, limit, ...args }) {
    const { row } = await find(rt, args)
    const relayId = requireRelayId({ row })
    const listing = { ...(status === null ? {} : { status }), ...(limit === null ? {} : { limit }) }
    const { deliveries } = await listDeliveries(rt, row.account_id, relayId, listing as never)
    return { id: args.id, webhook_id: relayId, deliveries }
  },
  text: ({ deliveries }) =>
    table(
      ['delivery', 'type', 'status', 'attempts', 'created', 'next attempt'],
      deliveries.map(({ id, type, status, attempt_count, created_at, next_attempt_at }) => [
        id,
        type.replace('relay.', ''),
        status,
        String(attempt_count),
        created_at ?? '',
        next_attempt_at ?? '',
      ]),
    ),
})

export const connectionsReplay = dataCommand({
  name: 'connections replay',
  summary: 'Send past callbacks to a tool again, oldest first. They are kept for seven days.',
  examples: ['postern connections replay con_01jd40m1… --since 2026-01-31T12:00:00Z'],
  options: {
    ...accountOption,
    since: textOption('From this time on.'),
    until: textOption('Up to this time. Without it: now.'),
    status: textOption('Which: failed (not received; the default) or all.'),
  },
  args: (flags, words) => ({
    ...named.args(flags, words),
    since: requiredFlag(flags, 'since', '2026-01-31T12:00:00Z'),
    until: textFlag(flags, 'until'),
    status: choiceFlag(flags, 'status', ['failed', 'all'] as const),
  }),
  async run(rt, { since, until, status, ...args }) {
    const { row } = await find(rt, args)
    const wanted = { since, ...(until === null ? {} : { until }), ...(status ? { status } : {}) }
    return { id: args.id, ...(await replayDeliveries(rt, row.account_id, requireRelayId({ row }), wanted)) }
  },
  text: ({ matched, queued }) => `${queued} of ${matched} callbacks queued again.\n`,
})

function requireRelayId({ row }: Pick<StoredConnection, 'row'>): string {
  if (row.relay_id !== null) return row.relay_id
  throw new AppError('connection_callback_missing', 'This connection has no callback address yet.')
}
