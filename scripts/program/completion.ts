import type { Command } from "commander";

/** @returns a script for bash, and for zsh with bashcompinit, that completes a program's commands and options. */
export function completionScript(program: Command): string {
  const name = program.name();
  const cases = words(program, "").map(([path, completed]) => `    "${path}") words="${completed}" ;;`);
  return `# Completion of ${name} for bash and zsh.
if [ -n "\${ZSH_VERSION:-}" ]; then autoload -Uz bashcompinit && bashcompinit; fi
_${name}() {
  local path= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="$path $word" ;; esac
  done
  case $path in
${cases.join("\n")}
    *) words= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name} ./${name}
`;
}

/** For each command, as it is typed, what may follow. */
function words(command: Command, path: string): [path: string, completed: string][] {
  const commands = command.createHelp().visibleCommands(command);
  const options = command.createHelp().visibleOptions(command);
  const completed = [...commands.map((each) => each.name()), ...options.map((each) => each.long ?? each.short ?? "")];
  return [[path, completed.join(" ")], ...commands.flatMap((each) => words(each, `${path} ${each.name()}`))];
}
