import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import { exitCodes } from "../system/exit-codes.js";
import { type System, UsageError } from "../system/system.js";
import { shells } from "./complete.js";

/** `ridl completion`: prints the script that completes command lines. */
export async function completion(
  [shell = ""]: readonly string[],
  _flags: object,
  system: System,
): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) {
    throw new UsageError(
      `there is no completion for \`${shell}\``,
      suggestHelp(shell, shells).help ?? "the shells are bash, zsh and fish",
    );
  }
  system.stdout.write(script);
  return exitCodes.success;
}

/** The scripts by shell. Each runs `ridl complete` with the words so far. */
const scripts: Readonly<Record<string, string>> = {
  // Bash splits words at = and :, and replaces only the text after the last one.
  // Version 3.2, which macOS has, knows neither `mapfile` nor `compopt`.
  bash: String.raw`_ridl() {
  local line="\${COMP_LINE:0:COMP_POINT}" IFS=$' \t\n' words last
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  last="\${words[\${#words[@]}-1]}"
  IFS=$'\n'
  COMPREPLY=($("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null | cut -f 1))
  if [[ "$last" == *[=:]* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${last%"\${last##*[=:]}"}"}")
  fi
  if [[ "\${COMPREPLY[0]}" == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o default -F _ridl ridl
`.replaceAll("\\$", "$"),
  zsh: String.raw`#compdef ridl
_ridl() {
  local -a found fields others
  found=("\${(@f)$("\${words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null | cut -f 1)}")
  fields=("\${(@M)found:#*=}")
  others=("\${(@)found:#*=}")
  others=("\${(@)others:#}")
  if (( \${#fields} + \${#others} == 0 )); then
    _files
    return
  fi
  compadd -S "" -a fields
  compadd -a others
}
compdef _ridl ridl
`.replaceAll("\\$", "$"),
  fish: String.raw`function __ridl_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] complete -- $words[2..] 2>/dev/null
end
complete -c ridl -a "(__ridl_complete)"
`,
};
