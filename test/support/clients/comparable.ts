/** An answer without the ids, links and moments that differ from call to call; ids that contain `number` stay. */
export function comparable(value: unknown, number: string): unknown {
  const text = JSON.stringify(value ?? null, (name, entry: unknown) => {
    if (name === 'fbtrace_id' || name === 'url' || name === 'last_onboarded_time') return `[${name}]`
    if (name === 'id' && typeof entry === 'string' && !entry.includes(number)) return '[id]'
    // Those of the gateway are nobody else's.
    if (name === 'webhook_configuration') return undefined
    // In either writing; Meta's pages show both.
    if (name === 'sha256' && typeof entry === 'string')
      return Buffer.from(entry, entry.length === 64 ? 'hex' : 'base64')
    return entry
  })
  return JSON.parse(
    text.replaceAll(/wamid\.[\w=+/]+/g, '[wamid]').replaceAll(/https?:\/\/127\.0\.0\.1:\d+(?:\/graph)?/g, '[base]'),
  )
}
