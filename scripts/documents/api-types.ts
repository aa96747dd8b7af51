import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** A workspace of its own, because the generator needs the compiler API that TypeScript had up to 5.9. */
const workspace = createRequire(resolve(import.meta.dirname, '../../tools/api/package.json'))

/** TypeScript types of an OpenAPI document. `source` is named in the first line of the result. */
export function apiTypes(document: string, source: string, parts: { paths: boolean }): string {
  const program = join(dirname(workspace.resolve('openapi-typescript/package.json')), 'bin', 'cli.js')
  const types = execFileSync(process.execPath, [program], { input: document, encoding: 'utf8', stdio: 'pipe' })
  const wanted = parts.paths ? types : withoutPaths(types)
  return `// Generated from ${source} by scripts/generate.ts: change the schemas of the server.\n${withoutBanner(wanted)}`
}

/** The generator's own opening comment would be a second, shorter one. */
function withoutBanner(types: string): string {
  return types.replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
}

/** The SDK names operations, not paths; without them its types are a fifth shorter. */
function withoutPaths(types: string): string {
  return types.replace(/^export interface paths \{[\s\S]*?^\}\n/m, '')
}
