import { createHash } from "node:crypto";
import type { CheckedContract } from "../../2-check/index.js";
import { checkContract } from "../../2-check/index.js";
import type { CheckedHost } from "../../2-check/program/program.js";
import { lowerContract } from "../../3-lower/index.js";
import {
  hashSchema,
  printSchemaJson,
  printSchemaRidl,
  toSchemaJson,
} from "../../schema-json/index.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { lintContract, loadRules, type LintOptions } from "../../lint/index.js";
import type { System } from "../system/system.js";
import { loadEntries } from "../project/entries.js";
import type { ProjectFlags } from "../project/project.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude } from "../report/report.js";
import { UsageError } from "../system/usage-error.js";
import { withProject } from "./with-project.js";

/** Flags of `ridl export`. */
export interface ExportFlags extends ProjectFlags {
  readonly format: "json" | "ridl" | "hash" | "ir";
}

/**
 * What no target can do, and webrpc's form can say all the same: it does not
 * keep anybody from taking a schema elsewhere.
 */
const aboutTargets: ReadonlySet<string> = new Set(["client-stream"]);

/**
 * `ridl export`: prints a contract for other tools.
 *
 * - `json`: webrpc's JSON form of one host;
 * - `ridl`: one RIDL document of one host, imports taken in;
 * - `hash`: webrpc's hash of that form, a line for each host;
 * - `ir`: the contract as emitters see it, integers beyond 2^53-1 as text.
 *
 * Output: the exit code. Errors: a {@link UsageError} for `json` and `ridl` of
 * several hosts.
 */
export async function exportContract(
  patterns: readonly string[],
  flags: ExportFlags,
  system: System,
): Promise<number> {
  return withProject(
    patterns,
    flags,
    "text",
    system,
    async (project, reader) => {
      const { entries, documents } = loadEntries(project.documents, reader);
      const { value, diagnostics } = checkContract(entries, documents);
      const isForOthers = flags.format === "json" || flags.format === "ridl";
      const found = [
        ...diagnostics.filter(
          ({ code }) => flags.format === "ir" || !aboutTargets.has(code),
        ),
        ...(isForOthers ? await adviseOthers(value, project.config.lint) : []),
      ];
      const rebased = rebaseDiagnostics(found, project, system);
      return conclude(rebased, "text", system, () => {
        system.stdout.write(print(value, flags.format));
        return [];
      });
    },
  );
}

/** What webrpc's generators would make wrong, unless its rule is set otherwise. */
async function adviseOthers(
  checked: CheckedContract,
  lint: LintOptions,
): Promise<readonly Diagnostic[]> {
  const code = "timestamp-alias";
  const set = { [code]: lint.rules[code] ?? "warning" };
  const options = { ...lint, categories: [], rules: set };
  const { [code]: rule } = await loadRules(options);
  const rules = rule === undefined ? {} : { [code]: rule };
  return lintContract({ value: checked, diagnostics: [] }, options, rules);
}

function print(
  checked: CheckedContract,
  format: ExportFlags["format"],
): string {
  switch (format) {
    case "json":
      return printSchemaJson(toSchemaJson(checked, theHost(checked, format)));
    case "ridl":
      return printSchemaRidl(checked, theHost(checked, format));
    case "hash":
      return printHashes(checked);
    case "ir":
      return printContract(checked);
  }
}

function theHost(checked: CheckedContract, format: string): CheckedHost {
  const [host, ...others] = checked.hosts;
  if (host === undefined || others.length > 0) {
    throw new UsageError(
      `${format} is written of one host, and there are ${checked.hosts.length}`,
      `name one document: \`ridl export --format ${format} schema/api.ridl\``,
    );
  }
  return host;
}

/** Like `sha1sum`: a hash, two spaces, a path. The hash alone for one host. */
function printHashes(checked: CheckedContract): string {
  const sha1 = (text: string): string =>
    createHash("sha1").update(text).digest("hex");
  return checked.hosts
    .map((host) => {
      const hash = hashSchema(toSchemaJson(checked, host), sha1);
      const { path } = host.document;
      return checked.hosts.length === 1 ? `${hash}\n` : `${hash}  ${path}\n`;
    })
    .join("");
}

function printContract(checked: CheckedContract): string {
  const text = JSON.stringify(
    lowerContract(checked),
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  return `${text}\n`;
}
