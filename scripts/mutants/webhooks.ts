import { type Mutant, mutantsOf } from './mutant.ts'

const circuit = 'server/src/webhooks/delivery/circuit.ts'
const circuitTest = 'server/src/webhooks/delivery/circuit.test.ts'
const judge = 'server/src/webhooks/delivery/judge-answer.ts'
const judgeTest = 'server/src/webhooks/delivery/judge-answer.test.ts'
const feed = 'server/src/events/read-feed.ts'
const api = 'test/webhooks/webhooks-api.test.ts'

export const webhookMutants: readonly Mutant[] = [
  ...mutantsOf('webhooks', [
    [
      'wh17',
      'server/src/webhooks/rotate-secret.ts',
      'rotation.overlap_seconds ?? ',
      'rotation.overlap_seconds || ',
      api,
    ],
    [
      'wh19',
      'server/src/webhooks/replay/replay-deliveries.ts',
      '  if (running.replay) return running.replay\n',
      '',
      'test/webhooks/webhooks-delivery.test.ts',
    ],
    ['wh20', circuit, 'failures < failuresMax', 'failures <= failuresMax', circuitTest],
    ['wh21', circuit, 'now >= circuit.openUntil ? Math.min(cap, 1)', 'now >= circuit.openUntil ? cap', circuitTest],
    ['wh22', circuit, 'Math.min(circuit.restMs * 2, restMsMax)', 'circuit.restMs * 2', circuitTest],
    ['wh23', judge, 'statusCode >= 200 && statusCode <= 299', 'statusCode >= 200 && statusCode <= 399', judgeTest],
    ['wh24', judge, 'statusCode === 410', 'statusCode === 404', judgeTest],
    [
      'wh25',
      'server/src/webhooks/delivery/retry-schedule.ts',
      'scheduleMs[step]',
      'scheduleMs[step - 1]',
      'server/src/webhooks/delivery/retry-schedule.test.ts',
    ],
    [
      'wh26',
      'server/src/webhooks/delivery/sign-delivery.ts',
      '(signer.previous_secret_until ?? 0) > now',
      '(signer.previous_secret_until ?? 0) >= 0',
      'server/src/webhooks/delivery/sign-delivery.test.ts',
    ],
  ]),
  ...mutantsOf('events', [
    ['ev2', feed, '!last && cursor ? cursor : ', '', api],
    ['ev4', feed, 'rows.length > limit', 'rows.length >= limit', api],
  ]),
]
