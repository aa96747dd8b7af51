import type { Static } from 'typebox'
import type { SendLocation } from '../../contract/messages/send-content.ts'
import type { Runtime } from '../../runtime.ts'
import { type Draft, draftInWindow, type Sender } from './draft.ts'

export type LocationRequest = Static<typeof SendLocation>

/** A place on the map, within the 24-hour window. */
export function draftLocation(rt: Runtime, sender: Sender, request: LocationRequest): Promise<Draft> {
  const { latitude, longitude, name, address } = request
  return draftInWindow(rt, sender, request, {
    type: 'location',
    outbound: { type: 'location', latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) },
    content: { location: { latitude, longitude, name: name ?? null, address: address ?? null } },
  })
}
