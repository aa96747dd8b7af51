import { startGateway } from '../gateway.ts'
import { type Bench, type Contestant, compareAt, type Row } from '../harness.ts'
import { sendTo } from '../passthrough.ts'

const callers = 16
const rounds = Number(process.env.BENCH_ROUNDS ?? 7)

/** What a tool that speaks Meta's dialect costs, beside a program that sends the same text under /v1. */
export const toolSendsBench: Bench = {
  name: 'tool-sends',
  summary: 'text sends of a tool below /graph, beside those under /v1, on SQLite',
  async run() {
    const contestants = [underV1('under /v1', false), underV1('under /v1, with a key', true), ofTool]
    const rows = await compareAt([callers], { contestants, rounds, seconds: 2, warmUpSeconds: 10 })
    return [{ title: `Sends, callers: ${callers}`, rows: withCpuRatio(rows.get(callers) ?? []) }]
  },
}

function underV1(name: string, withKeys: boolean): Contestant {
  return {
    name,
    async start() {
      const gateway = await startGateway()
      return sendTo({ ...gateway, path: '/v1/chat/messages/send', withKeys })
    },
  }
}

const ofTool: Contestant = {
  name: 'of a tool, below /graph',
  async start() {
    const gateway = await startGateway()
    return sendTo({
      ...gateway,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.toolToken}` },
      path: `/graph/v26.0/${gateway.place.phoneNumberId}/messages`,
      // Equal words within a minute would be a repeat.
      bodyOf: (to, serial) => ({
        messaging_product: 'whatsapp',
        to,
        type: 'text',
        text: { body: `Your order A-${serial} has been shipped.` },
      }),
    })
  },
}

function withCpuRatio(rows: readonly Row[]): Row[] {
  const cpu = (row: Row | undefined) => Number(row?.['CPU us, median'])
  return rows.map(({ contestant = '', ...row }) => ({
    contestant,
    'CPU ratio': Number((cpu({ contestant, ...row }) / cpu(rows[0])).toFixed(2)),
    ...row,
  }))
}
