import type { Command } from "commander";
import { exitCodeMeanings, usages } from "../../../cli/usage.js";
import type { ReferencePart } from "./index-page.js";
import { targetsPart } from "./target-pages.js";

/** The pages that explain each command in detail, by the command's name. */
const guides: Readonly<Record<string, readonly string[]>> = {
  init: ["quick-start", "templates"],
  generate: ["cli", "generated-code", "ci"],
  check: ["lint", "cli"],
  breaking: ["breaking", "ci"],
  fmt: ["ridl"],
  export: ["cli", "generated-code"],
  package: ["packaging"],
  implement: ["implement"],
  import: ["import"],
  migrate: ["migrate"],
  call: ["call"],
  mcp: ["mcp"],
  test: ["test"],
  mock: ["mock"],
  template: ["templates"],
  lsp: ["editors"],
  completion: ["call"],
  explain: ["cli"],
};

/** Returns the commands that the help lists. */
export function visibleCommands(program: Command): readonly Command[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== "help");
}

/** Prints a page for each command, by file name. */
export function printCommands(program: Command): ReadonlyMap<string, string> {
  return new Map(
    visibleCommands(program).map((command) => [
      `${command.name()}.md`,
      printCommand(command),
    ]),
  );
}

/** Lists the commands as the first page of the reference shows them. */
export function commandsPart(program: Command): ReferencePart {
  return {
    title: "Commands",
    intro: "The commands of `ridl`.",
    links: visibleCommands(program).map((command) => [
      `[\`ridl ${command.name()}\`](commands/${command.name()}.md)`,
      toSentence(command.description()),
    ]),
  };
}

function printCommand(command: Command): string {
  const help = command.createHelp();
  const name = command.name();
  const options = help
    .visibleOptions(command)
    .map((option) => [
      `\`${help.optionTerm(option)}\``,
      toSentence(help.optionDescription(option)),
    ]);
  const arguments_ = help
    .visibleArguments(command)
    .map((argument) => [
      `\`${help.argumentTerm(argument)}\``,
      toSentence(help.argumentDescription(argument)),
    ]);
  const examples = (usages.get(name)?.examples ?? []).map(
    ([line, does]) => `# ${does}\n$ ${line}`,
  );
  const links = (guides[name] ?? []).map(
    (page) => `[${page}.md](../../${page}.md)`,
  );
  return `${[
    `# ridl ${name}`,
    `${toSentence(command.description())} See also ${links.join(", ")}.`,
    `\`\`\`text\n${help.commandUsage(command)}\n\`\`\``,
    ...(arguments_.length > 0
      ? ["## Arguments", printTable(["argument", "meaning"], arguments_)]
      : []),
    "## Flags",
    printTable(["flag", "effect"], options),
    ...(name === "generate" ? ["## Targets", printTargetList()] : []),
    "## Examples",
    `\`\`\`console\n${examples.join("\n\n")}\n\`\`\``,
    "## Exit codes",
    printTable(
      ["code", "meaning"],
      exitCodeMeanings.map(([code, text]) => [code, toSentence(text)]),
    ),
  ].join("\n\n")}\n`;
}

/** Lists all targets with links to their pages. */
function printTargetList(): string {
  const links = targetsPart.links.map(([link, summary]) => [
    link.replace("(targets/", "(../targets/"),
    summary,
  ]);
  return `${targetsPart.intro.replace("(settings/", "(../settings/")}\n\n${printTable(["target", "output"], links)}`;
}

function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(headings), "|---|---|", ...rows.map(line)].join("\n");
}

/**
 * Turns text into a sentence, and marks words as code if Markdown would treat
 * them as links or emphasis.
 */
function toSentence(text: string): string {
  const marked = text.replace(
    /(?<=^|[\s(])(?:@\S+?|[^\s`]*(?:\*|:\/\/)[^\s`]*?)(?=[.,;)]?(?:\s|$))/gu,
    "`$&`",
  );
  const first = marked.slice(0, 1).toUpperCase() + marked.slice(1);
  return first.endsWith(".") ? first : `${first}.`;
}
