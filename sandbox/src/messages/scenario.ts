import {
  amount,
  amountOrNull,
  code,
  count,
  factor,
  flag,
  flagOr,
  group,
  listOf,
  oneOf,
  share,
  status,
  tableProblem,
  text,
  texts,
  type ValueOf,
  type Values,
} from './option-table.ts'

export const delays = {
  sent_ms: amount('When `sent` is reported, counted from acceptance. Default: 50.'),
  delivered_ms: amount('When `delivered` is reported. Default: 150.'),
  read_ms: amount('When `read` is reported. Default: 300.'),
}

export const throttle = {
  per_second: amount('Messages a second of each number. Default: 80.'),
  pair_burst: amount('Messages to one customer at once. Default: 45.'),
  pair_interval_ms: amount('After those, one message to a customer in this time. Default: 6000.'),
  portfolio: amount('Customers in 24 hours outside their window. Default: the tier of the portfolio.'),
  management_per_hour: amountOrNull('Calls that manage an account in an hour; null: without limit. Default: 200.'),
}

export const callbacks = {
  flush_ms: amount('How long updates gather before a request is sent.'),
  batch_max: count('How many updates a request carries at most.'),
  timeout_ms: amount('How long a response is waited for.'),
  retry_scale: factor(
    'Multiplies every pause between retries and their horizon of 7 days: 0.001 turns a week into ten minutes.',
  ),
  concurrency: count('How many requests are under way at once.'),
  duplicate: share('The share of updates that are sent twice.'),
  reorder: share('The share of messages whose statuses are reported in reverse order.'),
  skip_delivered: flag('`read` is reported without `delivered` before it.'),
  never_read: flag('No message is read.'),
  unknown_fields: flag('Adds members that no document mentions.'),
  unknown_types: share('The share of customers’ messages that one of an unknown type accompanies.'),
  fan_out_retry: flag('A failure at one subscribed app sends the batch to all of them again.'),
  payload_version: oneOf('v23', 'v24')('`v23` brings back `conversation` and omits `pricing.type`.'),
}

export const conditions = {
  endpoint: text(
    'The last part of the path, such as `messages` or `media`; the kind of node for calls without one, such as `template`; `media_bytes` for downloads.',
  ),
  method: text('The HTTP method.'),
  phone_number_id: text('The number that is called.'),
  to: text('The recipient: a phone number in any notation, or a business-scoped user id.'),
  type: text('The type of the message, such as `template`.'),
  nth: count('Only this matching request, counted from 1.'),
  every: count('One matching request in so many.'),
  probability: share('The share of matching requests.'),
}

const error = {
  code: code('The code of the error.'),
  http_status: status('Default: the usual one of the code.'),
  subcode: amount('`error_subcode`.'),
  details: text('`error_data.details`.'),
}

export const effects = {
  error: group(error, 'code')('The request is rejected with this `code`; also `http_status`, `subcode`, `details`.'),
  error_after_accept: group(
    error,
    'code',
  )('The request is carried out, and the response says that it failed. An invalid request is rejected as usual.'),
  expired_token: flag('The token has expired.'),
  not_registered: flag('The number is not registered.'),
  delay_ms: amount('The request is carried out at once and the response is late: callbacks may overtake it.'),
  hang: flag('The request is read and gets no response; nothing is carried out.'),
  hang_after_accept: flag('The request is carried out and gets no response.'),
  reset_before_accept: flag('The connection is reset; nothing is carried out.'),
  reset_after_accept: flag('The request is carried out, then the connection is reset.'),
  html_5xx: status('A page of HTML with this status, as from a proxy in front of Meta.'),
  slow_body_ms: amount('The body of the response takes this long.'),
  fail: code('The message is accepted, then reported as failed with this code.'),
  fail_after_sent: code('The same, after `sent`.'),
  skip_delivered: flag('`read` is reported without `delivered` before it.'),
  never_delivered: flag('The message stays `sent`.'),
  never_read: flag('The message is never read.'),
  duplicate: flag('Its statuses are sent twice.'),
  reorder: flag('Its statuses are reported in reverse order.'),
  statuses_before_answer: flag('The response waits until all statuses were reported, a second at most.'),
  statuses_after_ms: amount(
    'The statuses happen in time and are reported so much later; `POST /_sandbox/clock` lets a day pass.',
  ),
  no_callbacks: flag('No status is ever reported.'),
  hold: oneOf('release', 'drop')('Held for quality assessment, then released, or dropped with the template paused.'),
  hold_ms: amount('How long it is held.'),
  delays: group(delays)('When the statuses of this message are reported.'),
}

const rule = {
  id: text('Your name for the rule, to remove it by.'),
  when: group(conditions)('Which requests it is for. Default: all.'),
  count: count('How many times it applies at most; 1 for the next request alone.'),
  do: group(effects)('What happens to them.'),
}
const oneRule = group(rule, 'do')('')

/** How the platform behaves. The same shape in a file, in `PUT /_sandbox/scenario` and in `startSandbox`. */
export const scenario = {
  seed: amount('Starts the generator behind every share: the same seed, the same failures.'),
  delays: group(delays)('When each status is reported.'),
  review_delay_ms: amount('How long the review of a template takes. Default: 2000.'),
  throttle: flagOr(group(throttle)("Meta's limits. `false` turns all of them off.")),
  allow_list: texts('Test mode for every number: any other recipient is rejected with 131030.'),
  us_marketing_paused: flag('Marketing templates to numbers of +1 end in 131049, as on the real platform.'),
  closed_window: oneOf(
    'answer',
    'status',
  )(
    'How a message outside the window fails with 131047: in the response, or by a status after it was accepted. Default: `status`.',
  ),
  refuse_same_words: flag('A second template with the body and footer of another is rejected at creation.'),
  callbacks: group(callbacks)('How callbacks are sent.'),
  rules: listOf(oneRule)('The first rule that matches a request applies.'),
}

export type Scenario = Values<typeof scenario>
export type Rule = ValueOf<typeof oneRule>
export type Effects = Values<typeof effects>
export type EffectError = NonNullable<Effects['error']>

/** Says in one sentence what is wrong, or nothing. */
export const scenarioProblem = (value: unknown): string | null => tableProblem(scenario, value, 'scenario')
export const ruleProblem = (value: unknown): string | null => oneRule.problem(value, 'rule')
