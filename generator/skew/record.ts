import { findMethodChanges } from "../diff/method-changes.js";
import type { CodeModes } from "../diff/index.js";
import type { Contract, Host } from "../ir/contract.js";
import type {
  GoneAddress,
  History,
  HostHistory,
  PastChange,
  PastContract,
} from "../values/history.js";
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

/** A release of one host. */
interface HostRelease {
  readonly digest: string;
  readonly version: string;
  readonly release: Release;
}

function recordHost(host: Host, input: RecordInput): HostHistory {
  const { current, releases, sha256 } = input;
  const describe = (release: Release): readonly HostRelease[] => {
    const found = release.whole.hosts.find(({ name }) => name === host.name);
    if (found === undefined) return [];
    const digest = digestOf(release.whole, found, sha256);
    return [{ digest, version: versionOf(found), release }];
  };
  const now = describe(current)[0] ?? {
    digest: "",
    version: versionOf(host),
    release: current,
  };
  const all = releases.flatMap(describe);
  const past = all.filter(
    ({ digest }, at) =>
      digest !== now.digest &&
      all.findIndex((each) => each.digest === digest) === at,
  );
  const { digest, version } = now;
  return {
    digest,
    version,
    past: past.map((each, at) =>
      recordPast(each, [...past.slice(at + 1), now], host.name),
    ),
  };
}

/** Input: a release, and all later ones, of which the last is the current one. */
function recordPast(
  { digest, release, version }: HostRelease,
  later: readonly HostRelease[],
  host: string,
): PastContract {
  const steps = later.map((each) => ({
    version: each.version,
    methods: compare(release, each.release, host),
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
  { modes: modesBefore, part: before }: Release,
  { modes, part: after }: Release,
  host: string,
): readonly MethodPast[] {
  return findMethodChanges(before, after, modes, modesBefore)
    .filter((each) => each.before.host.name === host)
    .map((each) => describePast(each, before, after));
}

/** Whether a version already had a change, e.g. of the same field. */
function hasChange(
  methods: readonly MethodPast[],
  method: string,
  { at, side, text }: BareChange,
): boolean {
  return methods.some(
    ({ changes, name }) =>
      name === method &&
      changes.some(
        (each) => each.text === text && each.side === side && each.at === at,
      ),
  );
}
