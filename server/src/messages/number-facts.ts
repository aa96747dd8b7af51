import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'

export type NumberFacts = { id: string; phoneNumber: string; connectedAt: number; kind: 'sandbox' | 'cloud' }

/** The numbers of an account by id; a handful at most. */
export async function readNumbers(rt: Runtime, accountId: string): Promise<Map<string, NumberFacts>> {
  const rows = await rt.store.read(readNumberFacts, { account_id: accountId })
  const facts = rows.map(
    ({ id, phone_number, connected_at, kind }): NumberFacts => ({
      id,
      phoneNumber: phone_number,
      connectedAt: connected_at,
      kind: kind as NumberFacts['kind'],
    }),
  )
  return new Map(facts.map((number) => [number.id, number]))
}

export async function findNumber(rt: Runtime, accountId: string, id: string): Promise<NumberFacts | null> {
  return (await readNumbers(rt, accountId)).get(id) ?? null
}
