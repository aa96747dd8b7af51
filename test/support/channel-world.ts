import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { ConnectResult } from '../../server/src/connect/connect-channel.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { createApp } from '../../server/src/http/app.ts'
import { addPlatformCallbackRoutes } from '../../server/src/http/platform-callback.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import type { EngineName } from './postgres/databases.ts'
import { aRuntime, type TestRuntime } from './runtime.ts'

export type ChannelWorld = TestRuntime & {
  sandbox: Sandbox
  baseUrl: string
  newAccount(): Promise<string>
  connect(accountId: string): Promise<Connected>
  /** Posts a body to the callback address of a channel, signed unless told otherwise. */
  post(channel: Connected, body: string | Buffer, headers?: Record<string, string>): Promise<Response>
}

export type Connected = ConnectResult & {
  channelId: string
  numberId: string
  callbackUrl: string
  phoneNumberId: string
  wabaId: string
  appSecret: string
}

/** The callback receiver on a real socket, and a sandbox that speaks to it. */
export async function aChannelWorld(engine: EngineName, env: Record<string, string> = {}): Promise<ChannelWorld> {
  const world = await aRuntime(engine, env)
  const { rt } = world
  const sandbox = await startSandbox({ port: 0, approved: true, development: true })
  const app = await createApp(rt, { readiness: { check: async () => [] }, resources: [addPlatformCallbackRoutes] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  world.setUrls({ base: baseUrl })
  return {
    ...world,
    sandbox,
    baseUrl,
    newAccount: async () => (await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })).account.id,
    async connect(accountId) {
      const result = await connectSandboxChannel(rt, accountId, { url: sandbox.url, openNumber: openSandboxNumber })
      const number = sandbox.numbers.at(-1)
      if (!result.channel || !result.numberId || !number) throw new Error(JSON.stringify(result.steps))
      return {
        ...result,
        channelId: result.channel.id,
        numberId: result.numberId,
        callbackUrl: result.channel.callback_url,
        phoneNumberId: number.phone_number_id,
        wabaId: number.waba_id,
        appSecret: number.app_secret,
      }
    },
    post: (channel, body, headers) =>
      fetch(channel.callbackUrl, {
        method: 'POST',
        headers: headers ?? {
          'content-type': 'application/json',
          'x-hub-signature-256': signature(body, channel.appSecret),
        },
        body: new Uint8Array(Buffer.from(body)),
      }),
    async dispose() {
      await app.close()
      await sandbox.close()
      await world.dispose()
    },
  }
}

export function signature(body: string | Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

type Place = Pick<Connected, 'wabaId' | 'phoneNumberId'>

/** A callback body with messages and statuses of one number. */
export function messagesBody({ wabaId, phoneNumberId }: Place, value: { messages?: object[]; statuses?: object[] }) {
  const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { id: wabaId, changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }] },
    ],
  })
}

/** A callback body with one event of the business account. */
export function eventBody({ wabaId }: Pick<Place, 'wabaId'>, field: string, value: object, time = 1_763_200_000) {
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: wabaId, time, changes: [{ field, value }] }],
  })
}

export const aText = (id: string) => ({
  from: '12025550100',
  id,
  timestamp: '1763200000',
  type: 'text',
  text: { body: 'Hello' },
})

export const aStatus = (id: string, status = 'delivered') => ({
  id,
  status,
  timestamp: '1763200000',
  recipient_id: '12025550100',
})
