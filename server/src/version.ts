import { readFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)
const manifest = JSON.parse(readFileSync(file, 'utf8')) as { version: string; commit?: string }

/** One version for all rooms, kept in package.json. */
export const version = manifest.version

/** Written there by the build; a clone has Git to ask. */
export const commit = manifest.commit ?? 'unknown'
