import type { Command } from '../command.ts'
import { exitCodes, wrongUsage } from '../exit-codes.ts'
import { onlyWord } from '../read-flags.ts'

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** It completes all commands, so it is given them. */
export function completionCommand(allCommands: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    summary: 'Print a script that completes commands and flags in bash, zsh or fish.',
    examples: [
      'source <(postern completion bash)                # in ~/.bashrc',
      'source <(postern completion zsh)                 # in ~/.zshrc, after compinit',
      'postern completion fish > ~/.config/fish/completions/postern.fish',
    ],
    options: {},
    async run({ positionals, output }) {
      const shell = onlyWord(positionals, `the shell: ${Object.keys(shells).join(', ')}`)
      if (!Object.hasOwn(shells, shell)) throw wrongUsage(`There is a script for ${Object.keys(shells).join(', ')}.`)
      const script = shells[shell as keyof typeof shells](await allCommands())
      output.result({ shell, script }, script)
      return exitCodes.ok
    },
  }
}

function flagsOf({ options }: Command): string {
  return [...Object.keys(options), 'help'].map((flag) => `--${flag}`).join(' ')
}

/** First words, then second words where there are some, then flags. */
function bashScript(commands: readonly Command[]): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0]))]
  const seconds = firsts.map((first) => {
    const inGroup = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(' ')[1]] : []))
    return bashCase(`${first}`, inGroup.join(' '))
  })
  const flags = commands.map((command) => bashCase(command.name, flagsOf(command)))
  return `# postern completion bash
_postern() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" words=''
  case "$current" in
  -*)
    case "$first \${COMP_WORDS[2]}" in
${flags.filter((_, index) => commands[index]?.name.includes(' ')).join('\n')}
    *)
      case "$first" in
${flags.filter((_, index) => !commands[index]?.name.includes(' ')).join('\n')}
      esac ;;
    esac ;;
  *)
    if [ "$COMP_CWORD" -eq 1 ]; then
      words='${firsts.join(' ')} help'
    elif [ "$COMP_CWORD" -eq 2 ]; then
      case "$first" in
${seconds.join('\n')}
      esac
    fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _postern postern
`
}

function bashCase(pattern: string, words: string): string {
  return `      '${pattern}') words='${words}' ;;`
}

function zshScript(commands: readonly Command[]): string {
  return `# postern completion zsh\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => {
    const [first = '', second] = name.split(' ')
    const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    const here = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    return [
      `complete -c postern -n __fish_use_subcommand -f -a ${first}`,
      ...(second
        ? [`complete -c postern -n '__fish_seen_subcommand_from ${first}' -f -a ${second} -d ${quoted(summary)}`]
        : []),
      ...Object.entries(options).map(
        ([flag, { type, help }]) =>
          `complete -c postern -n '${here}' -l ${flag}${type === 'string' ? ' -r' : ''} -d ${quoted(help)}`,
      ),
    ]
  })
  return `# postern completion fish\n${[...new Set(lines)].join('\n')}\n`
}
