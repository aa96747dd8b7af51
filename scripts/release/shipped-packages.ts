import { consolePackages, type LockedPackage, productionPackages } from './locked-packages.ts'

/** The parts of the gateway; what they need at run time is bundled with it. */
export const gatewayRooms = ['server', 'sandbox', 'sdk', 'cli']

/** Everything by others that is in a release: bundled with the gateway, or built into the console's pages. */
export function shippedPackages(): LockedPackage[] {
  const all = [...productionPackages(gatewayRooms), ...consolePackages()]
  return [...new Map(all.map((one) => [one.path, one])).values()]
}
