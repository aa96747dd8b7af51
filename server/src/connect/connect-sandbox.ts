import { type Actor, gateway } from '../audit/audit.ts'
import type { SandboxNumber } from '../platform/sandbox-control.ts'
import type { Runtime } from '../runtime.ts'
import { type ConnectResult, connectChannel } from './connect-channel.ts'

/** Asks the sandbox at an address for a fresh number; platform/sandbox-control.ts does it over HTTP. */
export type OpenSandboxNumber = (sandboxUrl: string, wanted: { name: string }) => Promise<SandboxNumber>

/** A fresh sandbox number, connected by the same steps as a real one: only the address of the platform differs. */
export async function connectSandboxChannel(
  rt: Runtime,
  accountId: string,
  sandbox: { url: string; openNumber: OpenSandboxNumber },
  actor: Actor = gateway,
): Promise<ConnectResult> {
  const number = await sandbox.openNumber(sandbox.url, { name: 'Sandbox Business' })
  return connectChannel(rt, {
    accountId,
    kind: 'sandbox',
    wabaId: number.wabaId,
    phoneNumberId: number.phoneNumberId,
    accessToken: number.accessToken,
    appSecret: number.appSecret,
    appId: number.appId,
    baseUrl: sandbox.url,
    graphVersion: number.graphVersion,
    actor,
  })
}
