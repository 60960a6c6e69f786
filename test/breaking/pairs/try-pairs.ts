import type {
  Audience,
  Change,
  Level,
} from "../../../tools/breaking/diff/index.js";
import { findChanges } from "../../../tools/breaking/diff/index.js";
import {
  buildVersion,
  loadVersion,
  type Modes,
  type Version,
} from "./build-version.js";
import { drawSketch } from "./draw-sketch.js";
import { editSketch } from "./edits.js";
import { type Break, findBreaks } from "./find-breaks.js";
import { Peer } from "./peer.js";
import { Random } from "../../support/random.js";
import { type Documents, printSketch } from "./sketch.js";

/** Two versions of a contract. The second is an edited copy of the first. */
export interface Pair {
  readonly seed: number;
  readonly before: Sources;
  readonly after: Sources;
}

/** The sources of one version. */
interface Sources {
  readonly documents: Documents;
  readonly modes: Modes;
}

/**
 * Creates the pair for a seed. Returns null if 20 edits produce no valid pair.
 */
export function drawPair(seed: number): Pair | null {
  const random = new Random(seed);
  const sketch = drawSketch(random);
  const modes: Modes = {
    int64: random.oneOf(["number", "bigint"]),
    timestamp: random.oneOf(["string", "date"]),
  };
  const isSwitched = random.chance(0.1);
  const other = switchMode(modes, random.oneOf(["int64", "timestamp"]));
  const before = { documents: printSketch(sketch), modes };
  for (let index = 0; index < 20; index += 1) {
    const after = {
      documents: printSketch(editSketch(sketch, random)),
      modes: isSwitched ? other : modes,
    };
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    const versions = [before, after].map(({ documents, modes: chosen }) =>
      buildVersion(documents, chosen),
    );
    if (versions.every((version) => version !== null)) {
      return { seed, before, after };
    }
  }
  return null;
}

function switchMode(modes: Modes, mode: keyof Modes): Modes {
  return mode === "int64"
    ? { ...modes, int64: modes.int64 === "number" ? "bigint" : "number" }
    : { ...modes, timestamp: modes.timestamp === "date" ? "string" : "date" };
}

/**
 * How often pairs have breaking changes, and the pairs whose verdicts do not
 * match the calls.
 */
export interface Tally {
  readonly pairCount: number;
  /** The number of pairs with a breaking change. */
  readonly brokenCount: number;
  /**
   * Pairs with a breaking change that has no finding, or whose finding is not
   * severe enough.
   */
  readonly silent: readonly string[];
  /**
   * Pairs whose verdict for an audience is an error although nothing breaks for
   * the audience.
   */
  readonly alarms: readonly string[];
}

/**
 * Runs the pairs of several seeds and compares the results with the verdicts.
 */
export async function tallyPairs(
  seeds: readonly number[],
  messageCount: number,
): Promise<Tally> {
  const pairs = seeds.map(drawPair).filter((pair) => pair !== null);
  const silent: string[] = [];
  const alarms: string[] = [];
  let brokenCount = 0;
  for (const pair of pairs) {
    const { breaks, changes } = await tryPair(pair, messageCount);
    if (breaks.length > 0) brokenCount += 1;
    const report = (): string => printVerdict(pair, breaks, changes);
    if (audiences.some((audience) => isSilent(audience, breaks, changes))) {
      silent.push(report());
    } else if (
      audiences.some((audience) => isAlarm(audience, breaks, changes))
    ) {
      alarms.push(report());
    }
  }
  return { pairCount: pairs.length, brokenCount, silent, alarms };
}

const audiences = ["wire", "wire-strict"] as const;

/** Runs the calls of a pair and compares its versions. */
async function tryPair(
  pair: Pair,
  messageCount: number,
): Promise<{
  readonly breaks: readonly Break[];
  readonly changes: readonly Change[];
}> {
  const { before, after } = buildPair(pair);
  const random = new Random(pair.seed + 1);
  const peers = [before, after].map((each) => new Peer(loadVersion(each)));
  const [old, recent] = peers;
  if (!old || !recent) throw new Error("there are two versions");
  const changes = findVersionChanges({ before, after });
  const breaks: Break[] = [];
  // Breaking changes that need rare values take longer to find.
  for (let round = 0; round < 20; round += 1) {
    breaks.push(...(await findBreaks(old, recent, random, messageCount)));
    if (!audiences.some((each) => isAlarm(each, breaks, changes))) break;
  }
  return { breaks, changes };
}

/** Returns the findings about two versions. */
export function findVersionChanges({
  before,
  after,
}: ReturnType<typeof buildPair>): readonly Change[] {
  return findChanges(
    before.contract,
    after.contract,
    after.modes,
    before.modes,
  );
}

/** Compiles both versions of a pair. */
export function buildPair({ before, after }: Pair): {
  readonly before: Version;
  readonly after: Version;
} {
  const [then, now] = [before, after].map(({ documents, modes }) =>
    buildVersion(documents, modes),
  );
  if (!then || !now) throw new Error("one of the versions has errors");
  return { before: then, after: now };
}

function isSilent(
  audience: Audience,
  breaks: readonly Break[],
  changes: readonly Change[],
): boolean {
  const found = breaks.filter((each) => each.audience === audience);
  const level = levelFor(audience, changes);
  return found.some(({ isCertain }) =>
    isCertain ? level !== "error" : level !== "error" && level !== "danger",
  );
}

function isAlarm(
  audience: Audience,
  breaks: readonly Break[],
  changes: readonly Change[],
): boolean {
  const found = breaks.some((each) => each.audience === audience);
  return !found && levelFor(audience, changes) === "error";
}

const levels: readonly (Level | undefined)[] = [
  undefined,
  "note",
  "danger",
  "error",
];

/** Returns the most severe finding for an audience. */
export function levelFor(
  audience: Audience,
  changes: readonly Change[],
): Level | undefined {
  const found = changes.map(({ effects }) => levels.indexOf(effects[audience]));
  return levels[Math.max(0, ...found)];
}

function printVerdict(
  pair: Pair,
  breaks: readonly Break[],
  changes: readonly Change[],
): string {
  const broken = audiences.flatMap((audience) =>
    breaks
      .filter((each) => each.audience === audience)
      .slice(0, 3)
      .map(({ what }) => `${audience}: ${what}`),
  );
  return printPair(pair, broken, changes);
}

/** Returns the text that describes a failed pair. */
export function printPair(
  { seed, before, after }: Pair,
  found: readonly string[],
  changes: readonly Change[],
): string {
  return [
    `seed ${seed}`,
    ...[before, after].flatMap(({ documents, modes }) => [
      `--- ${JSON.stringify(modes)}`,
      ...Object.entries(documents).map(([path, text]) => `# ${path}\n${text}`),
    ]),
    "executed:",
    ...found.slice(0, 6),
    "said:",
    ...changes.map(
      ({ code, message, effects }) =>
        `${code}: ${message} ${JSON.stringify(effects)}`,
    ),
  ].join("\n");
}

/** Returns the seeds of a run. Each `npm run test:long` uses different ones. */
export function seedsOf(count: number): readonly number[] {
  const seed = Number(process.env["RIDLKIT_SEED"] ?? 1) % 1_000_000;
  return Array.from({ length: count }, (_, index) => seed * 4000 + index);
}
