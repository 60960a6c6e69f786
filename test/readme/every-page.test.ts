import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../cli/config/read-config.js";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { createProgram } from "../../cli/program.js";
import { readBlocks } from "./program.js";

const listed = execFileSync("git", ["ls-files", "*.md", ".github/*.yml"]);

/**
 * Pages and workflows. Other tests cover the pages for diagnostics and the
 * reference pages for commands.
 */
const pages = listed
  .toString()
  .trim()
  .split("\n")
  .filter(
    (path) =>
      !/^docs\/(?:diagnostics|reference\/commands)|^test\/golden/u.test(path),
  );

/** Returns what a pattern's group matches in the code on a page. */
function find(page: string, pattern: RegExp): readonly string[] {
  const code = readFileSync(page, "utf8").matchAll(
    /^```[^]*?^```|`[^`\n]+`|^ *(?:- )?run: .+/gmu,
  );
  return [...code].flatMap(([text]) =>
    [...text.matchAll(pattern)].map(([, found = ""]) => found),
  );
}

/** Returns why `ridl` rejects a command, or null if the command is valid. */
async function faultOf(line: string): Promise<string | null> {
  const program = createProgram(createNodeSystem(), () => {});
  program.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  for (const command of program.commands) {
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
    command.action(() => {});
  }
  const words = line.match(/"[^"]*"|\S+/gu) ?? [];
  try {
    await program.parseAsync(words, { from: "user" });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A sentence can name a command or flag without its required values.
    const isName = /commander\.(?:missingA|optionMissingA|missingMand)/u;
    const isFine = error.exitCode === 0 || isName.test(error.code);
    return isFine ? null : `ridl ${line}: ${error.message}`;
  }
}

test("pages show valid ridl commands", async () => {
  const commands = pages.flatMap((page) =>
    find(
      page,
      /(?:(?<!`)`|^|(?:npx|exec|--no-install|run:|\$) )ridl(?:kit)? ([a-z-]+(?: [^`\n#>|;]*)?)/gmu,
    ),
  );
  expect(commands.length).toBeGreaterThan(100);
  const faults = await Promise.all([...new Set(commands)].map(faultOf));
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test("no page shows a command that downloads the `ridl` of another project", () => {
  const shown = pages.flatMap((page) =>
    find(page, /((?:npx(?: -y)?|dlx|bunx) ridl(?!kit)\b.*|"ridl", "mcp".*)/gu),
  );
  expect(shown).toEqual([]);
});

test("pages and workflows show scripts and programs that exist", () => {
  const scripts = [".", "platform", "templates/init/node"].flatMap((folder) =>
    Object.keys(
      JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).scripts,
    ),
  );
  const own = pages.filter((page) => !page.startsWith("docs/guides"));
  const missing = own.flatMap((page) => [
    ...find(
      page,
      /\bnpm (?:run (?:--silent )?)?((?<=run .*)[\w:-]+|test|start)/gu,
    ).filter((name) => !scripts.includes(name)),
    ...find(page, /\bnode ((?:bin|scripts|bench)\/[\w./-]+)/gu).filter(
      (path) => !existsSync(path),
    ),
    ...find(page, /run: (\.\S+)/gu).filter((path) => !existsSync(path)),
  ]);
  expect(missing).toEqual([]);
});

test("pages show valid YAML, and configurations with known settings", () => {
  const faults: unknown[] = [];
  let configurations = 0;
  for (const page of pages) {
    if (page.endsWith(".yml")) parse(readFileSync(page, "utf8"));
    for (const { language, path, text } of readBlocks(page)) {
      if (language !== "yaml") continue;
      const isList = Array.isArray(parse(text, { logLevel: "error" }));
      // A list without a path contains the steps of a workflow.
      if (isList || (path !== "" && path !== "ridl.config.yaml")) continue;
      configurations += 1;
      const { diagnostics } = readConfig({ path: page, text });
      // Many pages show only some of the settings.
      faults.push(
        ...diagnostics.filter(({ code }) => code !== "missing-config-key"),
      );
    }
  }
  expect(configurations).toBeGreaterThan(60);
  expect(faults).toEqual([]);
});

test("the index of decisions lists each of them by its title", () => {
  const folder = "docs/decisions";
  const index = readFileSync(`${folder}/README.md`, "utf8");
  const listed = index.matchAll(/^- \[(.+)\]\((.+)\)$/gmu);
  const titles = readdirSync(folder)
    .filter((file) => file !== "README.md")
    .map((file) => {
      const [title = "", , date = ""] = readFileSync(
        `${folder}/${file}`,
        "utf8",
      ).split("\n");
      expect(date, file).toMatch(/^Last changed: 20\d\d-\d\d-\d\d$/u);
      return `${file}: ${title}`;
    });
  expect(
    [...listed].map(([, title, file]) => `${file}: # ${title}`).sort(),
  ).toEqual(titles.sort());
});
