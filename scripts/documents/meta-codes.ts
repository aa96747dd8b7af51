import { actorOf, type FailureRow, failureRows } from '../../server/src/platform/cloud/failure-table.ts'

export const metaIntroduction = `Every code of Meta that Postern knows, and what it becomes. The first column is \`upstream.code\`. "Nothing" means that Meta
rejected the call, so it was not sent; "unknown" means that it may have been. When Meta reports one of these codes later, as the failed
status of a message that it had accepted, the message was not delivered. Postern calls Meta again on its own for 4, 17, 32, 80007, 80008,
130429 and 131056 only, for 131026 and 131062 with the other address of the customer, and for 131055, 131063 and 134100 on Meta's other
endpoint for templates.`

/** One row per code of Meta, in the order of the codes. */
export function metaRows(): string[][] {
  return [...failureRows].sort(([one], [other]) => one - other).map(cells)
}

function cells([code, meaning, { code: ours, outcome }]: FailureRow): string[] {
  return [`${code}`, meaning, `\`${ours}\``, outcome === 'unknown' ? 'unknown' : 'nothing', actorOf[ours]]
}
