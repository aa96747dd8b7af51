import { buildDocs } from '../../../scripts/build-docs.ts'

/** Renders the documentation that a gateway serves. */
export default function globalDocs(): void {
  buildDocs()
}
