const browsers: readonly [name: string, mark: RegExp][] = [
  ['Edge', /Edg\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
]
const systems: readonly [name: string, mark: RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
]

/** "Firefox on Linux"; enough to recognise one's own. */
export function browserName(agent: string | null): string {
  const find = (table: typeof browsers) => table.find(([, mark]) => mark.test(agent ?? ''))?.[0]
  const browser = find(browsers)
  const system = find(systems)
  if (!browser) return agent ? agent.slice(0, 40) : 'Unknown'
  return system ? `${browser} on ${system}` : browser
}
