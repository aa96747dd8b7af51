import type { FigureName } from './history.ts'
import { type Finding, finding, type Of, type Seen } from './seen.ts'

/** What the gateway counted against what was seen. `requestsForgottenMax` may be missing from the requests. */
export function findWrongFigures(seen: Seen, first: Of<'webhook'>[], requestsForgottenMax: number): Finding[] {
  return seen.figures.flatMap((figure) => {
    const { least: counted, most } = recount(figure.name, figure.tenant, seen, first)
    const least = figure.name === 'requests' ? counted - requestsForgottenMax : counted
    const expected = least === most ? `${least}` : `${least} to ${most}`
    return figure.value >= least && figure.value <= most
      ? []
      : [finding('wrong figure', { ...figure, id: figure.name }, `${figure.value} instead of ${expected}`)]
  })
}

function recount(name: FigureName, tenant: string, seen: Seen, first: Of<'webhook'>[]) {
  const own = (entries: readonly { tenant: string }[]) => entries.filter((entry) => entry.tenant === tenant).length
  const exactly = (count: number) => ({ least: count, most: count })
  if (name === 'sent') {
    // Of a message that the platform tells nothing about, only its answer says that it was sent; the answer may be lost.
    const accepted = new Set(seen.answers.filter(({ status }) => status === 200).map(({ id }) => id))
    const known = seen.platform.filter(({ id, silent }) => !silent || accepted.has(id))
    return { least: own(known), most: own(seen.platform) }
  }
  if (name === 'delivered') return exactly(own(first.filter(({ event }) => event.type === 'message.delivered')))
  // A request whose connection broke may have been counted. One that failed on our side is given back, if that is possible.
  const certain = own(seen.answers.filter(({ status }) => status < 500))
  return { least: certain, most: own(seen.answers) + own(seen.broken) }
}
