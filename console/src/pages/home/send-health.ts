import type { Schemas } from '../../api.ts'
import type { Tone } from '../../components/chip.tsx'

type Figures = Pick<Schemas['ConsoleHome']['figures'], 'created' | 'failed' | 'not_sent'>

// One message to a number that does not exist is no trouble of the gateway; one of ten is.
const someShare = 0.1
const mostShare = 0.5

/** What went wrong with the sends themselves, which a number that is connected and verified does not tell. */
export function sendTrouble({ created, failed, not_sent: notSent }: Figures): { tone: Tone; text: string } | null {
  const wrong = failed + notSent
  const share = wrong / Math.max(1, created + notSent)
  if (share > mostShare) return { tone: 'error', text: 'Most sends fail' }
  return share >= someShare ? { tone: 'warn', text: 'Some sends fail' } : null
}

/** Where the larger part of them is listed. */
export function troublePath({ failed, not_sent: notSent }: Figures): string {
  return `/messages?time=day&status=${failed >= notSent ? 'failed' : 'not_sent'}`
}
