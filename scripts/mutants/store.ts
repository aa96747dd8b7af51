import { type Mutant, mutantsOf } from './mutant.ts'

const list = 'server/src/store/engine/list.ts'
const listTest = 'test/store/bounded-lists.test.ts'
const groupCommit = 'server/src/store/engine/group-commit.ts'
const groupCommitTest = 'server/src/store/engine/group-commit.test.ts'
const batch = 'server/src/store/postgres/postgres-batch.ts'
const batchTest = 'server/src/store/postgres/postgres-batch.test.ts'
const copy = 'server/src/store/copy-data.ts'
const copyTest = 'test/cli/copy.test.ts'
const retainTest = 'server/src/messages/retain-messages.test.ts'
const duties = 'test/messages/message-duties.test.ts'
const retain = 'server/src/messages/retain-messages.ts'

export const storeMutants: readonly Mutant[] = [
  ...mutantsOf('store', [
    ['li1', list, 'entriesMax = 20_000', 'entriesMax = 2_000_000', listTest],
    ['li2', list, 'case when (select count(*) from hits) <', 'case when 0 = 1 and 0 <', listTest],
    [
      'li4',
      'server/src/store/postgres/postgres-reads.ts',
      'Math.max(1, Math.floor(connections / 4))',
      'connections',
      'server/src/store/postgres/postgres-reads.test.ts',
    ],
    ['se3', batch, "isUndone ? 'not_stored' : 'unknown'", "isUndone ? 'not_stored' : 'not_stored'", batchTest],
    ['se5', batch, 'if (isWorthRepeating(attempt.failed) && repeat < repeatsMax) continue\n', '', batchTest],
    ['se6', batch, 'isFromServer(cause) && at < statements.length', 'isFromServer(cause)', batchTest],
    ['se7', batch, 'rest.shift()', 'rest.pop()', batchTest],
    ['se9', groupCommit, 'waiting.length >= waitingMax', 'waiting.length < 0', groupCommitTest],
    [
      'se10',
      groupCommit,
      'for (const unit of batch) unit.reject',
      'for (const unit of batch.slice(0, 1)) unit.reject',
      groupCommitTest,
    ],
    [
      'se11',
      groupCommit,
      'if (!beside || underWay >= beside.batchesMax) return false',
      'if (!beside) return false',
      groupCommitTest,
    ],
    ['se12', groupCommit, 'index >= batchUnits || rows > batchRows', 'index >= batchUnits', groupCommitTest],
    ['se13', groupCommit, "else if ('error' in outcome) unit.reject(outcome.error)\n", '', groupCommitTest],
    [
      'mg1',
      'server/src/store/migrate.ts',
      'checksumOf(engine, migration) !== checksum',
      '!checksum',
      'test/store/upgrade.test.ts',
    ],
    ['cp1', copy, 'original.hash !== copied.hash ||', '', copyTest],
    ['cp2', copy, 'if (last > 0) await to.setCounter(table, last)', 'if (last < 0) return', copyTest],
    ['cp3', copy, 'open === null && (await holdsData(to))', 'open === null && !from', copyTest],
    ['cp4', copy, 'last = places.map((place) => row[place] ?? null)', 'last = [row[places[0] ?? 0] ?? null]', copyTest],
    [
      'cw1',
      'server/src/lib/clock.ts',
      'Math.abs(now - offset) > wallStepMs',
      'now !== offset',
      'server/src/lib/clock.test.ts',
    ],
  ]),
  ...mutantsOf('retention', [
    [
      'rt3',
      'server/src/store/messages/customers.ts',
      'and o.opted_out_at is not null)',
      'and o.opted_out_at is null)',
      retainTest,
    ],
    ['rt4', retain, 'result.rows(call).length >= batch', 'result.rows(call).length > batch', retainTest],
    ['rt5', retain, '    unit.add(forgetNames, content),\n', '', duties],
    ['rt6', retain, '    unit.add(expireMessages, metadata),\n', '', duties],
    ['rt7', retain, 'unit.add(expireMessages, metadata)', 'unit.add(expireMessages, content)', duties],
  ]),
]
