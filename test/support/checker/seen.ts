import type { Entry } from './history.ts'

export type FaultKind =
  | 'lost'
  | 'doubled'
  | 'denied'
  | 'out of order'
  | 'wrong tenant'
  | 'wrong figure'
  | 'stuck'
  | 'unexpected answer'

export type Finding = { kind: FaultKind; tenant: string; id: string; detail: string }

export type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

/** A history, by the kind of its entries. */
export type Seen = {
  requests: Of<'request'>[]
  answers: Of<'answer'>[]
  broken: Of<'broken'>[]
  refused: Of<'refused'>[]
  platform: Of<'platform'>[]
  webhook: Of<'webhook'>[]
  listed: Of<'listed'>[]
  figures: Of<'figure'>[]
}

export function finding(kind: FaultKind, { tenant, id }: { tenant: string; id: string }, detail: string): Finding {
  return { kind, tenant, id, detail }
}
