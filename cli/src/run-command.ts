import { parseArgs } from 'node:util'
import { ConfigError, explainStartFailure } from '@postern/server/settings.ts'
import { nearest } from '@postern/server/tools.ts'
import type { Command, Host, Output } from './command.ts'
import { allCommands, commandsOf } from './commands.ts'
import { readEnvironment } from './env.ts'
import { CommandFailure, exitCodes, toCommandFailure, wrongUsage } from './exit-codes.ts'
import { commandHelp, groupHelp, overview } from './output/help.ts'
import { progressOn } from './output/progress.ts'

/** Runs the words after `postern`, and returns the exit code. */
export async function runCommand(words: string[], host: Host): Promise<number> {
  const isJson = words.includes('--json')
  const output = outputOn(host, isJson)
  try {
    return await run(words, { output, host })
  } catch (error) {
    // Failures go to stderr: a sentence for people, with --json one object on one line.
    const { message, exitCode } = explain(error)
    output.note(isJson ? JSON.stringify({ error: { message, exit_code: exitCode } }) : message)
    return exitCode
  } finally {
    output.progress.end()
  }
}

async function run(words: string[], { output, host }: { output: Output; host: Host }): Promise<number> {
  if (words[0] === '--version' || words[0] === '-V') return run(['version', ...words.slice(1)], { output, host })
  if (words.length === 0 || isHelp(words[0])) return help(words.slice(1), host)
  const command = await findCommand(words)
  if (!command) {
    if (words.some(isHelp))
      return help(
        words.filter((word) => !isHelp(word)),
        host,
      )
    throw await unknownCommand(words)
  }
  const rest = words.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) return help([command.name], host)
  return command.run({ ...readWords(rest, command), output, host })
}

function isHelp(word = ''): boolean {
  return ['help', '--help', '-h'].includes(word)
}

/** Of everything, of one command, or of a group: `help`, `help keys create`, `help keys`. */
async function help(words: string[], { stdout }: Host): Promise<number> {
  if (words.length === 0) {
    stdout.write(overview(await allCommands()))
    return exitCodes.ok
  }
  const command = await findCommand(words.join(' ').split(' '))
  const group = (await commandsOf(words[0] ?? '')).filter(({ name }) => name.includes(' '))
  if (command) stdout.write(commandHelp(command))
  else if (group.length > 0 && words.length === 1) stdout.write(groupHelp(group))
  else throw await unknownCommand(words)
  return exitCodes.ok
}

async function findCommand(words: string[]): Promise<Command | undefined> {
  const two = words.slice(0, 2).join(' ')
  const commands = await commandsOf(words[0] ?? '')
  return commands.find(({ name }) => name === two) ?? commands.find(({ name }) => name === words[0])
}

async function unknownCommand(words: string[]): Promise<CommandFailure> {
  const commands = await allCommands()
  const typed = words.slice(0, 2).join(' ')
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name)
  if (group.length > 0 && words.length === 1) {
    return wrongUsage(`'${words[0]}' needs a second word: ${group.join(', ')}.`)
  }
  const names = group.length > 0 ? group : commands.map(({ name }) => name)
  const guess = nearest(typed, names, 3) ?? nearest(words[0] ?? '', names, 3)
  const advice = guess ? ` Did you mean 'postern ${guess}'?` : ''
  return wrongUsage(`Unknown command '${typed}'.${advice} See 'postern help'.`)
}

function readWords(args: string[], command: Command) {
  try {
    const parsed = parseArgs({ args, options: command.options, allowPositionals: true, allowNegative: true })
    return { flags: parsed.values, positionals: parsed.positionals }
  } catch (error) {
    throw wrongUsage(`${usageSentence(error as Error, command)} See 'postern ${command.name} --help'.`)
  }
}

/** A flag that does not exist is often one that does, misspelt. */
function usageSentence({ message }: Error, { options }: Command): string {
  const [, flag] = /^Unknown option '--([^']+)'/.exec(message) ?? []
  const guess = flag === undefined ? undefined : nearest(flag, [...Object.keys(options), 'help'], 3)
  return `${message.split('. ')[0]}.${guess ? ` Did you mean '--${guess}'?` : ''}`
}

function explain(error: unknown): CommandFailure {
  const failure = toCommandFailure(error)
  if (failure) return failure
  const sentence = explainStartFailure(error)
  if (sentence !== null) return new CommandFailure(sentence, error instanceof ConfigError ? exitCodes.usage : undefined)
  return new CommandFailure(error instanceof Error ? (error.stack ?? error.message) : String(error))
}

function outputOn({ env, stdout, stderr }: Host, json: boolean): Output {
  const progress = progressOn(stderr, { quiet: json || readEnvironment(env).noTerminal })
  return {
    result(value, text) {
      progress.clear()
      stdout.write(json ? `${JSON.stringify(value)}\n` : text)
    },
    note(text) {
      progress.clear()
      stderr.write(`${text}\n`)
    },
    progress,
  }
}
