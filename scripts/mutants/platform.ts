import { type Mutant, mutantsOf } from './mutant.ts'

const told = 'server/src/store/channels/told-states.ts'
const news = 'test/channels/operator-news.test.ts'
const callbacks = 'server/src/platform/cloud/callbacks/cloud-callbacks.ts'
const fields = 'server/src/platform/cloud/callbacks/callback-fields.ts'
const recorded = 'test/channels/recorded-callbacks.test.ts'

/** What Meta reports: read, told once, and lost never. */
export const platformMutants: readonly Mutant[] = [
  ...mutantsOf('meta', [
    ['me1', told, 'previous is not null and at >= :changed_since', 'at >= :changed_since', news],
    ['me2', told, 'previous = told_states.value, ', '', news],
    [
      'me3',
      callbacks,
      "item.kind === 'message' && summary !== null",
      "item.kind !== 'message'",
      'test/messages/other-responders.test.ts',
    ],
    ['me4', fields, "    'business_status_update',\n", '', recorded],
    ['me5', callbacks, '    ...section(content.user_actions, place, notUsed),\n', '', recorded],
    [
      'me6',
      'server/src/messages/content/inbound-content.ts',
      'meta_code: content.failures[0]?.upstream.code ?? null',
      'meta_code: null',
      'test/messages/customer-callbacks.test.ts',
    ],
    [
      'me7',
      'server/src/http/graph/sends.ts',
      'if (wire.toGroup) {',
      'if (wire.toGroup && wire.to === null) {',
      'test/graph/graph-sends.test.ts',
    ],
  ]),
]
