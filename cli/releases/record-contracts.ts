import { lowerContract } from "../../generator/3-lower/index.js";
import {
  recordHistory,
  type Release,
} from "../../tools/breaking/compatibility/record.js";
import {
  omitUnused,
  selectMethods,
} from "../../generator/values/filter-contract.js";
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
 * Errors: a {@link UsageError} if the configuration does not set `skew`, or if
 * `releases` is a folder that does not exist, or tags and there is no repository.
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
  const found = openReleases(skew.releases, system).slice(-maxReleases);
  const releases: Release[] = [];
  const lines: string[] = [];
  for (const past of found) {
    const then = readConfigFile(flags, past.system);
    const opened = await openVersion(patterns, flags, {
      ...past,
      config: then ?? moveConfig(config, system, past.system),
      mayLack: true,
    });
    if (opened.value === null) {
      lines.push(`left out ${past.name}: its contract cannot be read`);
    } else releases.push(toRelease(opened.value, now.value));
  }
  const current = toRelease(now.value, now.value);
  const history = recordHistory({ current, releases, sha256: digestText });
  const path = resolvePath(project.root, skew.history);
  system.writeText(path, `${JSON.stringify(history, null, 2)}\n`);
  const written = pathFrom(system.workingFolder, path);
  const count = releases.length;
  for (const line of [
    ...lines,
    `wrote ${written}: compared with ${count} release${count === 1 ? "" : "s"}`,
  ]) {
    system.stdout.write(`${line}\n`);
  }
  return exitCodes.success;
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
