import { type Mutant, mutantsOf } from './mutant.ts'

const publish = 'server/src/events/publish-relay.ts'
const payload = 'server/src/platform/cloud/graph/relay-payload.ts'
const items = 'test/graph/relayed-items.test.ts'
const tools = 'test/graph/graph-relays.test.ts'

export const relayMutants: readonly Mutant[] = [
  ...mutantsOf('relays', [
    ['rl1', publish, "piece.kind !== 'status' || isOwn", "piece.kind !== 'status' || message !== undefined", tools],
    ['rl2', publish, '(!seesPeople && !rt.platform.relay.namesNobody(piece))', 'false', items],
    ['rl3', publish, 'relay.keyId !== keyId', 'true', tools],
    [
      'rl4',
      'server/src/store/connections/relays.ts',
      'from rows join relay_items i on i.id = rows.item_id join webhooks w',
      'from rows join webhooks w',
      items,
    ],
    ['rl5', payload, "if (name === 'biz_opaque_callback_data') return []", '', items],
    ['rl6', 'server/src/platform/cloud/lenient-json.ts', 'String(value) !== source', 'false', items],
    [
      'rl7',
      'server/src/webhooks/delivery/record-attempts.ts',
      'const rejectedScheduleMs = [0, hourMs, 5 * hourMs]',
      'const rejectedScheduleMs = [0, hourMs]',
      items,
    ],
    [
      'rl8',
      'server/src/connections/callback-address.ts',
      "  if (hosts.includes('*') || hosts.includes(host)) return\n",
      '  if (host) return\n',
      'test/graph/graph-subscriptions.test.ts',
    ],
    ['rl9', 'server/src/webhooks/delivery/deliver-relay.ts', '.filter(({ keyId }) => keyId === key_id)', '', items],
    [
      'rl10',
      'server/src/connections/repeat-keys.ts',
      'if (!options.repeats) return null',
      'if (options.repeats) return null',
      'test/graph/graph-sends-with-kills.test.ts',
    ],
    [
      'rl11',
      'server/src/platform/cloud/graph/graph-dialect.ts',
      'sendBody: (body, correlation) => ({ ...body,',
      'sendBody: ({ context: _, ...body }, correlation) => ({ ...body,',
      'test/graph/graph-differential.test.ts',
    ],
    [
      'rl12',
      'server/src/http/graph/bodies.ts',
      'return token === undefined && proof === undefined ? given : body',
      'return given',
      'test/graph/graph-bodies.test.ts',
    ],
    [
      'rl13',
      'server/src/connections/pass-call.ts',
      "action: 'customer.blocked', at, author",
      "action: 'customer.blocked', at: null, author",
      'test/graph/graph-passed.test.ts',
    ],
  ]),
]
