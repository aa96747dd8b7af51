import { type CallContract, callContracts, checkExchange } from '@postern/sandbox/contract/contract.ts'
import type { Difference } from '@postern/sandbox/contract/shape.ts'
import { CloudCaller, type CloudRequest, type NumberCredentials, PlatformError } from '@postern/server/channels.ts'
import { version } from '@postern/server/settings.ts'

/** What the real platform answered to one call, compared with its recorded shape: names and kinds, never a value. */
export type Probe = {
  call: string
  outcome: 'as_recorded' | 'differs' | 'refused' | 'skipped'
  /** Meta's error code, where it refused. */
  code: number | null
  differences: Difference[]
}

/** Asks for everything that can be read; with a recipient it also sends one template, `hello_world`. */
export async function probeContract(number: NumberCredentials, sendTo: string | null): Promise<Probe[]> {
  const caller = new CloudCaller({ userAgent: `Postern/${version.split('.', 2).join('.')}` })
  try {
    const probes: Probe[] = []
    for (const contract of callContracts) {
      if (contract.probe === undefined) continue
      const request = readingOf(contract, contract.probe, number)
      probes.push(request === null ? skipped(contract.call) : await probe(caller, number, contract.call, request))
    }
    if (sendTo !== null) probes.push(await probe(caller, number, SEND, helloTo(number, sendTo)))
    return probes
  } finally {
    await caller.close()
  }
}

const SEND = 'POST /{phone_number}/messages'

/** Null where the call needs the app, and the app's id is not known. */
function readingOf({ call }: CallContract, query: string, number: NumberCredentials): CloudRequest | null {
  const ids: Record<string, string | undefined> = {
    phone_number: number.phoneNumberId,
    waba: number.wabaId,
    app: number.appId,
  }
  const [kind] = /(?<=\{)\w+(?=\})/.exec(call) ?? []
  const id = kind === undefined ? '' : ids[kind]
  const asApp = kind === 'app' || call.endsWith('/debug_token')
  const { appId, appSecret } = number
  if (id === undefined || (asApp && (appId === undefined || appSecret === undefined))) return null
  return {
    method: 'GET',
    path: call.replace('GET ', '').replace(/\{\w+\}/, encodeURIComponent(id)),
    query: Object.fromEntries(new URLSearchParams(query.replace('{access_token}', number.accessToken))),
    context: { purpose: 'read' },
    ...(asApp && appId !== undefined && appSecret !== undefined ? { asApp: { appId, appSecret } } : {}),
  }
}

function helloTo(number: NumberCredentials, to: string): CloudRequest {
  const template = { name: 'hello_world', language: { code: 'en_US' } }
  return {
    method: 'POST',
    path: `/${encodeURIComponent(number.phoneNumberId)}/messages`,
    json: { messaging_product: 'whatsapp', to, type: 'template', template },
    context: { purpose: 'send', secrets: [to] },
  }
}

async function probe(
  caller: CloudCaller,
  number: NumberCredentials,
  call: string,
  request: CloudRequest,
): Promise<Probe> {
  try {
    const answer = await caller.call(number, request)
    const asked = { ...request.query, ...request.json }
    const found = checkExchange({ call, status: 200, request: asked, answer }) ?? []
    const differences = found.map(({ file: _, ...difference }) => difference)
    return { call, outcome: differences.length === 0 ? 'as_recorded' : 'differs', code: null, differences }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { call, outcome: 'refused', code: error.upstream.code ?? null, differences: [] }
  }
}

function skipped(call: string): Probe {
  return { call, outcome: 'skipped', code: null, differences: [] }
}

export function probeLines(probes: readonly Probe[]): string {
  return probes
    .map(({ call, outcome, code, differences }) => {
      const head = `${words[outcome].padEnd(13)}${call}${code === null ? '' : ` (#${code})`}\n`
      return (
        head +
        differences
          .map(({ at, expected, found }) => `${' '.repeat(13)}${at} is ${found}, recorded is ${expected}\n`)
          .join('')
      )
    })
    .join('')
}

const words = { as_recorded: 'as recorded', differs: 'differs', refused: 'refused', skipped: 'skipped' }
