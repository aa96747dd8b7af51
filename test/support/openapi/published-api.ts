import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'

/**
 * The document of `/v1` or of the console as it is published. Making one from the routes takes an application and 2 s of
 * processor time; that they are equal is seen once, in test/house/documents.test.ts.
 */
export function publishedApi(name: 'openapi' | 'console' = 'openapi'): OpenApiDocument {
  return JSON.parse(
    readFileSync(resolve(import.meta.dirname, `../../../docs/api/${name}.json`), 'utf8'),
  ) as OpenApiDocument
}
