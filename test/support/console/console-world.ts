import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { operator } from '../../../server/src/audit/audit.ts'
import type { Role } from '../../../server/src/contract/console/roles.ts'
import { createApp } from '../../../server/src/http/app.ts'
import { addConsoleRoutes } from '../../../server/src/http/console/console-routes.ts'
import { addDocsPages } from '../../../server/src/http/docs/docs-pages.ts'
import type { App } from '../../../server/src/http/edge/context.ts'
import { addAuthRoutes } from '../../../server/src/http/v1/auth.ts'
import { createAccount } from '../../../server/src/installation/account.ts'
import { hourMs } from '../../../server/src/lib/durations.ts'
import { inviteMember } from '../../../server/src/people/create-user.ts'
import { addSetupLink } from '../../../server/src/people/setup-link.ts'
import type { PasswordCost, Runtime } from '../../../server/src/runtime.ts'
import { Unit } from '../../../server/src/store/engine/unit.ts'
import type { EngineName } from '../postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../runtime.ts'
import { tokenOfLink } from '../setup-link.ts'

export type ConsoleWorld = TestRuntime & {
  readonly app: App
  readonly url: string
  readonly accountId: string
  readonly ownerId: string
  /** Of the addresses of its people: an address belongs to one account only. */
  readonly domain: string
  /** A fresh one-time link of the owner. */
  ownerLink(): Promise<string>
}

/** The product's takes 50 ms of processor time, and a file of tests sets and checks up to 150 passwords. */
const leastCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

/** A gateway with one account and an owner who has not signed in yet, on a real socket. Time stands still. */
export async function startConsole(
  engine: EngineName = 'sqlite',
  settings: Record<string, string> = {},
): Promise<ConsoleWorld> {
  const world = await aRuntime(engine, settings)
  const { rt } = world
  Object.assign(rt, { passwordCost: leastCost })
  const app = await createApp(rt, {
    readiness: { check: async () => [] },
    resources: [addAuthRoutes, addDocsPages, addConsoleRoutes],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  // Browsers take Secure cookies from localhost without https, not from an address.
  const url = `http://localhost:${(app.server.address() as AddressInfo).port}`
  world.setUrls({ base: url, console: url })
  const dispose = async () => {
    await app.close()
    await world.dispose()
  }
  return { ...world, app, url, dispose, ...(await addAccount(rt, 'acme.test')) }
}

/** The same gateway with an account that nobody has used: a new gateway takes 0.3 s of processor time. */
export async function withNewAccount(world: ConsoleWorld): Promise<ConsoleWorld> {
  const domain = `acme-${crypto.randomUUID().slice(0, 8)}.test`
  return { ...world, ...(await addAccount(world.rt, domain)) }
}

/**
 * One gateway on each engine for the tests of a file; every call adds an account that nobody has used. It comes an hour
 * after the one before, so that no limit counts what another test did.
 */
export function sharedConsole(): (engine?: EngineName) => Promise<ConsoleWorld> {
  const started = new Map<EngineName, ConsoleWorld>()
  afterAll(async () => {
    for (const world of started.values()) await world.dispose()
  })
  return async (engine = 'sqlite') => {
    const world = started.get(engine) ?? (await startConsole(engine))
    started.set(engine, world)
    world.clock.advance(hourMs)
    return withNewAccount(world)
  }
}

/** An account that nobody has used, and its owner, who has not signed in yet. */
export async function addAccount(rt: Runtime, domain: string) {
  const { account, owner } = await createAccount(rt, { name: 'Acme Store', plan: 'starter', actor: operator })
  const ownerLink = async () => {
    const unit = new Unit()
    const { link } = addSetupLink(rt, unit, owner.id, 'owner')
    await rt.store.write(unit)
    return link
  }
  return { accountId: account.id, ownerId: owner.id, domain, ownerLink }
}

export const password = 'correct horse battery'

/** A person with a cookie, as a browser would be, without the browser. */
export type Visitor = {
  cookie: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}
export type Reply = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever the gateway answers
  json: any
}

export function aVisitor({ url }: Pick<ConsoleWorld, 'url'>): Visitor {
  const visitor: Visitor = {
    cookie: '',
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${url}/console/api${path}`, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          ...(visitor.cookie ? { cookie: visitor.cookie } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const set = response.headers.getSetCookie().find((one) => one.startsWith('__Host-session='))
      if (set) visitor.cookie = set.split(';', 1)[0] ?? ''
      return { status: response.status, headers: response.headers, json: await response.json() }
    },
  }
  return visitor
}

type Unclaimed = Pick<ConsoleWorld, 'url' | 'domain' | 'ownerLink'>

export async function anOwner(world: Unclaimed, email = `ana@${world.domain}`): Promise<Visitor> {
  const visitor = aVisitor(world)
  const token = tokenOfLink(await world.ownerLink())
  await visitor.call('POST', '/setup', { token, name: 'Ana Sousa', email, password })
  return visitor
}

/** Invited by the owner and signed in. */
export async function aMember(world: ConsoleWorld, role: Role): Promise<Visitor> {
  const inviter = {
    userId: world.ownerId,
    name: 'Ana Sousa',
    accountId: world.accountId,
    context: { ip: null, user_agent: null, request_id: null },
  }
  const email = `${role}@${world.domain}`
  const { link } = await inviteMember(world.rt, inviter as never, { name: `The ${role}`, email, role })
  const visitor = aVisitor(world)
  await visitor.call('POST', '/setup', { token: tokenOfLink(link), name: `The ${role}`, email, password })
  return visitor
}
