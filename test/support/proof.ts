import { appendFileSync } from 'node:fs'

/** Counts of a proof: small in `npm test`, raised by PROOF_SCALE in `npm run proof`. Never none: nothing would be shown. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * Number(process.env.PROOF_SCALE ?? 1)))
}

/** A figure for docs/proof.md; without effect outside `npm run proof`. */
export function recordFigure(proof: string, figure: string, value: number | string): void {
  const file = process.env.PROOF_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ proof, figure, value })}\n`)
}
