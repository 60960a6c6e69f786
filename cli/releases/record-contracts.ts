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
import type { History } from "../../generator/values/history.js";
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
import { pathFrom, resolvePath } from "../system/paths.js";
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
  const place = resolvePath(project.root, skew.history);
  const written = pathFrom(system.workingFolder, place);
  const before = system.readText(place);
  const past = parseHistory(before ?? '{"hosts":{}}');
  if (past === null) {
    throw new UsageError(
      `\`${written}\` is not a history of contracts`,
      `restore it, e.g. with \`git checkout HEAD -- ${written}\`; to give up its releases, remove it`,
    );
  }
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
  const lost = findLost(past, history, input, found.length > maxReleases);
  for (const line of lines) system.stdout.write(`${line}\n`);
  if (lost.length > 0) {
    throw new UsageError(
      `\`${written}\` contains ${lost.join(", ")}, but no such release can be read`,
      "fetch its tag with `git fetch --tags`; to give up releases, remove the file",
    );
  }
  const kind = before === null ? "create" : "update";
  const text = `${JSON.stringify(history, null, 2)}\n`;
  const change = { path: skew.history, kind, text, current: before } as const;
  writeFiles([change], project.root, system);
  const count = releases.length;
  system.stdout.write(
    `wrote ${written}: compared with ${count} release${count === 1 ? "" : "s"}\n`,
  );
  return exitCodes.success;
}

/**
 * Lists the versions of released contracts that a new history would no longer
 * contain. `hasOlder` means that there are more releases than a history contains,
 * so that its oldest ones may be missing. Hosts that were removed do not count.
 *
 * Digests can change, e.g. with a new version of ridlkit, so a version is also
 * enough, unless several releases had it.
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
    const versions = new Set(found.map(({ version }) => version));
    const isUnique = (version: string): boolean =>
      past.filter((each) => each.version === version).length === 1;
    return past.flatMap(({ digest, version }) => {
      const isKept =
        digests.has(digest) || (versions.has(version) && isUnique(version));
      isOlder &&= !isKept;
      return isKept || isOlder ? [] : [version];
    });
  });
  return [...new Set(lost)];
}

/** Opens the releases, oldest first. */
function openReleases(
  releases: string,
  system: System,
): readonly ProjectRevision[] {
  if (!/^(?:[./]|[A-Za-z]:)/u.test(releases)) return openTags(releases, system);
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
