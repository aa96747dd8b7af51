import { Pool } from 'undici'
import { startFlood } from '../../test/support/cluster/flood.ts'
import { type GatewayProcess, startGateway } from '../gateway.ts'
import { type Bench, cpuSecondsOf, median, type Row, round, runLoad, type Sample } from '../harness.ts'

const crowds = [0, 1, 20]
const overCapacity = 1.7
const rounds = 3
const seconds = 5
const customers = 2_000

/** Another version to measure in the same rounds, as the folder of its sources. */
const checkouts = [...(process.env.BENCH_BEFORE ? [process.env.BENCH_BEFORE] : []), '.']

type Stretch = { quiet: Sample; asked: number; answered: number; early: number; byAccount: number; cpuSeconds: number }

/** What one tenant that sends one message after the other has of a gateway on which others ask for more than it can do. */
export const crowdBench: Bench = {
  name: 'crowd',
  summary: 'a quiet tenant beside 1 and 20 others at 1.7 times the capacity',
  async run() {
    const gateways: GatewayProcess[] = []
    const stretches = new Map<string, Stretch[]>()
    try {
      for (const checkout of checkouts)
        gateways.push(await startGateway(undefined, { checkout, customers, others: 20 }))
      for (let turn = 0; turn < rounds; turn++) {
        for (const crowd of crowds) {
          for (const [index, gateway] of gateways.entries()) {
            const key = `${checkouts[index]} ${crowd}`
            stretches.set(key, [...(stretches.get(key) ?? []), await measure(gateway, crowd)])
          }
        }
      }
    } finally {
      for (const gateway of gateways) await gateway.stop()
    }
    const rows = checkouts.flatMap((checkout) =>
      crowds.map((crowd) => toRow(checkout, crowd, stretches.get(`${checkout} ${crowd}`) ?? [])),
    )
    return [{ title: 'A quiet tenant that sends, beside others that read', rows }]
  },
}

async function measure(gateway: GatewayProcess, crowd: number): Promise<Stretch> {
  const client = new Pool(gateway.url, { connections: 2 })
  const authorization = gateway.others.slice(0, crowd).map((token) => `Bearer ${token}`)
  const flood = startFlood({ url: `${gateway.url}/v1/chat/templates?limit=5`, authorization, connections: 2_000 })
  try {
    const capacity = crowd === 0 ? 0 : (await flood.saturate(2_000, 32)).asked / 2
    const before = await refusedBy(client)
    const cpuBefore = cpuSecondsOf(gateway.pid)
    const pouring = crowd === 0 ? null : flood.pour(seconds * 1_000, overCapacity * capacity)
    let serial = 0
    const operation = async () => {
      const to = `+1555${String(serial++ % customers).padStart(7, '0')}`
      const body = JSON.stringify({ to, message: 'Your parcel is here' })
      const path = '/v1/chat/messages/send'
      const answer = await client.request({ method: 'POST', path, headers: gateway.headers, body })
      await answer.body.dump()
    }
    const quiet = await runLoad({ concurrency: 1, seconds, operation })
    const poured = await pouring
    const refused = await refusedBy(client)
    return {
      quiet,
      asked: poured?.asked ?? 0,
      answered: poured?.answers['200'] ?? 0,
      early: refused.early - before.early,
      byAccount: refused.byAccount - before.byAccount,
      cpuSeconds: cpuSecondsOf(gateway.pid) - cpuBefore,
    }
  } finally {
    await flood.close()
    await client.destroy()
  }
}

/** Before it is known whose they are, and after. */
async function refusedBy(client: Pool): Promise<{ early: number; byAccount: number }> {
  const page = await (await client.request({ method: 'GET', path: '/v1/bench/metrics' })).body.text()
  const counted = [...page.matchAll(/^postern_rate_limited_total\{(.*policy="overload".*)\} (\d+)$/gm)]
  const sum = (isEarly: boolean) =>
    counted
      .filter(([, labels = '']) => labels.includes('plan="none"') === isEarly)
      .reduce((total, [, , count]) => total + Number(count), 0)
  return { early: sum(true), byAccount: sum(false) }
}

function toRow(checkout: string, crowd: number, stretches: readonly Stretch[]): Row {
  const middle = (pick: (stretch: Stretch) => number, digits = 0) => round(median(stretches.map(pick)), digits)
  return {
    version: checkout === '.' ? 'this one' : 'before',
    'others that flood': crowd,
    'sends a second': middle(({ quiet }) => quiet.operations / quiet.seconds),
    'p50 ms': middle(({ quiet }) => quiet.p50Ms, 1),
    'p99 ms': middle(({ quiet }) => quiet.p99Ms, 1),
    'asked by others': middle(({ asked }) => asked),
    answered: middle(({ answered }) => answered),
    'refused before the account is known': middle(({ early }) => early),
    'refused by account': middle(({ byAccount }) => byAccount),
    'CPU s': middle(({ cpuSeconds }) => cpuSeconds, 1),
  }
}
