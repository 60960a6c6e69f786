import { lowerContract } from "../../generator/3-lower/index.js";
import {
  findReleases,
  recordHistory,
  type RecordInput,
  type Release,
} from "../../tools/breaking/compatibility/record.js";
import {
  historyOf,
  parseHistory,
} from "../../tools/breaking/compatibility/parse-history.js";
import type { History, PastContract } from "../../generator/values/history.js";
import {
  omitUnused,
  selectMethods,
} from "../../generator/values/filter-contract.js";
import { writeFiles } from "../output/write.js";
import { activeFilter } from "../project/apply-filter.js";
import {
  findConfig,
  type ProjectFlags,
  readConfigFile,
} from "../project/project.js";
import { digestText } from "../project/manifest.js";
import {
  byVersion,
  openPast,
  openTags,
  type ProjectRevision,
} from "../project/revision.js";
import { conclude, type Format } from "../report/report.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import { exitCodes } from "../system/exit-codes.js";
import { type System, UsageError } from "../system/system.js";
import { moveConfig, openVersion, type OpenedVersion } from "./open-version.js";

/** Flags of `ridl breaking --record`. */
interface RecordFlags extends ProjectFlags {
  readonly format: Format | "markdown";
}

/** Number of releases that are compared: the newest ones. */
const maxReleases = 20;

/**
 * `ridl breaking --record`: writes the history of the contract, which servers use
 * to explain failures of old clients. Releases whose documents have errors are
 * left out and reported.
 * Errors: a {@link UsageError} if the configuration does not set `skew`, if
 * `releases` is a folder that does not exist, or tags and there is no repository,
 * or if the file is damaged or has releases that are missing now, as in a shallow
 * clone.
 */
export async function recordContracts(
  patterns: readonly string[],
  flags: RecordFlags,
  system: System,
): Promise<number> {
  const format = flags.format === "markdown" ? "text" : flags.format;
  const config = findConfig(flags, system);
  const now = await openVersion(patterns, flags, {
    system,
    label: (path) => pathFrom(system.workingFolder, path),
    config,
    mayLack: false,
  });
  if (now.value === null) return conclude(now.diagnostics, format, system);
  const { project } = now.value;
  const { skew } = project.config;
  if (skew === null) {
    throw new UsageError(
      "`--record` needs the setting `skew`",
      "add `skew: {}` to the configuration",
    );
  }
  const file = readHistory(resolvePath(project.root, skew.history), system);
  const found = openReleases(skew.releases, system);
  const releases: Release[] = [];
  const lines: string[] = [];
  for (const revision of found.slice(-maxReleases)) {
    const then = readConfigFile(flags, revision.system);
    const opened = await openVersion(patterns, flags, {
      ...revision,
      config: then ?? moveConfig(config, system, revision.system),
      mayLack: true,
    });
    if (opened.value === null) {
      lines.push(`left out ${revision.name}: its contract cannot be read`);
    } else releases.push(toRelease(opened.value, now.value));
  }
  const current = toRelease(now.value, now.value);
  const input: RecordInput = { current, releases, sha256: digestText };
  const history = recordHistory(input);
  const hasOlder = found.length > maxReleases;
  const lost = findLost(file.history, history, input, hasOlder);
  for (const line of lines) system.stdout.write(`${line}\n`);
  if (lost.length > 0) {
    const advice =
      lines.length > 0
        ? "see which releases were left out"
        : isFolder(skew.releases)
          ? `restore its folder in \`${skew.releases}\``
          : "fetch its tag with `git fetch --tags`";
    throw new UsageError(
      `\`${file.name}\` contains ${lost.join(", ")}, but no such release can be read`,
      `${advice}; to discard these releases, remove the file`,
    );
  }
  const kind = file.text === null ? "create" : "update";
  const text = `${JSON.stringify(history, null, 2)}\n`;
  writeFiles(
    [{ path: skew.history, kind, text, current: file.text }],
    project.root,
    system,
  );
  const count = releases.length;
  system.stdout.write(
    `wrote ${file.name}: compared with ${count} release${count === 1 ? "" : "s"}\n`,
  );
  return exitCodes.success;
}

/** Reads the history, which is empty at first. Errors: see above. */
function readHistory(path: AbsolutePath, system: System) {
  const name = pathFrom(system.workingFolder, path);
  const text = system.readText(path);
  const history = parseHistory(text ?? '{"hosts":{}}');
  if (history !== null) return { name, text, history };
  throw new UsageError(
    `\`${name}\` is not a history of contracts`,
    `restore it, e.g. with \`git checkout HEAD -- ${name}\`; to discard its releases, remove it`,
  );
}

/**
 * Lists the versions of released contracts that a new history would no longer
 * contain. `hasOlder` means that there are more releases than a history contains,
 * so that its oldest ones may be missing. Hosts that were removed do not count.
 *
 * Digests can change, e.g. with a new version of ridlkit, so a version is also
 * enough. If several releases share it, all digests must differ, and there must be
 * as many releases as before.
 */
function findLost(
  before: History,
  { hosts }: History,
  input: RecordInput,
  hasOlder: boolean,
): readonly string[] {
  const lost = Object.keys(hosts).flatMap((name) => {
    let isOlder = hasOlder;
    const past = historyOf(before, name)?.past ?? [];
    const found = findReleases(name, input);
    const digests = new Set(found.map(({ digest }) => digest));
    const differs = past.every(({ digest }) => !digests.has(digest));
    return past.flatMap(({ digest, version }) => {
      const had = countDigests(past, version);
      const isKept =
        digests.has(digest) ||
        ((had === 1 || differs) && countDigests(found, version) >= had);
      isOlder &&= !isKept;
      return isKept || isOlder ? [] : [version];
    });
  });
  return [...new Set(lost)];
}

/** Returns how many different contracts have a version. */
function countDigests(
  releases: readonly Pick<PastContract, "digest" | "version">[],
  version: string,
): number {
  const same = releases.filter((each) => each.version === version);
  return new Set(same.map(({ digest }) => digest)).size;
}

/** Whether the setting `releases` names a folder instead of tags. */
function isFolder(releases: string): boolean {
  return /^(?:[./]|[A-Za-z]:)/u.test(releases);
}

/** Opens the releases, oldest first. */
function openReleases(
  releases: string,
  system: System,
): readonly ProjectRevision[] {
  if (!isFolder(releases)) return openTags(releases, system);
  const folder = resolvePath(system.workingFolder, releases);
  const entries = system.listFolder(folder);
  if (entries === null) {
    throw new UsageError(`folder \`${releases}\` does not exist`);
  }
  return entries
    .filter(({ isFolder }) => isFolder)
    .map(({ name }) => name)
    .sort(byVersion)
    .map((name) => ({
      ...openPast(`${releases.replace(/\/$/u, "")}/${name}`, system),
      name,
    }));
}

/** Applies the current filter to a version. */
function toRelease(
  { checked, project }: OpenedVersion,
  { project: { config } }: OpenedVersion,
): Release {
  const whole = lowerContract(checked);
  const filter = activeFilter(config.filter);
  const selected = filter === null ? whole : selectMethods(whole, filter);
  const part = filter?.unused === "omit" ? omitUnused(selected) : selected;
  return { whole, part, modes: project.config.options };
}
