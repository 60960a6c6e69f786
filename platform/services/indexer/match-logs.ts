import type { BlockLog } from "../../follower/block.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import { sortInSteps } from "../../process/concurrency/sort-in-steps.js";
import type { SetAside, SkippedLogs, Unsent } from "./set-aside.js";
import {
  createMatchLog,
  type Listener,
  type Match,
  type MatchStep,
} from "./listener.js";
import type { ListenerGroup, ListenerIndex } from "./listener-index.js";
import { takeTurns, type Work } from "./take-turns.js";
import { createWorkBudget, type WorkLimits } from "./work-budget.js";

/** A log and a listener that it matches. */
export interface ListenerMatch extends Match {
  readonly listener: Listener;
  readonly log: BlockLog;
}

/** The result of matching the logs of a block. */
export interface LogMatches extends Unsent {
  /** In the order of the logs. */
  readonly matches: readonly ListenerMatch[];
}

/** A log that listeners may match. */
interface CandidateLog {
  readonly log: BlockLog;
  readonly match: ReturnType<typeof createMatchLog>;
  /** The listeners that it was compared with, which can be in many groups. */
  readonly compared: Set<Listener>;
}

/** Logs of a contract, and listeners of a project that may match them. */
interface Candidates {
  readonly listeners: ReadonlySet<Listener>;
  readonly logs: readonly CandidateLog[];
}

/** The logs that listeners of groups may match, by contract. */
type LogsOfGroups = ReadonlyMap<
  ListenerGroup,
  ReadonlyMap<string, readonly CandidateLog[]>
>;

/**
 * The maximum work of a step that does not let other work run, in values. Logs
 * that take more are skipped.
 */
const maxStepWork = 5000;

/**
 * Matches the logs of a block within the limits on work. Projects take turns, and
 * so do the contracts within the work of each project. If the work is too much,
 * the projects and contracts that need little of it are therefore complete.
 */
export async function matchLogs(
  index: ListenerIndex,
  logs: readonly BlockLog[],
  limits: WorkLimits,
): Promise<LogMatches> {
  const found = await findLogs(index, logs);
  const projects = await groupsOfProjects(found.keys());
  const matches: ListenerMatch[] = [];
  const setAside: SetAside[] = [];
  const skipped = new Map<Listener, SkippedLogs>();
  const budget = createWorkBudget<Listener>(limits, (listener, excess) => {
    setAside.push({ ...listener, ...excess });
    index.remove(listener);
  });
  function* matchAll(candidates: Iterable<Candidates>): Work<MatchStep> {
    for (const { listeners, logs: ofContract } of candidates) {
      for (const candidate of ofContract) {
        if (listeners.size === 0) break;
        for (const listener of listeners) {
          yield* matchOne(candidate, listener);
        }
      }
    }
  }
  function* matchOne(
    { compared, log, match }: CandidateLog,
    listener: Listener,
  ): Work<MatchStep> {
    if (compared.has(listener)) return yield* pass(listener, log);
    compared.add(listener);
    const step = yield* match(listener);
    if (step !== null) matches.push({ ...step, listener, log });
  }
  const isAllowed = ({ isShared, listener, log, work }: MatchStep): boolean => {
    if (work <= maxStepWork) return budget.charge(listener, work, isShared);
    const { count = 0, first = log } = skipped.get(listener) ?? {};
    skipped.set(listener, { ...listener, count: count + 1, first });
    return false;
  };
  const work = takeTurns(
    [...projects].map(([projectId, groups]) =>
      takeTurns(partsOf(projectId, groups, found, matchAll)),
    ),
  );
  try {
    let next = work.next();
    while (next.done !== true) {
      await giveWay();
      next = work.next(isAllowed(next.value));
    }
  } finally {
    await index.restore();
  }
  const sorted = await sortInSteps(
    matches,
    (one, other) => one.log.logIndex - other.log.logIndex,
  );
  return { matches: sorted, setAside, skipped: [...skipped.values()] };
}

/** Work that only finds a listener again. */
function* pass(listener: Listener, log: BlockLog): Work<MatchStep> {
  yield { listener, log, work: 1 };
}

/**
 * Returns the work of a project, in a part for each contract. Each contract that
 * is found takes a step, because there can be many for many projects.
 */
function* partsOf(
  projectId: number,
  groups: readonly ListenerGroup[],
  found: LogsOfGroups,
  matchAll: (candidates: Iterable<Candidates>) => Work<MatchStep>,
): Generator<Work<MatchStep>> {
  const running = new Map<string, Candidates[]>();
  function* matchContract(contract: string): Work<MatchStep> {
    yield* matchAll(running.get(contract) ?? []);
    running.delete(contract);
  }
  for (const group of groups) {
    for (const [contract, logs] of found.get(group) ?? []) {
      const listeners = group.get(projectId) ?? new Set();
      const [listener] = listeners;
      const [first] = logs;
      // All of them have been set aside.
      if (listener === undefined || first === undefined) break;
      const more = running.get(contract);
      if (more === undefined) {
        running.set(contract, [{ listeners, logs }]);
        yield matchContract(contract);
      } else {
        more.push({ listeners, logs });
        yield pass(listener, first.log);
      }
    }
  }
}

/** Finds the logs that the listeners of groups may match. */
async function findLogs(
  index: ListenerIndex,
  logs: readonly BlockLog[],
): Promise<LogsOfGroups> {
  const found = new Map<ListenerGroup, Map<string, CandidateLog[]>>();
  for (const log of logs) {
    await giveWay();
    const match = createMatchLog(log);
    const candidate = { log, match, compared: new Set<Listener>() };
    for (const group of await index.find(log)) {
      const contracts = found.get(group) ?? new Map<string, CandidateLog[]>();
      const known = contracts.get(log.address);
      if (known === undefined) contracts.set(log.address, [candidate]);
      else known.push(candidate);
      found.set(group, contracts);
    }
  }
  return found;
}

/** Returns the groups with listeners of each project. */
async function groupsOfProjects(
  groups: Iterable<ListenerGroup>,
): Promise<ReadonlyMap<number, readonly ListenerGroup[]>> {
  const projects = new Map<number, ListenerGroup[]>();
  for (const group of groups) {
    await giveWay();
    for (const projectId of group.keys()) {
      const known = projects.get(projectId);
      if (known === undefined) projects.set(projectId, [group]);
      else known.push(group);
    }
  }
  return projects;
}
