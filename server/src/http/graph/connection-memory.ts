import type { FastifyRequest } from 'fastify'
import { type Connection, connectionOfKey } from '../../connections/connection.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'

export type ConnectionOf = (request: FastifyRequest) => Promise<Connection>

const rememberedMax = 1_000

/** The connection behind a request. What changes one changes the epoch of its key, which every request names. */
export function createConnectionMemory(rt: Runtime): ConnectionOf {
  const known = new Map<string, { epoch: number; connection: Connection }>()
  return async ({ checked }) => {
    if (!checked) throw new Error('This route has no access rule.')
    const { caller, epoch } = checked
    const last = known.get(caller.keyId)
    if (last?.epoch === epoch) return last.connection
    const connection = await connectionOfKey(rt, caller.keyId)
    if (!connection) throw new AppError('invalid_token', 'The connection of this token was deleted.')
    if (known.size >= rememberedMax) known.delete(known.keys().next().value ?? '')
    known.set(caller.keyId, { epoch, connection })
    return connection
  }
}
