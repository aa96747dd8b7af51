import { randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { openNumber, type SandboxNumber, seedCustomers } from './accounts/sandbox-numbers.ts'
import { CallbackClient } from './callbacks/callback-client.ts'
import { Clock } from './clock.ts'
import { Control } from './control/control-api.ts'
import { createHttpServer } from './http/server.ts'
import { MediaFiles } from './media/media-files.ts'
import { Behaviour } from './messages/behaviour.ts'
import { MessageLog } from './messages/message-log.ts'
import { Outbox } from './messages/outbox.ts'
import { type Scenario, scenarioProblem } from './messages/scenario.ts'
import { Throttle } from './messages/throttle.ts'
import type { Platform } from './platform.ts'
import { StateFile } from './state-file.ts'
import { schedulePauseEnd, scheduleReview } from './templates/template-status.ts'
import { emptyWorld } from './world.ts'

export type SandboxOptions = {
  /** 0 = any free port. */
  port?: number
  host?: string
  /** Where the sandbox remembers itself; null or absent = nowhere. Media bytes go to `<stateFile>.media/`. */
  stateFile?: string | null
  scenario?: Scenario
  /** For the probabilities of the scenario. */
  seed?: number
  log?: (line: object) => void
  /** The wall clock, in milliseconds; `POST /_sandbox/clock` winds on top of it. */
  clock?: () => number
  /** The address written into media links of callbacks, when it is not `http://host:port`. */
  publicUrl?: string
  /** The number of the first start has passed Meta's reviews; otherwise it looks as new ones do. */
  approved?: boolean
  /** Callback addresses may use plain http, or a certificate that no public authority signed. */
  development?: boolean
  /** The control API answers other machines too. */
  controlFromAnywhere?: boolean
  messagesMax?: number
}

export type Sandbox = {
  url: string
  port: number
  readonly numbers: SandboxNumber[]
  /** Everything the control API can do, without HTTP. */
  control: Control
  close(): Promise<void>
}

const MESSAGES_MAX = 50_000

/** Starts a simulated platform with one connected number, or with everything its state file remembers. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const problem = scenarioProblem(options.scenario ?? {})
  if (problem !== null) throw new Error(`scenario: ${problem}`)
  const host = options.host ?? '127.0.0.1'
  let url = options.publicUrl ?? ''
  const { platform, state } = buildPlatform(options, () => url)
  const control = new Control(platform)
  if (!state.load()) openNumber(platform, { approved: options.approved ?? false })
  resume(platform)
  const server = createHttpServer(platform, control, options.controlFromAnywhere ?? false)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  const localUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : shownHost}:${port}`
  if (url === '') url = localUrl
  const close = async () => {
    platform.clock.close()
    platform.outbox.close()
    platform.callbacks.close()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    state.close()
    platform.media.close()
  }
  return {
    url: localUrl,
    port,
    control,
    close,
    get numbers() {
      return control.numbers()
    },
  }
}

function buildPlatform(options: SandboxOptions, baseUrl: () => string): { platform: Platform; state: StateFile } {
  const world = emptyWorld()
  const stateFile = options.stateFile ?? null
  const state = new StateFile(stateFile, world)
  const clock = new Clock(options.clock)
  const behaviour = new Behaviour(options.scenario ?? {}, options.seed ?? randomInt(2 ** 32))
  const callbacks = new CallbackClient(options.development ?? false)
  const log = options.log ?? (() => {})
  const platform: Platform = {
    world,
    clock,
    behaviour,
    throttle: new Throttle(),
    messages: new MessageLog(options.messagesMax ?? MESSAGES_MAX),
    outbox: new Outbox({ world, clock, behaviour, client: callbacks, log }),
    callbacks,
    media: new MediaFiles(stateFile === null ? null : `${stateFile}.media`),
    uploads: new Map(),
    codes: new Map(),
    images: new Map(),
    baseUrl,
    changed: () => state.changed(),
    log,
  }
  return { platform, state }
}

/** After a restart: reviews and pauses go on, and the first customer can be written to again. */
function resume(platform: Platform): void {
  for (const template of platform.world.templates.values()) {
    if (template.status === 'PENDING') scheduleReview(platform, template)
    if (template.status === 'PAUSED') schedulePauseEnd(platform, template)
  }
  for (const number of platform.world.numbers.values()) seedCustomers(platform, number)
}
