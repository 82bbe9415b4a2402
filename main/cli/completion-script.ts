import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./arguments.ts";

export const SHELLS = ["bash", "zsh", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

const HELP = ["-h", "--help"];
/** Options whose value is a path, by what the help calls it. */
const PATHS: ReadonlySet<string> = new Set(["path", "file", "folder"]);

const optionsOf = ({ options }: CommandSpec): readonly OptionSpec[] => [...options, ...GLOBAL_OPTIONS];
const words = (spec: CommandSpec): string => [...optionsOf(spec).map(({ name }) => name), ...HELP].join(" ");

/** Options that take a path in any command. */
function pathOptions(specs: readonly CommandSpec[]): readonly string[] {
  const taking = specs.flatMap(optionsOf).filter(({ value }) => value !== null && PATHS.has(value));
  return [...new Set(taking.map(({ name }) => name))].sort();
}

/** Names by how many words they have, the longest first: `job run` must be found before `job`. */
const byLength = (specs: readonly CommandSpec[]): readonly CommandSpec[] =>
  specs.toSorted((a, b) => b.name.split(" ").length - a.name.split(" ").length);

/**
 * The completion of a shell, made from the table of commands alone: commands, their options, and files where an option
 * takes a path or a command a file. Nothing is asked of the program while somebody types.
 */
export function completionScript(shell: Shell, specs: readonly CommandSpec[]): string {
  switch (shell) {
    case "bash":
      return bash(specs);
    case "zsh":
      return `#compdef flownet\nautoload -U +X bashcompinit && bashcompinit\n${bash(specs)}`;
    case "powershell":
      return powershell(specs);
  }
}

const firstWords = (specs: readonly CommandSpec[]): string =>
  [...new Set(specs.map(({ name }) => name.split(" ")[0] ?? name))].join(" ");

/** Words that may follow a first word of several: `job` is followed by `run`. */
const seconds = (specs: readonly CommandSpec[]): readonly (readonly [string, string])[] => {
  const groups = new Map<string, Set<string>>();
  for (const { name } of specs) {
    const parts = name.split(" ");
    for (let at = 1; at < parts.length; at += 1) {
      const before = parts.slice(0, at).join(" ");
      const next = parts[at] ?? "";
      groups.set(before, (groups.get(before) ?? new Set()).add(next));
    }
  }
  return [...groups].map(([before, next]) => [before, [...next].join(" ")] as const);
};

function bash(specs: readonly CommandSpec[]): string {
  const cases = byLength(specs).map(({ name }, at) => `    "${name}"|"${name} "*) options=$flownet_${at} ;;`);
  const variables = byLength(specs).map((spec, at) => `  local flownet_${at}="${words(spec)}"`);
  const groups = seconds(specs).map(([before, next]) => `    "${before}") next="${next}" ;;`);
  return `_flownet() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" line="" options="" next=""
${variables.join("\n")}
  local at
  for ((at = 1; at < COMP_CWORD; at++)); do line+="\${line:+ }\${COMP_WORDS[at]}"; done
  case "$before" in
    ${pathOptions(specs).join("|")}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  if [[ -z $line ]]; then COMPREPLY=($(compgen -W "${firstWords(specs)} --help --version" -- "$word")); return; fi
  case "$line" in
${groups.join("\n")}
  esac
  case "$line" in
${cases.join("\n")}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  else COMPREPLY=($(compgen -W "$next" -- "$word") $(compgen -f -- "$word")); fi
}
complete -o filenames -F _flownet flownet
`;
}

function powershell(specs: readonly CommandSpec[]): string {
  const table = specs.map((spec) => `    '${spec.name}' = '${words(spec)}'`);
  const groups = seconds(specs).map(([before, next]) => `    '${before}' = '${next}'`);
  return `Register-ArgumentCompleter -Native -CommandName flownet -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${table.join("\n")}
  }
  $groups = @{
    '' = '${firstWords(specs)}'
${groups.join("\n")}
  }
  $given = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -ne '' -and $given.Count -gt 0) { $given = @($given | Select-Object -SkipLast 1) }
  $line = $given -join ' '
  $names = @($commands.Keys | Where-Object { $line -eq $_ -or $line.StartsWith("$_ ") } | Sort-Object Length -Descending)
  $words = @()
  if ($groups.ContainsKey($line)) { $words += $groups[$line] -split ' ' }
  if ($names.Count -gt 0) { $words += $commands[$names[0]] -split ' ' }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
