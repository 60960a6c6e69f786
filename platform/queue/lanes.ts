import { LRUCache } from "lru-cache";

/** Limits on the jobs that a worker runs at the same time. */
export interface LaneLimits {
  /** The maximum number of jobs. */
  readonly concurrency: number;
  /** The maximum number per lane. */
  readonly perLane: number;
  /**
   * How many of these slots are reserved for lanes without running jobs whose
   * last job was quick or is unknown.
   */
  readonly reserved: number;
}

/** Identifies a part of a lane. */
export interface LanePart {
  readonly lane: string;
  readonly part: string;
}

/** Returns the name of a part. Lanes contain no slashes. */
export function nameOfPart({ lane, part }: LanePart): string {
  return `${lane}/${part}`;
}

/** Returns the part with a name. */
export function partOfName(name: string): LanePart {
  const end = name.indexOf("/");
  return { lane: name.slice(0, end), part: name.slice(end + 1) };
}

/** A part of a lane that has running, due or failed jobs. */
interface ActivePart {
  readonly name: string;
  readonly lane: Lane;
  running: number;
  /** The number of the last notice of due jobs, or 0 if it has none. */
  noticedAt: number;
  /** When its pause ends, on the monotonic clock. Null if it is not failing. */
  pausedUntil: number | null;
}

interface Lane {
  readonly name: string;
  /** The number of its parts that are known. */
  size: number;
  running: number;
  /** The parts from which a job can be taken, in order of their turns. */
  readonly ready: Set<ActivePart>;
  /** The sets in which it waits. There are none if no part is ready. */
  places: readonly Set<Lane>[];
}

/** A job that takes longer is not quick. */
const slowMs = 500;

