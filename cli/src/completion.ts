// Completion scripts, made from the command tree. They are static: a shell does not start Node.js for each Tab.
import type { Command, Option } from 'commander'

interface Node {
  /** Words before this command, without the program: "metrics export". */
  readonly path: string
  readonly commands: readonly Command[]
  readonly options: readonly Option[]
  /** Values of the first argument, where it has a fixed set. */
  readonly values: readonly string[]
}

export function renderCompletion(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const nodes = listNodes(program, '', program.options)
  if (shell === 'bash') return renderBash(nodes)
  return shell === 'zsh' ? renderZsh(nodes) : renderFish(nodes)
}

function listNodes(command: Command, path: string, global: readonly Option[]): Node[] {
  const options = [...command.options, ...(path === '' ? [] : global)].filter(({ hidden }) => !hidden)
  const values = command.registeredArguments[0]?.argChoices ?? []
  const node = { path, commands: command.commands, options, values }
  return [
    node,
    ...command.commands.flatMap((child) => listNodes(child, `${path} ${child.name()}`.trimStart(), global)),
  ]
}

/** Options that take a value, so that the value is not read as a command. */
function listValueFlags(nodes: readonly Node[]): string[] {
  const flags = nodes.flatMap(({ options }) => options.filter(takesValue).flatMap(listFlags))
  return [...new Set(flags)].sort()
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function listFlags({ short, long }: Option): string[] {
  return [short, long].filter((flag) => flag !== undefined && flag !== null)
}

function listWords({ commands, options, values }: Node): string[] {
  return [...commands.map((command) => command.name()), ...values, ...options.flatMap(listFlags), '--help']
}

function renderBash(nodes: readonly Node[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const words = nodes.map((node) => `    '${node.path}') words='${listWords(node).join(' ')}' ;;`)
  const choices = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(
        (option) => `    '${path} ${option.long ?? ''}') words='${(option.argChoices ?? []).join(' ')}' ;;`,
      ),
  )
  return `# bash completion for scholiast, made by "scholiast completion bash"
_scholiast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" path='' words='' word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${path:+$path }$word" in
    ${paths.join(' | ')}) path="\${path:+$path }$word" ;;
    esac
  done
  COMPREPLY=()
  case "$path $previous" in
${choices.join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$previous" in
    # The value of an option: files, by default.
    ${listValueFlags(nodes).join(' | ')}) return ;;
    esac
    case "$path" in
${words.join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _scholiast scholiast
`
}

function renderZsh(nodes: readonly Node[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const cases = nodes.map(({ path, commands, options, values }) => {
    const described = commands.map((command) => quoteZsh(`${command.name()}:${command.description()}`))
    const flags = options.flatMap((option) =>
      listFlags(option).map((flag) => quoteZsh(`${flag}:${option.description}`)),
    )
    return `    '${path}')
      commands=(${described.join(' ')})
      values=(${values.join(' ')})
      flags=(${[...flags, "'--help:show help'"].join(' ')})
      ;;`
  })
  return `#compdef scholiast
# zsh completion for scholiast, made by "scholiast completion zsh"
_scholiast() {
  local context='' word
  local -a commands values flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${context:+$context }$word" in
      ${paths.join('|')}) context="\${context:+$context }$word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
    ${listValueFlags(nodes).join('|')}) _files; return ;;
  esac
  case "$context" in
${cases.join('\n')}
  esac
  (( \${#commands} )) && _describe -t commands command commands
  (( \${#values} )) && compadd -a values
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -t options option flags
  elif (( ! \${#commands} && ! \${#values} )); then
    _files
  fi
}
if [[ \${funcstack[1]} == _scholiast ]]; then _scholiast "$@"; else compdef _scholiast scholiast; fi
`
}

function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll('\n', ' ')}'`
}

function renderFish(nodes: readonly Node[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoteFish(path))
  const lines = nodes.flatMap(({ path, commands, options, values }) => {
    const at = `complete -c scholiast -n ${quoteFish(`__scholiast_at ${quoteFish(path)}`)}`
    return [
      ...commands.map((command) => `${at} -f -a ${command.name()} -d ${quoteFish(command.description())}`),
      ...values.map((value) => `${at} -f -a ${value}`),
      ...options.map((option) => renderFishOption(at, option)),
    ]
  })
  return `# fish completion for scholiast, made by "scholiast completion fish"
function __scholiast_at
    set -l path
    for word in (commandline -opc)[2..]
        if contains -- "$path $word" ${paths.map((path) => path.replace("'", "' ")).join(' ')}
            set path "$path $word"
        end
    end
    test (string trim -- "$path") = "$argv[1]"
end
${lines.join('\n')}
`
}

function renderFishOption(at: string, option: Option): string {
  const { short, long, description, argChoices } = option
  const names = [short && `-s ${short.replace(/^-+/, '')}`, long && `-l ${long.replace(/^--/, '')}`]
  const value = takesValue(option) ? ' -r' : ''
  const choices = argChoices === undefined ? '' : ` -f -a ${quoteFish(argChoices.join(' '))}`
  return `${at} ${names.filter(Boolean).join(' ')}${value}${choices} -d ${quoteFish(description)}`
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
