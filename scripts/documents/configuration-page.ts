import { readFile, writeFile } from 'node:fs/promises'
import { groupTitles, type Setting, settings } from '../../server/src/config/config-schema.ts'

const target = new URL('../../docs/configuration.md', import.meta.url)

/** docs/configuration.md, from the table of settings. */
export function configurationPage(): string {
  const rows: Setting<unknown>[] = Object.values(settings)
  const groups = Object.entries(groupTitles).map(([group, title]) => {
    const lines = rows.filter((row) => row.group === group).map(settingLine)
    return `## ${title}\n\n| Setting | Default | Meaning |\n|---|---|---|\n${lines.join('\n')}\n`
  })
  return [introduction, ...groups].join('\n')
}

function settingLine(row: Setting<unknown>): string {
  const flag = row.flag === undefined ? '' : ` or \`--${row.flag}\``
  const file = row.secret ? ` or \`${row.name}_FILE\`` : ''
  const values = row.kind.type === 'enum' ? ` ${choices(row.kind.must)}` : ''
  return `| \`${row.name}\`${flag}${file} | ${defaultCell(row)} | ${escapeCell(row.description + values)} |`
}

function defaultCell(row: Setting<unknown>): string {
  if (row.default === null) return escapeCell(row.unset)
  if (typeof row.default !== 'string')
    return `\`${row.default.development}\`; in production \`${row.default.production}\``
  return row.default === '' ? 'empty' : `\`${row.default.replaceAll(',', ', ')}\``
}

/** "must be one of a, b" as the end of a description. */
function choices(must: string): string {
  return `${must.replace('must be one of', 'One of')}.`
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

const introduction = `# Configuration

<!-- Generated from server/src/config/config-schema.ts by scripts/documents/configuration-page.ts: change the table there. -->

The first start needs no setting at all. Everything can be set in three places; the first one that has a value wins:

1. a flag on the command line, where the table shows one (\`--port 9000\`);
2. an environment variable (\`POSTERN_LISTEN=127.0.0.1:9000\`);
3. a JSON file given by \`--config\`, with the names in lower case and without the prefix:

\`\`\`json
{ "listen": "127.0.0.1:9000", "token_ttl": "30m", "cors_origins": ["https://app.example.com"] }
\`\`\`

Secrets have no flag, because other users of a machine can read command lines. Each can be read from a file instead: set
the variable that ends in \`_FILE\` to its path, as Docker and Kubernetes secrets need it.

Durations are seconds, or a number with a unit: \`500ms\`, \`90s\`, \`15m\`, \`24h\`, \`7d\`. Settings that end in \`_MS\` are
milliseconds without a unit. Lists are separated by commas. An empty variable counts as not set.

A \`POSTERN_\` variable that is almost a setting stops the start with the name that was probably meant; one that resembles
nothing is a warning. All problems are reported at once. \`postern config print\` shows every effective value and where it
came from, with secrets only as *set* or *not set*; \`postern config check\` exits with an error when something is wrong.
`

if (import.meta.main) {
  const page = configurationPage()
  if (!process.argv.includes('--check')) {
    await writeFile(target, page)
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== page) {
    console.error('docs/configuration.md differs from the settings: run npm run generate.')
    process.exitCode = 1
  }
}
