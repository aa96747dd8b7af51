/** Tools that know nothing of the product. */
export { timedOut, withTimeout } from '../lib/async/with-timeout.ts'
export { steadyClock } from '../lib/clock.ts'
export { isThisMachine } from '../lib/guarded-http/address-guard.ts'
export { formatInstant, parseInstant } from '../lib/instant.ts'
export { isRecord } from '../lib/is-record.ts'
export { nearest } from '../lib/text/edit-distance.ts'
