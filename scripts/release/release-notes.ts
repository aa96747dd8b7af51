import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-command.ts'

/** The section of the changelog about a version, for the page of the release. */
export function releaseNotes(version: string, changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')): string {
  const sections = changelog.split(/^(?=## )/m)
  const own = sections.find((section) => section.startsWith(`## ${version} `))
  if (own === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`)
  const [, ...lines] = own.trim().split('\n')
  return `# Postern ${version}
${lines.join('\n')}

## Files

Check them with \`sha256sum --check SHA256SUMS\`. What each is for: docs/releasing.md.
`
}
