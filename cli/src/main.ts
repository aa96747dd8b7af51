import { parseArgs } from 'node:util'
import { ConfigError } from '@postern/server/config/config.ts'
import { nearest } from '@postern/server/lib/edit-distance.ts'
import { explainStartFailure } from '@postern/server/start-failure.ts'
import type { Command, Output } from './command.ts'
import { allCommands, commandsOf } from './commands.ts'
import { exitCodes, toCommandFailure } from './exit-codes.ts'
import { commandHelp, overview } from './help.ts'

// Whatever this program writes is for its owner alone: texts of customers, keys, backups.
process.umask(0o077)

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  if (words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')) {
    process.stdout.write(overview(await allCommands()))
    return exitCodes.ok
  }
  const command = await findCommand(words)
  if (!command) return unknownCommand(words)
  const rest = words.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(commandHelp(command))
    return exitCodes.ok
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options,
      allowPositionals: true,
      allowNegative: true,
    })
    return await command.run({ flags: values, positionals, output: outputOf(values.json === true) })
  } catch (error) {
    return explain(error, command)
  }
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
  if (group.length > 0) note(`'${words[0]}' needs a second word: ${group.join(', ')}.`)
  else {
    const names = commands.map(({ name }) => name)
    const guess = nearest(typed, names, 3) ?? nearest(words[0] ?? '', names, 3)
    note(`There is no command '${typed}'.${guess ? ` Did you mean 'postern ${guess}'?` : ''} See 'postern help'.`)
  }
  return exitCodes.usage
}

function explain(error: unknown, command: Command): number {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) {
    note(`${(error as Error).message.split('. ')[0]}. See 'postern ${command.name} --help'.`)
    return exitCodes.usage
  }
  const failure = toCommandFailure(error)
  if (failure) {
    note(failure.message)
    return failure.exitCode
  }
  const sentence = explainStartFailure(error)
  if (sentence === null) {
    note(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return exitCodes.failure
  }
  note(sentence)
  return error instanceof ConfigError ? exitCodes.usage : exitCodes.failure
}

function outputOf(json: boolean): Output {
  return {
    result(value, text) {
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : text)
    },
    note,
  }
}

function note(text: string): void {
  process.stderr.write(`${text}\n`)
}
