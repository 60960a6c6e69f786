import type { Command } from "commander";
import { expect, test } from "vitest";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { createProgram } from "../../cli/program.js";
import { usages } from "../../cli/usage.js";
import { printCommands, visibleCommands } from "./support/command-pages.js";
import { expectPages, referenceFolder } from "./support/expect-pages.js";

const program = createProgram(createNodeSystem(), () => {});

test("docs/reference/commands describes every command", async () => {
  await expectPages(`${referenceFolder}/commands`, printCommands(program));
});

/** Splits what follows `ridl` in a command line into words, as a shell does. */
function wordsOf(line: string): readonly string[] {
  const [, ...words] = line.replace(/ < .*/u, "").match(/"[^"]*"|\S+/gu) ?? [];
  return words.map((word) => word.replaceAll('"', ""));
}

function linesOf(command: Command): readonly string[] {
  return (usages.get(command.name())?.examples ?? []).map(([line]) => line);
}

test.each(visibleCommands(program).map((each) => [each.name(), each] as const))(
  "ridl %s has a valid example for every flag",
  async (name, command) => {
    const parsed = createProgram(createNodeSystem(), () => {});
    for (const each of parsed.commands) each.action(() => {});
    for (const line of linesOf(command)) {
      expect(line.split(" ").slice(0, 2)).toEqual(["ridl", name]);
      await parsed.parseAsync([...wordsOf(line)], { from: "user" });
    }
    const words = linesOf(command).flatMap(wordsOf);
    const flags = command.options.map(({ long }) => long);
    expect(flags.filter((flag) => !words.includes(flag ?? ""))).toEqual([]);
  },
);

test("the help of each command shows its examples", () => {
  const shown = visibleCommands(program).map((command) => {
    let text = "";
    command.configureOutput({ writeOut: (part) => (text += part) });
    command.outputHelp();
    return text;
  });
  expect(shown.length).toBeGreaterThan(10);
  shown.forEach((text, index) => {
    const command = visibleCommands(program)[index];
    for (const line of command ? linesOf(command) : []) {
      expect(text).toContain(`$ ${line}`);
    }
  });
});
