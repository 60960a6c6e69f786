import type { Contract } from "../../generator/ir/contract.js";
import { isRecord } from "../../generator/ir/is-record.js";
import { parseHistory } from "../../tools/breaking/compatibility/parse-history.js";
import { readHistory } from "../../tools/breaking/compatibility/read-history.js";
import type {
  History,
  HostHistory,
  PastContract,
} from "../../generator/values/history.js";
import { digestText, parseRecord } from "../project/manifest.js";
import type { Project } from "../project/project.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { exitCodes } from "../system/exit-codes.js";
import { resolvePath } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";

/** A contract before and after the filter, and its project. */
interface InUseInput {
  readonly contract: Contract;
  readonly whole: Contract;
  readonly project: Project;
  readonly reader: RecordingReader;
}

/**
 * `ridl breaking --in-use`: says which versions that clients still use break with
 * the current contract, and why.
 *
 * Input: the contract, and the path of the file with the counts. Returns 1 if a
 * version breaks. Errors: a {@link UsageError} if the configuration does not set
 * `skew`, if a file is missing or invalid, or if the history was written for
 * another contract.
 */
export function reportInUse(
  opened: InUseInput,
  file: string,
  system: System,
): number {
  const hosts = Object.values(openHistory(opened).hosts);
  const counts = readCounts(file, system);
  const found = [...counts].map(([version, count]) => ({
    line: `${version}: ${count} call${count === 1 ? "" : "s"}`,
    ...judge(version, hosts),
  }));
  for (const { line, reasons, verdict } of found) {
    system.stdout.write(`${line}: ${verdict}\n`);
    for (const reason of reasons) system.stdout.write(`  ${reason}\n`);
  }
  return found.some(({ verdict }) => verdict === "breaks")
    ? exitCodes.failure
    : exitCodes.success;
}

function openHistory({ project, reader, ...contracts }: InUseInput): History {
  const { skew } = project.config;
  if (skew === null) {
    throw new UsageError(
      "`--in-use` needs the setting `skew`",
      "add `skew: {}` to the configuration",
    );
  }
  const { history: path } = skew;
  const text = reader.read(path);
  const history = text === null ? null : parseHistory(text);
  if (history === null) {
    throw new UsageError(
      `\`${path}\` is not a history of contracts`,
      "write it with `ridl breaking --record`",
    );
  }
  const [fault] = readHistory(
    { path, text },
    contracts,
    digestText,
  ).diagnostics;
  if (fault !== undefined) throw new UsageError(fault.message, fault.help);
  return history;
}

/** Says whether the clients of a version break, and which changes are why. */
function judge(
  version: string,
  hosts: readonly HostHistory[],
): { readonly verdict: string; readonly reasons: readonly string[] } {
  const isVersion = (each: Pick<HostHistory, "version">): boolean =>
    each.version === version;
  const past = hosts.flatMap((host) => host.past.filter(isVersion));
  if (past.length === 0 && !hosts.some(isVersion))
    return { verdict: "not in the history", reasons: [] };
  const certain = past.flatMap((each) => reasonsOf(each, true));
  if (certain.length > 0) return { verdict: "breaks", reasons: certain };
  const reasons = past.flatMap((each) => reasonsOf(each, false));
  const verdict = reasons.length === 0 ? "nothing breaks" : "may break";
  return { verdict, reasons };
}

/** Lists the changes that certainly break the clients of a contract, or may. */
function reasonsOf(
  { gone, methods }: PastContract,
  isWanted: boolean,
): readonly string[] {
  const changes = Object.entries(methods).flatMap(([method, list]) =>
    list
      .filter(({ isCertain }) => isCertain === isWanted)
      .map(({ since, text }) => `${method}: in ${since}: ${text}`),
  );
  const removed = isWanted ? gone : [];
  return [
    ...changes,
    ...removed.map(({ since, text }) => `in ${since}: ${text}`),
  ];
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
