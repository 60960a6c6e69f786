import { createHash } from "node:crypto";
import type { HostSkew } from "../../../generator/4-emit/emitter/emitter.js";
import { credentialsOf } from "../../../generator/ir/credentials-of.js";
import {
  announcedIn,
  isAnnounced,
} from "../../../tools/breaking/compatibility/announced.js";
import { headerOf } from "../../../tools/breaking/compatibility/digest.js";
import {
  recordHistory,
  type Release,
} from "../../../tools/breaking/compatibility/record.js";
import { onSkew } from "../../../runtime/typescript/client/on-skew.js";
import { Random } from "../../support/random.js";
import {
  type LoadedVersion,
  loadVersion,
  type Version,
} from "./build-version.js";
import { poolOf, ValueDraw } from "./draw-value.js";
import { type CallOptions, callPeer, Peer, type Placed } from "./peer.js";
import { findOther } from "./find-breaks.js";
import { drawResponse } from "./statuses.js";
import {
  buildPair,
  drawPair,
  findVersionChanges,
  type Pair,
  printPair,
} from "./try-pairs.js";

/** What errors of old clients of new servers say. */
export interface SkewTally {
  readonly pairCount: number;
  /** Failed calls that succeed with the client's own server. */
  readonly failedCount: number;
  /** Those that name the change as the reason, or as a possible reason. */
  readonly provenCount: number;
  readonly possible: readonly string[];
  /** Those that only name both versions. */
  readonly vague: readonly string[];
  /** Those that do not say that the contracts differ. */
  readonly silent: readonly string[];
  /** Failed calls for another reason, which the client's own server refuses. */
  readonly ownFaultCount: number;
  /** Those of them that name a change as the reason. */
  readonly false: readonly string[];
}

type Growing = {
  -readonly [Key in keyof SkewTally]: SkewTally[Key] extends number
    ? number
    : string[];
};

/** Calls new servers with old clients, and reads what the errors say. */
export async function tallySkew(
  seeds: readonly number[],
  messageCount: number,
): Promise<SkewTally> {
  const tally: Growing = {
    ...{ pairCount: 0, failedCount: 0, provenCount: 0, ownFaultCount: 0 },
    ...{ possible: [], vague: [], silent: [], false: [] },
  };
  for (const seed of seeds) {
    const pair = drawPair(seed);
    if (pair === null) continue;
    tally.pairCount += 1;
    await tryPair(pair, messageCount, tally);
  }
  return tally;
}

async function tryPair(
  pair: Pair,
  messageCount: number,
  tally: Growing,
): Promise<void> {
  const built = buildPair(pair);
  const [old, recent] = loadTelling(built);
  const random = new Random(pair.seed + 2);
  const client = new Peer(old);
  const server = new Peer(recent);
  for (const placed of client.methods.filter((each) => isTold(each, built))) {
    // A host without services has no server.
    if (server.serverOf(placed) === undefined) continue;
    const other = findOther(server, placed);
    const pool = poolOf([old, recent]);
    const requests = new ValueDraw(old, pool, random, "request");
    const answers = {
      own: new ValueDraw(old, pool, random, "response"),
      cross: new ValueDraw(recent, pool, random, "response"),
    };
    for (let index = 0; index < messageCount; index += 1) {
      const { fields } = placed.method.request;
      const request = requests.message(fields);
      const body = random.chance(0.3) ? oddBody(fields, random) : undefined;
      const own = await callPeer(client, client, placed, request, {
        ...planOf(answers.own, placed, random, body),
      });
      let change: string | null = null;
      const crossed = await callPeer(client, server, placed, request, {
        ...planOf(answers.cross, other ?? placed, random, body),
        use: [onSkew((skew) => void (change = skew.change))],
      });
      const { isOk } = crossed.outcome;
      // The client refuses to send some requests, and a handler can return what its
      // own contract forbids.
      if (isOk || Number.isNaN(crossed.outcome.code) || crossed.status === 500)
        continue;
      const cause = String(crossed.outcome.cause);
      const report = (): string =>
        printPair(pair, [placed.method.name, cause], findVersionChanges(built));
      // Interceptors do not see the items of streams, so only the function of
      // `onSkew` gets the change.
      const isItem = placed.method.response.isStream && crossed.status === 200;
      const told = isItem && change !== null ? `${cause}; ${change}` : cause;
      count(own.outcome, told, isItem, report, tally);
    }
  }
}

