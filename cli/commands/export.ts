import { createHash } from "node:crypto";
import {
  type CheckedContract,
  checkContract,
} from "../../generator/2-check/index.js";
import type { CheckedHost } from "../../generator/2-check/program/program.js";
import { lowerContract } from "../../generator/3-lower/index.js";
import {
  lintContract,
  loadRules,
  type LintOptions,
} from "../../generator/lint/index.js";
import {
  hashSchema,
  inlineAliases,
  printSchemaJson,
  printSchemaRidl,
  type SchemaJson,
  toSchemaJson,
} from "../../tools/schema-json/index.js";
import type {
  Diagnosed,
  Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import type { Contract } from "../../generator/ir/contract.js";
import type { Config } from "../config/config.js";
import { activeFilter, applyFilter } from "../project/apply-filter.js";
import { type System, UsageError } from "../system/system.js";
import { loadEntries } from "../../generator/1-parse/load/select-entries.js";
import type { Project, ProjectFlags } from "../project/project.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude, hasErrors } from "../report/report.js";
import { withProject } from "./with-contract.js";

/** Flags of `ridl export`. */
export interface ExportFlags extends ProjectFlags {
  readonly format: "json" | "ridl" | "hash" | "ir";
  /** Whether the names of aliases are replaced by their types. */
  readonly inlineAliases?: boolean;
}

/** Diagnostics about ridlkit's targets, which do not concern other tools. */
const aboutTargets: ReadonlySet<string> = new Set(["client-stream"]);

/** Lint rules about what webrpc's generators get wrong. */
const aboutWebrpc = ["timestamp-alias", "webrpc-field"] as const;

/**
 * `ridl export`: prints a contract for other tools.
 *
 * - `json`: webrpc's JSON form of one host;
 * - `ridl`: one RIDL document of one host, with its imports included;
 * - `hash`: webrpc's hash of the JSON form, one line for each host;
 * - `ir`: the contract as emitters see it, with integers beyond 2^53-1 as
 *   strings.
 *
 * Returns the exit code. Errors: a {@link UsageError} if `json` or `ridl` does
 * not have exactly one host to print, or if aliases cannot be inlined.
 */
export async function exportContract(
  patterns: readonly string[],
  flags: ExportFlags,
  system: System,
): Promise<number> {
  if (flags.format === "ir" && flags.inlineAliases === true) {
    throw new UsageError("`--inline-aliases` does not apply to `--format ir`");
  }
  const run = async (project: Project, reader: RecordingReader) => {
    const { entries, documents } = loadEntries(project.documents, reader);
    const { value, diagnostics } = checkContract(entries, documents, reader);
    const isForOthers = flags.format === "json" || flags.format === "ridl";
    const found = [
      ...diagnostics.filter(
        ({ code }) => flags.format === "ir" || !aboutTargets.has(code),
      ),
      ...(isForOthers ? await adviseOthers(value, project.config.lint) : []),
    ];
    const part = hasErrors(found)
      ? null
      : selectPart(value, project.config, flags.format);
    const rebased = rebaseDiagnostics(
      [...found, ...(part?.diagnostics ?? [])],
      project,
      system,
    );
    return conclude(rebased, "text", system, () => {
      system.stdout.write(print(value, part?.value ?? null, flags));
      return [];
    });
  };
  return withProject(patterns, flags, "text", system, run);
}

/** Applies the rules about webrpc, whose findings are warnings by default. */
async function adviseOthers(
  checked: CheckedContract,
  lint: LintOptions,
): Promise<readonly Diagnostic[]> {
  const severities = Object.fromEntries(
    aboutWebrpc.map((code) => [code, lint.rules[code] ?? "warning"]),
  );
  const options = { ...lint, categories: [], rules: severities };
  const loaded = await loadRules(severities);
  const rules = Object.fromEntries(
    Object.entries(loaded).filter(([code]) => Object.hasOwn(severities, code)),
  );
  return lintContract({ value: checked, diagnostics: [] }, options, rules);
}

/**
 * Returns the part of the contract that the filter selects, or null if there is
 * no filter. webrpc's forms keep unused types by default.
 */
function selectPart(
  checked: CheckedContract,
  { filter }: Config,
  format: ExportFlags["format"],
): Diagnosed<Contract | null> | null {
  const unused = filter.unused ?? (format === "ir" ? null : "keep");
  const chosen = { ...filter, unused };
  return activeFilter(chosen) === null
    ? null
    : applyFilter(lowerContract(checked), { filter: chosen });
}

function print(
  checked: CheckedContract,
  part: Contract | null,
  { format, inlineAliases: isInlined = false }: ExportFlags,
): string {
  const hosts = checked.hosts.filter(
    ({ document: { path } }) =>
      part === null || part.hosts.some(({ document }) => document === path),
  );
  const toSchema = (host: CheckedHost): SchemaJson => {
    const schema = toSchemaJson(checked, host, part);
    return isInlined ? inlineAliases(schema) : schema;
  };
  switch (format) {
    case "json":
      return printSchemaJson(toSchema(selectHost(hosts, format)));
    case "ridl": {
      const convert = isInlined ? inlineAliases : undefined;
      return printSchemaRidl(checked, selectHost(hosts, format), part, convert);
    }
    case "hash":
      return printHashes(hosts, toSchema);
    case "ir":
      return printContract(part ?? lowerContract(checked));
  }
}

function selectHost(
  [host, ...others]: readonly CheckedHost[],
  format: string,
): CheckedHost {
  if (host === undefined || others.length > 0) {
    const count = host === undefined ? 0 : others.length + 1;
    throw new UsageError(
      `\`--format ${format}\` prints one host, but there are ${count}`,
      `give one document: \`ridl export --format ${format} schema/api.ridl\``,
    );
  }
  return host;
}

/** Prints lines like `sha1sum`, or only the hash if there is one host. */
function printHashes(
  hosts: readonly CheckedHost[],
  toSchema: (host: CheckedHost) => SchemaJson,
): string {
  const sha1 = (text: string): string =>
    createHash("sha1").update(text).digest("hex");
  return hosts
    .map((host) => {
      const hash = hashSchema(toSchema(host), sha1);
      const { path } = host.document;
      return hosts.length === 1 ? `${hash}\n` : `${hash}  ${path}\n`;
    })
    .join("");
}

function printContract(contract: Contract): string {
  const text = JSON.stringify(
    contract,
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  return `${text}\n`;
}
