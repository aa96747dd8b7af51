import { Agent } from 'undici'
import { exchange } from './http-exchange.ts'
import { parseObject, textOf } from './lenient-json.ts'

/** What a fresh number of the sandbox comes with: everything needed to connect it. */
export type SandboxNumber = {
  phoneNumberId: string
  phoneNumber: string
  wabaId: string
  accessToken: string
  appSecret: string
  appId: string
  graphVersion: string
}

const timeoutMs = 10_000
const answerBytesMax = 65_536

/** `POST /_sandbox/numbers` of a sandbox on this machine: its control API has no token and answers on loopback only. */
export async function openSandboxNumber(sandboxUrl: string, wanted: { name: string }): Promise<SandboxNumber> {
  const dispatcher = new Agent()
  try {
    const answer = await exchange(dispatcher, {
      url: new URL('/_sandbox/numbers', sandboxUrl),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
      timeoutMs,
      bytesMax: answerBytesMax,
    })
    const body = parseObject(answer.text) ?? {}
    const field = (name: string): string => {
      const value = textOf(body[name])
      if (value === null) throw new Error(`The sandbox gave a number without ${name} (status ${answer.status}).`)
      return value
    }
    return {
      phoneNumberId: field('phone_number_id'),
      phoneNumber: field('phone_number'),
      wabaId: field('waba_id'),
      accessToken: field('access_token'),
      appSecret: field('app_secret'),
      appId: field('app_id'),
      graphVersion: field('graph_version'),
    }
  } finally {
    await dispatcher.destroy()
  }
}
