import { isRecord } from "../../generator/ir/is-record.js";
import { readConfig } from "../config/read-config.js";
import { parseRecord } from "../project/manifest.js";
import type { InitialFile } from "./init-files.js";

/**
 * Creates AGENTS.md, which describes a new project to agents: its contract, its
 * commands, and what is generated. Returns nothing if the template has its own
 * AGENTS.md, or no configuration.
 *
 * Input: the files of the project, the word that runs scripts of package.json,
 * such as `npm`, and the word that runs programs of packages, such as `npx`.
 */
export function createAgentsFile(
  files: readonly InitialFile[],
  runScript: string,
  run: string,
): readonly InitialFile[] {
  const textOf = (path: string): string | null =>
    files.find((file) => file.path === path)?.text ?? null;
  const path = "ridl.config.yaml";
  const text = textOf(path);
  if (text === null || textOf("AGENTS.md") !== null) return [];
  const { value: config } = readConfig({ path, text });
  if (config === null) return [];
  const { scripts } = parseRecord(textOf("package.json") ?? "") ?? {};
  const lines = [
    "# Notes for agents",
    "",
    "[ridlkit](node_modules/ridlkit/README.md) generates typed clients and servers from the contract of this project.",
    "",
    `- ${config.schema.map(({ pattern }) => code(pattern)).join(", ")}: the contract, in RIDL. To change the API, change it first.`,
    `- ${code(config.out)}: generated from the contract. Commit these files, and never edit them.`,
    `- ${code(path)}: what is generated, and where.`,
    "",
    "| command | effect |",
    "|---|---|",
    ...Object.entries(isRecord(scripts) ? scripts : {}).map(([name, script]) =>
      row(`${runScript} run ${name}`, `runs ${code(String(script))}`),
    ),
    row(`${run} ridlkit generate`, "generates code; run it after each change"),
    row(
      `${run} ridlkit check`,
      "finds mistakes in the contract, and gives advice",
    ),
    row(`${run} ridlkit fmt`, "formats the contract"),
    row(
      `${run} ridlkit breaking`,
      "finds changes since the main branch that break existing clients",
    ),
    row(`${run} ridlkit explain <code>`, "explains a diagnostic"),
    "",
    "Before you finish, run `ridl generate`, `ridl check`, `ridl breaking`, and the compiler.",
    "",
    "How to do it, each on one page:",
    "",
    ...skills.map(
      ([skill, topic]) => `- [${topic}](node_modules/${skill}/SKILL.md)`,
    ),
    "",
    "All documentation is in `node_modules/ridlkit/docs`.",
    "",
  ];
  return [{ path: "AGENTS.md", text: lines.join("\n") }];
}

/** The skills in ridlkit's packages. */
const skills = [
  ["ridlkit/skills/ridl-contract", "write a contract"],
  ["ridlkit/skills/ridl-evolution", "change a contract without breaking it"],
  ["@ridlkit/runtime/skills/ridl-server", "implement a server"],
  ["@ridlkit/runtime/skills/ridl-client", "call a server"],
] as const;

function code(text: string): string {
  return `\`${text}\``;
}

function row(command: string, effect: string): string {
  return `| ${code(command)} | ${effect.replaceAll("|", "\\|")} |`;
}