/**
 * Chooses the lanes from which a worker takes its next jobs.
 *
 * The lane with the fewest running jobs is next, so lanes get equal shares of
 * the slots even if the jobs of some take longer. Lanes with the same number of
 * running jobs take turns, and so do the parts of a lane.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #parts = new Map<string, ActivePart>();
  readonly #lanes = new Map<string, Lane>();
  /** Whether the last job of a lane was quick. */
  readonly #wasQuick = new LRUCache<string, boolean>({ max: 10_000 });
  readonly #paused = new Set<ActivePart>();
  /** The lanes that can use the reserved slots. */
  readonly #quick = new Set<Lane>();
  readonly #unknown = new Set<Lane>();
  /** All lanes that wait, by their number of running jobs. */
  readonly #levels: readonly Set<Lane>[];
  #chosen = new Map<ActivePart, number>();
  #chosenAt = 0;
  #notices = 0;
  #running = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#levels = Array.from({ length: limits.perLane }, () => new Set());
  }

  /** Records the names of parts that may have due jobs. */
  notice(names: Iterable<string>): void {
    for (const name of names) {
      const part = this.#partOf(name);
      this.#notices += 1;
      part.noticedAt = this.#notices;
      this.#place(part);
    }
  }

  /**
   * Returns how many jobs to take from each part, by name, at most `max` in
   * total.
   */
  choose(max: number): ReadonlyMap<string, number> {
    const { concurrency, reserved } = this.#limits;
    const free = concurrency - this.#running;
    this.#chosen = new Map();
    this.#chosenAt = this.#notices;
    const most = Math.min(free, reserved, Math.ceil(max / 2));
    const quick = this.#chooseFrom(this.#quick, most);
    // Many unknown lanes may turn out to be slow. Newer ones do not wait for
    // them here, but older ones also wait for the other slots.
    const newest = [...this.#unknown].reverse();
    const unknown = this.#chooseFrom(newest, most - quick.length);
    const first = new Set([...quick, ...unknown]);
    let left = Math.min(free - reserved, max - first.size);
    /** The lanes that have been given a job of the previous level. */
    let given: readonly Lane[] = [];
    for (const [running, level] of this.#levels.entries()) {
      const others = running === 0 ? difference(level, first) : level;
      const one = this.#chooseFrom(others, left);
      const two = this.#chooseFrom(given, left - one.length);
      left -= one.length + two.length;
      given = [...one, ...two, ...(running === 0 ? first : [])];
    }
    const chosen = [...this.#chosen];
    return new Map(chosen.map(([{ name }, count]) => [name, count]));
  }

  /** Records the parts of the jobs that were taken after the last choice. */
  start(names: readonly string[]): void {
    for (const name of names) {
      const part = this.#partOf(name);
      part.running += 1;
      part.lane.running += 1;
      this.#running += 1;
    }
    for (const [part, count] of this.#chosen) {
      const taken = names.filter((name) => name === part.name).length;
      const isNoticedAgain = part.noticedAt > this.#chosenAt;
      if (taken < count && !isNoticedAgain) part.noticedAt = 0;
      this.#place(part);
    }
    this.#chosen = new Map();
  }

  /** Records that a job has ended. */
  end(name: string, durationMs: number): void {
    const part = this.#partOf(name);
    const { lane } = part;
    part.running -= 1;
    lane.running -= 1;
    this.#running -= 1;
    this.#wasQuick.set(lane.name, durationMs <= slowMs);
    // The job may have blocked the next one of its sequence.
    this.notice([name]);
  }

  /**
   * Takes no jobs from a part for some time. Afterwards, takes one at a time
   * until a pause of 0 is recorded.
   */
  pause(name: string, ms: number): void {
    const part = this.#partOf(name);
    if (ms === 0) {
      part.pausedUntil = null;
      this.#paused.delete(part);
    } else {
      const until = performance.now() + ms;
      part.pausedUntil = Math.max(until, part.pausedUntil ?? 0);
      this.#paused.add(part);
    }
    this.#place(part);
  }

  /** Ends the pauses that are over. Returns the time until the next one ends. */
  resume(): number {
    const now = performance.now();
    let next = Infinity;
    for (const part of this.#paused) {
      const until = part.pausedUntil ?? 0;
      if (until > now) {
        next = Math.min(next, until);
        continue;
      }
      this.#paused.delete(part);
      this.#place(part);
    }
    return next - now;
  }

  /** Chooses a job of each lane, up to a limit. Returns these lanes. */
  #chooseFrom(lanes: Iterable<Lane>, max: number): readonly Lane[] {
    const chosen: Lane[] = [];
    for (const lane of lanes) {
      if (chosen.length >= max) break;
      if (this.#chooseOf(lane)) chosen.push(lane);
    }
    return chosen;
  }

  /** Chooses the next part of a lane. Returns false if there is none. */
  #chooseOf({ ready }: Lane): boolean {
    for (const part of ready) {
      const count = this.#chosen.get(part) ?? 0;
      if (part.pausedUntil !== null && count > 0) continue;
      this.#chosen.set(part, count + 1);
      // Its next turn comes after those of the others.
      ready.delete(part);
      ready.add(part);
      return true;
    }
    return false;
  }

  #partOf(name: string): ActivePart {
    const known = this.#parts.get(name);
    if (known !== undefined) return known;
    const lane = this.#laneOf(partOfName(name).lane);
    const part = { name, lane, running: 0, noticedAt: 0, pausedUntil: null };
    lane.size += 1;
    this.#parts.set(name, part);
    return part;
  }

  #laneOf(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const rest = { size: 0, running: 0, places: [] };
    const lane = { name, ready: new Set<ActivePart>(), ...rest };
    this.#lanes.set(name, lane);
    return lane;
  }

  /** Puts a part and its lane where the next choice looks for them. */
  #place(part: ActivePart): void {
    const { lane } = part;
    const isFailing = part.pausedUntil !== null;
    const isClosed = this.#paused.has(part) || (isFailing && part.running > 0);
    if (part.noticedAt === 0 || isClosed) lane.ready.delete(part);
    else lane.ready.add(part);
    const places = lane.ready.size === 0 ? [] : this.#placesOf(lane);
    for (const old of lane.places) if (!places.includes(old)) old.delete(lane);
    for (const place of places) place.add(lane);
    lane.places = places;
    if (isFailing || part.noticedAt > 0 || part.running > 0) return;
    this.#parts.delete(part.name);
    lane.size -= 1;
    if (lane.size === 0) this.#lanes.delete(lane.name);
  }

  /** Returns the sets in which a lane waits. */
  #placesOf({ name, running }: Lane): readonly Set<Lane>[] {
    const level = this.#levels[running];
    if (level === undefined) return [];
    if (running > 0 || this.#limits.reserved === 0) return [level];
    const wasQuick = this.#wasQuick.get(name);
    if (wasQuick === false) return [level];
    return [level, wasQuick === undefined ? this.#unknown : this.#quick];
  }
}

function* difference<Item>(
  items: Iterable<Item>,
  without: ReadonlySet<Item>,
): Generator<Item> {
  for (const item of items) if (!without.has(item)) yield item;
}
