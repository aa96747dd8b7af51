import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type RunningProcess, startPostern } from './child-process.ts'
import { dataFolder } from './folders.ts'
import { type Ended, runPostern } from './run-postern.ts'

export type Ready = { base_url: string; console_url: string; sandbox_url: string | null; admin_url: string }
export type FirstRunLine = { api_key?: string; api_secret?: string; console_link: string; account_id: string }
export type Gateway = Ready & {
  process: RunningProcess
  /** The line of a first start; null on a data folder that was in use. */
  firstRun: FirstRunLine | null
}
export type Outcome = Ended & { json: Record<string, unknown> }

const anyPorts = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']

/** The program as users run it, on folders of its own; `dispose` ends and removes everything. */
export async function aPlayground(parent = dataFolder()) {
  const folder = await mkdtemp(join(parent, 'postern-play-'))
  const running: RunningProcess[] = []
  const dataDir = join(folder, 'data')

  return {
    folder,
    dataDir,
    async serve(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Gateway> {
      const process = startPostern(['serve', ...anyPorts, '--data', dataDir, '--json', ...args], { env })
      running.push(process)
      const ready = JSON.parse(await process.line((line) => line.includes('"event":"ready"'), 60_000)) as Ready
      const first = process.output.stdout.split('\n').find((line) => line.includes('"event":"first_run"'))
      return { ...ready, process, firstRun: first === undefined ? null : (JSON.parse(first) as FirstRunLine) }
    },
    /** Runs one command to its end, as a process. */
    async run(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
      const process = startPostern([...args, '--data', dataDir], { env })
      running.push(process)
      const code = await process.ended
      return outcomeOf({ code, ...process.output })
    },
    /** The same in the process of the test, once the command has been started as one. */
    async runHere(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
      return outcomeOf(await runPostern([...args, '--data', dataDir], { env }))
    },
    async dispose() {
      await Promise.all(running.map((process) => process.destroy()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Playground = Awaited<ReturnType<typeof aPlayground>>

function outcomeOf({ code, stdout, stderr }: Ended): Outcome {
  const json = stdout.startsWith('{') ? (JSON.parse(stdout) as Record<string, unknown>) : {}
  return { code, stdout, stderr, json }
}

/** As an operator does: every gateway that is asked finishes with 0. */
export async function stop({ process }: Gateway): Promise<void> {
  process.signal('SIGTERM')
  const code = await process.ended
  if (code !== 0) throw new Error(`ended with ${code}\n${process.output.stderr}`)
}

/** Whether something listens there. */
export function accepts(baseUrl: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })
}

export async function tokenOf(
  baseUrl: string,
  credentials: { api_key?: unknown; api_secret?: unknown },
): Promise<string> {
  const { api_key, api_secret } = credentials
  const response = await fetch(`${baseUrl}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key, api_secret }),
  })
  const body = (await response.json()) as { data: { access_token: string } | null }
  if (!body.data) throw new Error(`No token: ${response.status} ${JSON.stringify(body)}`)
  return body.data.access_token
}

/** `200 ok` or `401 token_revoked`. */
export async function answerOf(url: string, token: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const body = (await response.json()) as { error?: { code: string } }
  return `${response.status} ${body.error?.code ?? 'ok'}`
}

/** The same for one of many at once, who asks again while the gateway has too much to do: that counts as no request. */
export async function answerOfBurst(url: string, token: string): Promise<string> {
  for (;;) {
    const answer = await answerOf(url, token)
    if (answer !== '500 service_unavailable') return answer
  }
}
