import { parseArgs } from 'node:util'
import { ConfigError } from '@postern/server/config/config.ts'
import { nearest } from '@postern/server/lib/text/edit-distance.ts'
import { explainStartFailure } from '@postern/server/start-failure.ts'
import type { Command, Output } from './command.ts'
import { allCommands, commandsOf } from './commands.ts'
import { environment } from './env.ts'
import { exitCodes, toCommandFailure } from './exit-codes.ts'
import { commandHelp, groupHelp, overview } from './output/help.ts'
import { progressOn } from './output/progress.ts'

// Whatever this program writes is for its owner alone: texts of customers, keys, backups.
process.umask(0o077)

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  if (words[0] === '--version' || words[0] === '-V') return main(['version', ...words.slice(1)])
  if (words.length === 0 || isHelp(words[0])) return help(words.slice(1))
  const command = await findCommand(words)
  if (!command) return words.some(isHelp) ? help(words.filter((word) => !isHelp(word))) : unknownCommand(words)
  const rest = words.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) return help([command.name])
  const output = outputOf(rest.includes('--json'))
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options,
      allowPositionals: true,
      allowNegative: true,
    })
    return await command.run({ flags: values, positionals, output })
  } catch (error) {
    output.progress.end()
    return explain(error, command)
  } finally {
    output.progress.end()
  }
}

function isHelp(word = ''): boolean {
  return ['help', '--help', '-h'].includes(word)
}

/** Of everything, of one command, or of a group: `help`, `help keys create`, `help keys`. */
async function help(words: string[]): Promise<number> {
  if (words.length === 0) {
    process.stdout.write(overview(await allCommands()))
    return exitCodes.ok
  }
  const command = await findCommand(words.join(' ').split(' '))
  const group = (await commandsOf(words[0] ?? '')).filter(({ name }) => name.includes(' '))
  if (command) process.stdout.write(commandHelp(command))
  else if (group.length > 0 && words.length === 1) process.stdout.write(groupHelp(group))
  else return unknownCommand(words)
  return exitCodes.ok
}

async function findCommand(words: string[]): Promise<Command | undefined> {
  const two = words.slice(0, 2).join(' ')
  const commands = await commandsOf(words[0] ?? '')
  return commands.find(({ name }) => name === two) ?? commands.find(({ name }) => name === words[0])
}

async function unknownCommand(words: string[]): Promise<number> {
  const commands = await allCommands()
  const typed = words.slice(0, 2).join(' ')
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name)
  if (group.length > 0 && words.length === 1) return fail(`'${words[0]}' needs a second word: ${group.join(', ')}.`)
  const names = group.length > 0 ? group : commands.map(({ name }) => name)
  const guess = nearest(typed, names, 3) ?? nearest(words[0] ?? '', names, 3)
  return fail(`There is no command '${typed}'.${guess ? ` Did you mean 'postern ${guess}'?` : ''} See 'postern help'.`)
}

function explain(error: unknown, command: Command): number {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) {
    return fail(`${usageSentence(error as Error, command)} See 'postern ${command.name} --help'.`)
  }
  const failure = toCommandFailure(error)
  if (failure) {
    return fail(failure.message, failure.exitCode)
  }
  const sentence = explainStartFailure(error)
  if (sentence === null) {
    return fail(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCodes.failure)
  }
  return fail(sentence, error instanceof ConfigError ? exitCodes.usage : exitCodes.failure)
}

/** A flag that does not exist is often one that does, misspelt. */
function usageSentence({ message }: Error, { options }: Command): string {
  const [, flag] = /^Unknown option '--([^']+)'/.exec(message) ?? []
  const guess = flag === undefined ? undefined : nearest(flag, [...Object.keys(options), 'help'], 3)
  return `${message.split('. ')[0]}.${guess ? ` Did you mean '--${guess}'?` : ''}`
}

/** Failures go to stderr: a sentence for people, with --json one object on one line. */
function fail(message: string, exitCode: number = exitCodes.usage): number {
  const isJson = process.argv.includes('--json')
  note(isJson ? JSON.stringify({ error: { message, exit_code: exitCode } }) : message)
  return exitCode
}

function outputOf(json: boolean): Output {
  const progress = progressOn(process.stderr, { quiet: json || environment.noTerminal })
  return {
    result(value, text) {
      progress.clear()
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : text)
    },
    note(text) {
      progress.clear()
      note(text)
    },
    progress,
  }
}

function note(text: string): void {
  process.stderr.write(`${text}\n`)
}
