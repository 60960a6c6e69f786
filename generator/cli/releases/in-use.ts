import { isRecord } from "../../ir/is-record.js";
import { parseHistory } from "../../skew/parse-history.js";
import type { PastContract } from "../../values/history.js";
import { parseRecord } from "../project/manifest.js";
import { openProject, type ProjectFlags } from "../project/project.js";
import { conclude, type Format, hasErrors } from "../report/report.js";
import { exitCodes } from "../system/exit-codes.js";
import { resolvePath } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";

/** Flags of `ridl breaking --in-use`. */
interface InUseFlags extends ProjectFlags {
  /** Path of the file with the counts. */
  readonly inUse: string;
  readonly format: Format | "markdown";
}

/**
 * `ridl breaking --in-use`: says which versions that clients still use break with
 * the current contract, and why.
 *
 * Returns 1 if a version breaks. Errors: a {@link UsageError} if the configuration
 * does not set `skew`, or if a file is missing or invalid.
 */
export async function reportInUse(
  patterns: readonly string[],
  flags: InUseFlags,
  system: System,
): Promise<number> {
  const format = flags.format === "markdown" ? "text" : flags.format;
  const { value, diagnostics } = await openProject(patterns, flags, system);
  if (value === null || hasErrors(diagnostics)) {
    return conclude(diagnostics, format, system);
  }
  const { skew } = value.config;
  if (skew === null) {
    throw new UsageError(
      "`--in-use` needs the setting `skew`",
      "add `skew: {}` to the configuration",
    );
  }
  const text = system.readText(resolvePath(value.root, skew.history));
  const history = text === null ? null : parseHistory(text);
  if (history === null) {
    throw new UsageError(
      `\`${skew.history}\` is not a history of contracts`,
      "write it with `ridl breaking --record`",
    );
  }
  const counts = readCounts(flags.inUse, system);
  const hosts = Object.values(history.hosts);
  const found = [...counts].map(([version, count]) => ({
    line: `${version}: ${count} call${count === 1 ? "" : "s"}`,
    reasons: hosts.flatMap(({ past }) =>
      past.filter((each) => each.version === version).flatMap(reasonsOf),
    ),
    isKnown: hosts.some((host) =>
      [host, ...host.past].some((each) => each.version === version),
    ),
  }));
  for (const { isKnown, line, reasons } of found) {
    const verdict = !isKnown
      ? "not in the history"
      : reasons.length === 0
        ? "nothing breaks"
        : "breaks";
    system.stdout.write(`${line}: ${verdict}\n`);
    for (const reason of reasons) system.stdout.write(`  ${reason}\n`);
  }
  return found.some(({ reasons }) => reasons.length > 0)
    ? exitCodes.failure
    : exitCodes.success;
}

/** Lists the changes that certainly break the clients of a contract. */
function reasonsOf({ gone, methods }: PastContract): readonly string[] {
  const changes = Object.entries(methods).flatMap(([method, list]) =>
    list
      .filter(({ isCertain }) => isCertain)
      .map(({ since, text }) => `${method}: in ${since}: ${text}`),
  );
  return [...changes, ...gone.map(({ since, text }) => `in ${since}: ${text}`)];
}

/** Reads the numbers of calls by version, without versions that nobody calls. */
function readCounts(name: string, system: System): ReadonlyMap<string, number> {
  const text = system.readText(resolvePath(system.workingFolder, name));
  if (text === null) throw new UsageError(`there is no file \`${name}\``);
  const data = parseRecord(text);
  const entries = isRecord(data) ? Object.entries(data) : null;
  const counts = entries?.flatMap(([version, count]) =>
    typeof count === "number" && count > 0 ? [[version, count] as const] : [],
  );
  if (
    counts === undefined ||
    entries?.some(([, each]) => typeof each !== "number")
  ) {
    throw new UsageError(
      `\`${name}\` is not an object of numbers`,
      'write the calls of each version: `{"v1.3.0": 120}`',
    );
  }
  return new Map(counts);
}