function planOf(
  draw: ValueDraw,
  { method }: Placed,
  random: Random,
  body: string | undefined,
): CallOptions {
  const value = drawResponse(draw, method, random);
  const plan = { kind: "answer", value } as const;
  return body === undefined ? { plan } : { plan, body };
}

function count(
  own: Awaited<ReturnType<typeof callPeer>>["outcome"],
  cause: string,
  isItem: boolean,
  report: () => string,
  tally: Growing,
): void {
  const isPossible = isItem || cause.includes("may be the reason");
  const isNamed = /(?:^|; )in v[\d.]+: /u.test(cause);
  if (own.isOk) {
    tally.failedCount += 1;
    if (!isNamed && !cause.includes("this client was made from"))
      tally.silent.push(report());
    else if (isPossible) tally.possible.push(report());
    else if (isNamed) tally.provenCount += 1;
    else tally.vague.push(report());
    return;
  }
  tally.ownFaultCount += 1;
  // A change is the reason only if there are faults that the old server
  // does not see.
  const places = faultsIn(cause);
  const known = faultsIn(String(own.cause));
  const isNew = places.some((place) => !known.includes(place));
  if (isNamed && !isPossible && places.length > 0 && !isNew)
    tally.false.push(report());
}

/**
 * Returns the places of invalid fields in a cause, and what was there. Something
 * else at the same place is another fault, such as a field that moved.
 */
function faultsIn(cause: string): readonly string[] {
  return Array.from(
    cause.matchAll(/(?:^|; )([^;:]+): expected [^;]*?, got ([^;]*)/gu),
    ([, place = "", got = ""]) => `${place} ${got}`,
  );
}

/** Returns a body in which some fields are missing or have another type. */
function oddBody(
  fields: Placed["method"]["request"]["fields"],
  random: Random,
): string {
  const entries = fields.flatMap(({ jsonName }) =>
    random.chance(0.5)
      ? [[jsonName, random.oneOf([[[{ odd: 1 }]], null, "odd", 7])]]
      : [],
  );
  return JSON.stringify(Object.fromEntries(entries));
}

/** Whether a client says which contract it has, and the server reads it. */
function isTold(
  { method, service }: Placed,
  { after, before }: ReturnType<typeof buildPair>,
): boolean {
  const hosts = [...after.contract.hosts, ...before.contract.hosts];
  const { contract } = before;
  return (
    service.direction === "inbound" &&
    hosts.every(({ errorBody }) => errorBody === null) &&
    isAnnounced(method, credentialsOf(method, contract))
  );
}

/** Loads both versions, of which the second knows the first one. */
function loadTelling({
  after,
  before,
}: ReturnType<typeof buildPair>): readonly [LoadedVersion, LoadedVersion] {
  const sha256 = (text: string): string =>
    createHash("sha256").update(text).digest("base64url");
  const [old, recent] = [before, after].map(({ contract, modes }): Release => ({
    whole: contract,
    part: contract,
    modes,
  }));
  if (!old || !recent) throw new Error("there are two versions");
  const load = (version: Version, current: Release, releases: Release[]) => {
    const { hosts } = recordHistory({ current, releases, sha256 });
    const skew = new Map<string, HostSkew>();
    for (const host of version.contract.hosts) {
      const known = hosts[host.name];
      if (known === undefined) continue;
      const header = headerOf(host, known.digest, known.version);
      const announced = announcedIn(host, version.contract);
      skew.set(host.name, { ...known, header, announced });
    }
    const modes = { ...version.modes, skew };
    return loadVersion({ ...version, modes });
  };
  return [load(before, old, []), load(after, recent, [old])];
}
