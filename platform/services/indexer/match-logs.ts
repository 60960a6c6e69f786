import type { BlockLog } from "../../follower/block.js";
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

/** The logs of a contract that listeners may match. */
interface Contract {
  readonly logs: CandidateLog[];
  /** All groups of its logs. */
  readonly groups: Set<ListenerGroup>;
}

/** A log and the listeners that may match it. */
interface CandidateLog {
  readonly log: BlockLog;
  readonly groups: readonly ListenerGroup[];
  readonly match: ReturnType<typeof createMatchLog>;
}

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
  giveWay: () => Promise<void>,
): Promise<LogMatches> {
  const candidates = await findCandidates(index, logs, giveWay);
  const matches: ListenerMatch[] = [];
  const setAside: SetAside[] = [];
  const skipped = new Map<Listener, SkippedLogs>();
  const budget = createWorkBudget<Listener>(limits, (listener, excess) => {
    setAside.push({ ...listener, ...excess });
    index.remove(listener);
  });
  function* matchContract(
    projectId: number,
    { logs: ofContract }: Contract,
  ): Work<MatchStep> {
    for (const { groups, log, match } of ofContract) {
      for (const listener of listenersOf(groups, projectId)) {
        const step = yield* match(listener);
        if (step !== null) matches.push({ ...step, listener, log });
      }
    }
  }
  const isAllowed = ({ isShared, listener, log, work }: MatchStep): boolean => {
    if (work <= maxStepWork) return budget.charge(listener, work, isShared);
    const { count = 0, first = log } = skipped.get(listener) ?? {};
    skipped.set(listener, { ...listener, count: count + 1, first });
    return false;
  };
  function* matchContracts(
    projectId: number,
    contracts: ReadonlySet<Contract>,
  ): Generator<Work<MatchStep>> {
    for (const contract of contracts) yield matchContract(projectId, contract);
  }
  const work = takeTurns(
    [...candidates].map((each) => takeTurns(matchContracts(...each))),
  );
  try {
    let next = work.next();
    while (next.done !== true) {
      await giveWay();
      next = work.next(isAllowed(next.value));
    }
  } finally {
    await index.restore(giveWay);
  }
  const sorted = await sortInSteps(
    matches,
    (one, other) => one.log.logIndex - other.log.logIndex,
  );
  return { matches: sorted, setAside, skipped: [...skipped.values()] };
}

/** Finds the contracts whose logs the listeners of each project may match. */
async function findCandidates(
  index: ListenerIndex,
  logs: readonly BlockLog[],
  giveWay: () => Promise<void>,
): Promise<ReadonlyMap<number, ReadonlySet<Contract>>> {
  const contracts = new Map<string, Contract>();
  for (const log of logs) {
    await giveWay();
    const groups = await index.find(log, giveWay);
    if (groups.length === 0) continue;
    const none = { logs: [], groups: new Set<ListenerGroup>() };
    const contract = contracts.get(log.address) ?? none;
    contract.logs.push({ log, groups, match: createMatchLog(log) });
    for (const group of groups) contract.groups.add(group);
    contracts.set(log.address, contract);
  }
  const projects = new Map<number, Set<Contract>>();
  for (const contract of contracts.values()) {
    for (const group of contract.groups) {
      await giveWay();
      for (const projectId of group.keys()) {
        const found = projects.get(projectId) ?? new Set();
        projects.set(projectId, found.add(contract));
      }
    }
  }
  return projects;
}

/** A listener can be in several groups. */
function listenersOf(
  groups: readonly ListenerGroup[],
  projectId: number,
): ReadonlySet<Listener> {
  return new Set(groups.flatMap((group) => [...(group.get(projectId) ?? [])]));
}
