import { subscribe } from 'node:diagnostics_channel'
import {
  checkCallback,
  checkExchange,
  describeViolation,
  type Exchange,
} from '../../../sandbox/src/contract/contract.ts'
import { violationMark } from './violations.ts'

/** For a process that a test started: the test reads these lines of stderr, and fails. */
export function reportExchange(message: unknown, channel: string): void {
  holdExchange(message, channel, (sentence) => process.stderr.write(`${violationMark}${sentence}\n`))
}

/** Holds every exchange of every sandbox of this process against the recorded contract. */
export function holdExchanges(tell: (sentence: string) => void): void {
  for (const name of ['postern.sandbox.call', 'postern.sandbox.callback']) {
    subscribe(name, (message) => holdExchange(message, name, tell))
  }
}

/**
 * Tells each violation as a sentence. Of refused requests the error alone is held: the refusal has told the client
 * already.
 */
function holdExchange(message: unknown, channel: string, tell: (sentence: string) => void): void {
  if (channel === 'postern.sandbox.callback') {
    const { body } = message as { body: Buffer }
    for (const violation of checkCallback(JSON.parse(body.toString()))) tell(describeViolation(violation))
    return
  }
  const exchange = message as Exchange
  const found = checkExchange(exchange)
  if (found === null) tell(`sandbox/contract has no file for the call ${exchange.call}.`)
  else for (const violation of found) tell(describeViolation(violation))
}
