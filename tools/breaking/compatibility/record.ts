import { pairHosts } from "../diff/facts/pair-contracts.js";
import { findMethodChanges } from "../diff/method-changes.js";
import type { CodeModes } from "../diff/index.js";
import type { Contract, Host } from "../../../generator/ir/contract.js";
import type {
  GoneAddress,
  History,
  HostHistory,
  PastChange,
  PastContract,
} from "../../../generator/values/history.js";
import { digestOf, versionOf } from "./digest.js";
import {
  type BareChange,
  describePast,
  type MethodPast,
} from "./past-changes.js";

/** A version of a project's contract. */
export interface Release {
  /** The whole contract. */
  readonly whole: Contract;
  /** What the filter of the configuration leaves of it. */
  readonly part: Contract;
  readonly modes: CodeModes;
}

/** Releases to compare, and how to hash them. */
export interface RecordInput {
  readonly current: Release;
  /** Earlier versions, oldest first. */
  readonly releases: readonly Release[];
  /** Returns a SHA-256 as base64url. */
  readonly sha256: (text: string) => string;
}

/**
 * Describes the released contracts of each host with webrpc's errors, and what
 * has changed since each of them. Versions with the same contract count once.
 * Names what the filtered contracts contain, and nothing else.
 */
export function recordHistory(input: RecordInput): History {
  const hosts = input.current.part.hosts.filter(
    ({ errorBody }) => errorBody === null,
  );
  return {
    hosts: Object.fromEntries(
      hosts.map((host) => [host.name, recordHost(host, input)]),
    ),
  };
}

/** A release of one host, which can have had another name. */
export interface HostRelease {
  readonly host: Host;
  readonly digest: string;
  readonly version: string;
  readonly release: Release;
}

/** Finds a host of the current contract, by its name, in each release. */
export function findReleases(
  name: string,
  { current, releases, sha256 }: RecordInput,
): readonly HostRelease[] {
  return releases.flatMap((release) => {
    const host = sameHost(release, name, current);
    if (host === undefined) return [];
    const digest = digestOf(release.whole, host, sha256);
    return [{ host, digest, version: versionOf(host), release }];
  });
}

function recordHost(host: Host, input: RecordInput): HostHistory {
  const { current } = input;
  const [
    now = { host, digest: "", version: versionOf(host), release: current },
  ] = findReleases(host.name, { ...input, releases: [current] });
  const all = findReleases(host.name, input);
  const past = all.filter(
    ({ digest }, at) =>
      digest !== now.digest &&
      all.findIndex((each) => each.digest === digest) === at,
  );
  const { digest, version } = now;
  const settings = recordSettings(all, now);
  return {
    digest,
    version,
    past: past.map((each, at) =>
      recordPast(each, [...past.slice(at + 1), now], host),
    ),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** Finds a host in a release by its name or, if it was renamed, as its pair. */
function sameHost(
  { whole }: Release,
  name: string,
  current: Release,
): Host | undefined {
  const { kept } = pairHosts(whole.hosts, current.whole.hosts);
  return kept.find(({ after }) => after.name === name)?.before;
}

/**
 * Returns the changes since the last release of the current contract that had
 * other settings, by method.
 */
function recordSettings(
  all: readonly HostRelease[],
  now: HostRelease,
): PastContract["methods"] {
  const same = all.filter(({ digest }) => digest === now.digest);
  const at = same.findLastIndex(
    ({ release: { modes } }) => !hasSameModes(modes, now.release.modes),
  );
  const then = same[at];
  if (then === undefined) return {};
  return recordPast(then, [...same.slice(at + 1), now], now.host).methods;
}

/** Whether servers with two settings accept the same requests. */
function hasSameModes(one: CodeModes, other: CodeModes): boolean {
  return (
    one.int64 === other.int64 &&
    (one.nullAsEmpty ?? false) === (other.nullAsEmpty ?? false)
  );
}

/** Input: a release, and all later ones, of which the last is the current one. */
function recordPast(
  past: HostRelease,
  later: readonly HostRelease[],
  host: Host,
): PastContract {
  const { digest, version } = past;
  const steps = later.map((each) => ({
    version: each.version,
    methods: compare(past, each, host),
  }));
  const last = steps.at(-1)?.methods ?? [];
  const sinceOf = (has: (methods: readonly MethodPast[]) => boolean): string =>
    steps[steps.findLastIndex(({ methods }) => !has(methods)) + 1]?.version ??
    version;
  const methods = last.flatMap(({ changes, name }) => {
    const dated = changes.map((change): PastChange => ({
      ...change,
      since: sinceOf((found) => hasChange(found, name, change)),
    }));
    return dated.length === 0 ? [] : [[name, dated] as const];
  });
  const gone = last.flatMap(
    ({ gone: address, name }): readonly GoneAddress[] => {
      if (address === null) return [];
      const since = sinceOf((found) =>
        found.some((each) => each.name === name && each.gone !== null),
      );
      return [{ ...address, since }];
    },
  );
  return { digest, version, methods: Object.fromEntries(methods), gone };
}

function compare(
  {
    host: { name },
    release: { modes: modesBefore, part: before },
  }: HostRelease,
  { release: { modes, part: after } }: HostRelease,
  host: Host,
): readonly MethodPast[] {
  const old = { contract: before, modes: modesBefore };
  return findMethodChanges(before, after, modes, modesBefore)
    .filter((each) => each.before.host.name === name)
    .map((each) => describePast(each, old, after, host));
}

/** Whether a version already had a change, e.g. of the same field. */
function hasChange(
  methods: readonly MethodPast[],
  method: string,
  { places, side, text }: BareChange,
): boolean {
  const [place] = places ?? [];
  return methods.some(
    ({ changes, name }) =>
      name === method &&
      changes.some(
        (each) =>
          each.text === text &&
          each.side === side &&
          (place === undefined ||
            each.places?.some(({ at }) => at === place.at) === true),
      ),
  );
}
