import type { Command } from '../command.ts'

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Postern, a self-hosted gateway for WhatsApp.

Start it:
  npm start                                   in the clone: API and console on http://localhost:8080
  npx --no-install postern serve --port 9000  in the clone, on another port
  postern serve                               where the package is installed

Commands:
${rows.join('\n')}

'postern <command> --help' shows examples and flags.
`
}

/** The commands that share their first word. */
export function groupHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Commands:\n${rows.join('\n')}\n\n'postern <command> --help' shows examples and flags.\n`
}

export function commandHelp({ name, summary, examples, options }: Command): string {
  const flags = Object.entries(options).map(([flag, { type, help }]) => ({
    left: `--${flag}${type === 'string' ? ' <value>' : ''}`,
    right: help,
  }))
  const width = Math.max(0, ...flags.map(({ left }) => left.length))
  const rows = flags.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
  return `${summary}

Examples:
${examples.map((example) => `  ${example}`).join('\n')}
${rows.length > 0 ? `\nFlags of 'postern ${name}':\n${rows.join('\n')}\n` : ''}`
}
