import { createRequire } from 'node:module'
import { resolve } from 'node:path'

/** A workspace of its own, because the generator needs the compiler API that TypeScript had up to 5.9. */
const workspace = createRequire(resolve(import.meta.dirname, '../../tools/api/package.json'))

type Generator = {
  default(document: string, options: { silent: boolean }): Promise<object[]>
  astToString(types: object[]): string
}

/** TypeScript types of an OpenAPI document. `source` is named in the first line of the result. */
export async function apiTypes(document: string, source: string, parts: { paths: boolean }): Promise<string> {
  const generator = workspace('openapi-typescript') as Generator
  const types = generator.astToString(await generator.default(document, { silent: true }))
  const wanted = parts.paths ? types : withoutPaths(types)
  return `// Generated from ${source} by scripts/generate.ts: change the schemas of the server.\n\n${wanted}`
}

/** The SDK names operations, not paths; without them its types are a fifth shorter. */
function withoutPaths(types: string): string {
  return types.replace(/^export interface paths \{[\s\S]*?^\}\n/m, '')
}
