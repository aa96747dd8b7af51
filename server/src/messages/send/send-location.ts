import type { Runtime } from '../../runtime.ts'
import type { Draft, SendCommon, Sender } from './draft.ts'
import { draftInWindow } from './draft-in-window.ts'

export type LocationRequest = SendCommon & {
  latitude: number
  longitude: number
  name?: string | null
  address?: string | null
}

/** A place on the map, within the 24-hour window. */
export function draftLocation(rt: Runtime, sender: Sender, request: LocationRequest): Promise<Draft> {
  const { latitude, longitude, name, address } = request
  return draftInWindow(rt, sender, request, {
    type: 'location',
    outbound: { type: 'location', latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) },
    content: { location: { latitude, longitude, name: name ?? null, address: address ?? null } },
  })
}
