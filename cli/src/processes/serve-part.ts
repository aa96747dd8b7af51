import { type Check, type Log, type Service, startGateway } from '@postern/server/gateway.ts'
import type { Config } from '@postern/server/settings.ts'
import { untilAskedToStop } from '../signals.ts'
import { connectProcess, type SupervisorCalls } from './process-calls.ts'

/** The supervisor answers at once; it has not ended, because that would have ended this process too. */
const supervisorMs = 10_000
const noAnswer: Check = {
  name: 'processes',
  status: 'failing',
  duration_ms: 0,
  detail: 'The parent process did not respond.',
}

/** One of the processes that a supervisor runs. It writes nothing but logs: what is announced, the supervisor announces. */
export async function servePart(config: Config, log: Log): Promise<void> {
  let service: Service | null = null
  let tellToStop = () => {}
  const told = new Promise<void>((resolve) => {
    tellToStop = resolve
  })
  const ask = connectProcess<SupervisorCalls>(process, {
    check: async () => service?.check() ?? [],
    metrics: async () => service?.rt.metrics.render() ?? '',
    stop: () => tellToStop(),
  })
  // A terminal or a service manager signals the whole group: then nobody has to be told.
  const asked = Promise.race([told, untilAskedToStop((reason) => log.debug({ reason }, 'stopping'))])
  try {
    const joined = await ask('join', supervisorMs)
    if (!joined) throw new Error('The parent process did not respond.')
    const { number, sandbox } = joined
    const health = async () => (await ask('health', supervisorMs)) ?? [noAnswer]
    service = await startGateway(config, log.child({ process: number }), { sandbox, part: { number, health } })
    const { urls, firstRun } = service
    await ask('started', supervisorMs, { base_url: urls.base, console_url: urls.console, firstRun })
    await asked
    await service.stop()
  } finally {
    // Otherwise the channel would keep this process.
    process.channel?.unref()
  }
}
