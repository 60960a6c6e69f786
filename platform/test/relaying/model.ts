import { chooseNonce, judgeReports } from "../../relaying/evidence/evidence.js";
import {
  chooseReplacement,
  type Findings,
  isUnchanged,
  type KnownRelay,
  type KnownTransaction,
  lostMs,
  minFinalMs,
  nextStep,
  nonceKey,
  type Step,
} from "../../relaying/next-step.js";
import { byHash, combine, distinct } from "./combine.js";
import { idOf } from "./id-of.js";
import {
  type Block,
  costOf,
  countOf,
  headOf,
  receiptOf,
  scale,
  userOf,
  viewsOf,
} from "./model-chain.js";

/**
 * A model of one relay: the chain, the nodes, the database and two instances.
 * The decisions are those of `nextStep` itself. The rest is modeled:
 *
 * - Each question of an instance is answered by any node, and a node knows any
 *   block that the chain ever had: it can lag behind by any number of blocks, or
 *   stay on an abandoned fork. It can also leave out what it knows.
 * - Because nodes never lose such an old view, an answer from before a block was
 *   mined is also possible afterward. All questions of an instance are therefore
 *   asked at once, and blocks are mined between a decision and its effect.
 * - One instance decides and acts at once. The other one can be suspended in
 *   between, for any time or for ever. Two suspended ones add nothing, because
 *   the first one to act could as well have decided just then.
 * - An instance can crash between storing a transaction and sending it. A
 *   transaction that is sent late could as well be mined late.
 * - Any stored time can be recent or long ago, and the deadline can seem to have
 *   passed at any time.
 */
export interface World {
  readonly chain: readonly Block[];
  /** The chain before the reorganization. */
  readonly abandoned: readonly Block[] | null;
  readonly stored: StoredRelay;
  /** Transactions that were sent. Each can be mined at any later time. */
  readonly sent: readonly string[];
  /** The decision of the suspended instance. */
  readonly suspended: Decision | null;
  /** How often an instance can still decide and act, and how often suspended. */
  readonly looks: number;
  readonly suspensions: number;
  readonly crashes: number;
  /** The number of transactions that another program can still send. */
  readonly strangers: number;
}

interface StoredRelay {
  readonly relay: KnownRelay;
  readonly isFinal: boolean;
  /** What the tank has paid in total. */
  readonly paid: bigint;
}

/** What an instance has decided, and the relay as it has read it. */
interface Decision {
  readonly read: KnownRelay;
  readonly step: Effect;
}

type Effect = Exclude<Step, { readonly kind: "ask" | "wait" }>;

/** The limits of an exploration. */
export interface Bounds {
  readonly blocks: number;
  readonly transactions: number;
  readonly looks: number;
  readonly suspensions: number;
  readonly crashes: number;
  readonly strangers: number;
}

/** The relaying account. */
const account = "relayer";

const unpaid: KnownRelay = {
  ...{ state: "pending", hash: null, gasUsed: 0n, cost: 0n, blockNumber: null },
  ...{ transactions: [], settledMs: null, unexplainedMs: null },
};

/** Returns the world in which a relay was just accepted. */
export function createWorld(bounds: Bounds): World {
  const { crashes, looks, strangers, suspensions } = bounds;
  return {
    ...{ chain: [], abandoned: null, sent: [], suspended: null },
    ...{ crashes, looks, strangers, suspensions },
    stored: { relay: unpaid, isFinal: false, paid: 0n },
  };
}

/** Returns all worlds that can follow a world. */
export function findNext(world: World, bounds: Bounds): readonly World[] {
  const { looks, stored, suspended, suspensions } = world;
  const decisions = stored.isFinal
    ? []
    : findEffects(world).map((step) => ({ read: stored.relay, step }));
  const now = { ...world, looks: looks - 1 };
  const later = { ...world, suspensions: suspensions - 1 };
  return [
    ...mine(world, bounds),
    ...reorganize(world),
    ...(looks > 0
      ? decisions.flatMap((decision) => act(now, bounds, decision))
      : []),
    ...(suspended !== null
      ? act({ ...world, suspended: null }, bounds, suspended)
      : suspensions > 0
        ? decisions.map((decision) => ({ ...later, suspended: decision }))
        : []),
  ];
}

/** Returns the costs of the relay's transactions on the chain. */
export function costOnChain({ chain }: World): bigint {
  return chain.reduce((sum, block) => sum + costOf(block), 0n);
}

/** Returns what is wrong with a world, or null. */
export function findFault(world: World): string | null {
  const { abandoned, chain, stored } = world;
  if (stored.paid !== stored.relay.cost) return "the tank paid another amount";
  const calls = chain.filter(({ transaction }) =>
    transaction?.startsWith("call"),
  );
  if (calls.filter(({ isSuccess }) => isSuccess).length > 1) {
    return "the call was made twice";
  }
  if (abandoned === null && calls.length > 1) {
    return "two transactions were mined for one call";
  }
  if (!stored.isFinal) return null;
  if (stored.paid !== costOnChain(world)) return "a final cost is wrong";
  const isUsed = stored.relay.transactions.every(
    ({ nonce }) => nonce < countOf(chain),
  );
  return isUsed ? null : "a transaction can still be mined";
}

/**
 * Continues without faults: nodes are up to date, and all transactions are
 * mined. Returns what is wrong at the end, or null if the relay became final.
 */
export function findFinalFault(start: World): string | null {
  let world: World = { ...start, suspended: null, crashes: 0, strangers: 0 };
  const bounds = { blocks: Infinity, transactions: Infinity };
  for (let round = 0; round < 40 && !world.stored.isFinal; round += 1) {
    for (;;) {
      const { chain, stored } = world;
      const [step] = effectsOf(stored.relay, [chain]);
      if (step === undefined || stored.isFinal) break;
      world = act(world, bounds, { read: stored.relay, step }).at(0) ?? world;
      if (step.kind === "push" || step.kind === "sign") break;
    }
    world = mine(world, bounds).at(-1) ?? world;
  }
  return world.stored.isFinal ? findFault(world) : "the relay stays open";
}

/** Mines each transaction that can be next, an empty block, or a stranger's. */
function mine(world: World, bounds: Pick<Bounds, "blocks">): readonly World[] {
  const { abandoned, chain, sent, stored, strangers } = world;
  if (chain.length === bounds.blocks) return [];
  const add = (transaction: string | null, isSuccess: boolean): World => {
    const fork = abandoned === null ? "a" : "b";
    const name = transaction ?? "empty";
    const hash = `${fork}${chain.length} ${name} ${isSuccess}`;
    return { ...world, chain: [...chain, { hash, transaction, isSuccess }] };
  };
  const count = countOf(chain);
  const next = stored.relay.transactions.filter(
    ({ hash, nonce }) => nonce === count && sent.includes(hash),
  );
  // The platform fills gaps between nonces with transactions without effect.
  const hasGap =
    stored.relay.transactions.every(({ nonce }) => nonce !== count) &&
    stored.relay.transactions.some(({ nonce }) => nonce > count);
  const isMade = chain.some(
    ({ isSuccess, transaction }) =>
      isSuccess && transaction?.startsWith("call"),
  );
  return [
    ...(strangers > 0
      ? [{ ...add("stranger", true), strangers: strangers - 1 }]
      : []),
    add(null, true),
    ...(hasGap ? [add("filler", true)] : []),
    ...next.map(({ hash }) => add(hash, false)),
    ...next
      .filter(({ isCancel }) => isCancel || !isMade)
      .map(({ hash }) => add(hash, true)),
  ];
}

/** Removes the last block or the last two, once. */
function reorganize(world: World): readonly World[] {
  const { abandoned, chain } = world;
  if (abandoned !== null) return [];
  return [1, 2]
    .filter((depth) => depth <= chain.length)
    .map((depth) => ({
      ...world,
      chain: chain.slice(0, -depth),
      abandoned: chain,
    }));
}

const knownEffects = new Map<string, readonly Effect[]>();

/** Returns everything that an instance can decide, whatever nodes answer. */
function findEffects(world: World): readonly Effect[] {
  const { abandoned, chain, stored } = world;
  const key = [stored.relay, chain, abandoned ?? []].map(idOf).join(" ");
  const known = knownEffects.get(key);
  if (known !== undefined) return known;
  const effects = effectsOf(stored.relay, viewsOf(world));
  knownEffects.set(key, effects);
  return effects;
}

function effectsOf(
  read: KnownRelay,
  views: readonly (readonly Block[])[],
): readonly Effect[] {
  const isFair = views.length === 1;
  const steps = new Map<string, Effect>();
  // Of all last blocks, only the latest and one before the booked block matter.
  const heads = views.map(headOf);
  const early = heads.find((each) => each < (read.blockNumber ?? -Infinity));
  const either = [Math.max(...heads), ...(early === undefined ? [] : [early])];
  const hasTimes = read.settledMs !== null || read.unexplainedMs !== null;
  for (const isOld of isFair || !hasTimes ? [true] : [false, true]) {
    const relay: KnownRelay = {
      ...read,
      settledMs: read.settledMs === null ? null : isOld ? minFinalMs : 0,
      unexplainedMs: read.unexplainedMs === null ? null : isOld ? lostMs : 0,
    };
    for (const lateness of isFair
      ? (["early"] as const)
      : (["early", "late"] as const)) {
      for (const head of either) {
        for (const step of ask(relay, { lateness }, { views, head })) {
          steps.set(keyOfStep(step), step);
        }
      }
    }
  }
  return [...steps.values()];
}

/** Identifies a step among those that are possible in one world. */
function keyOfStep(step: Effect): string {
  switch (step.kind) {
    case "book":
      return `book ${[...step.receipts.values()].map(({ value }) => value.blockHash).join()} ${step.status.value.state}`;
    case "push":
      return `push ${step.live.map(({ hash }) => hash).join()} ${step.isCanceled}`;
    case "sign":
      return `sign ${step.count.value}`;
    case "note":
    case "finish":
      return step.kind;
  }
}

/** Returns the effects of all possible answers. */
function ask(
  relay: KnownRelay,
  findings: Findings,
  nodes: Nodes,
): readonly Effect[] {
  const step = nextStep(relay, findings, account);
  if (step.kind === "wait") return [];
  if (step.kind !== "ask") return [step];
  return answers(step, relay, nodes).flatMap((answer) =>
    ask(relay, { ...findings, ...answer }, nodes),
  );
}

/** What nodes know, and the last block that they report. */
interface Nodes {
  readonly views: readonly (readonly Block[])[];
  readonly head: number;
}

/** What was signed for each transaction of the model. */
const limits = { gas: 1n, price: 100n, charge: 100n };

function answers(
  step: Extract<Step, { readonly kind: "ask" }>,
  relay: KnownRelay,
  { head, views }: Nodes,
): readonly Partial<Findings>[] {
  switch (step.question) {
    case "report": {
      // The nodes share one URL, and are honest, so each answer is believed.
      const counts = [...new Set(views.map(countOf))];
      const receipts = combine(relay.transactions, ({ hash }) =>
        distinct(
          views.map((view) => receiptOf(view, hash)),
          (receipt) => receipt?.blockHash,
        ),
      );
      const signed = new Map([[account, 0]]);
      const { transactions } = relay;
      const known = { signed, transactions, maxRollupFee: 0n };
      return counts.flatMap((count) =>
        receipts.map((found) => {
          const report = {
            ...{ head, time: 0n, counts: new Map([[account, count]]) },
            ...{ proven: new Set([account]), receipts: byHash(found) },
          };
          return { report: judgeReports([report], known) };
        }),
      );
    }
    case "users":
      return combine(step.about, ({ nonce }) =>
        distinct(
          views.map((view) => userOf(view, nonce)),
          (user) => user?.blockHash,
        ),
      ).map((found) => ({
        users: new Map(
          found.flatMap((user, index) => {
            const about = step.about[index];
            return user && about ? [[nonceKey(about), user] as const] : [];
          }),
        ),
      }));
    case "bookedBlock":
      return distinct(
        views.map((view) => {
          const block = view[(relay.blockNumber ?? 0) / scale];
          return block ? [block.transaction ?? "none"] : null;
        }),
        (block) => block?.[0],
      ).map((transactions) => ({ bookedBlock: [{ head, transactions }] }));
    case "views":
      return views.map((view) => {
        const hashes = view.map(
          ({ hash }, height) => [height * scale, hash] as const,
        );
        return { views: [{ head: headOf(view), hashes: new Map(hashes) }] };
      });
  }
}

/** Stores and sends what an instance has decided. */
function act(
  world: World,
  { transactions: most }: Pick<Bounds, "transactions">,
  { read, step }: Decision,
): readonly World[] {
  const { crashes, stored } = world;
  const { relay } = stored;
  if (stored.isFinal || !isUnchanged(read, relay)) return [world];
  const write = (change: Partial<KnownRelay>, paid = stored.paid): World => ({
    ...world,
    stored: { ...stored, relay: { ...relay, ...change }, paid },
  });
  const send = (to: World, hash: string): World => ({
    ...to,
    sent: [...new Set([...world.sent, hash])].sort(),
  });
  const store = (nonce: number, isCancel: boolean): readonly World[] => {
    if (relay.transactions.length >= most) return [];
    const hash = `${isCancel ? "cancel" : "call"} ${relay.transactions.length}`;
    const added: KnownTransaction = {
      ...{ hash, account, nonce, isCancel, limits },
      ...{ signedAt: null, signedMs: 0 },
    };
    const transactions = [...relay.transactions, added];
    const after = write({ hash, transactions });
    return [
      send(after, hash),
      ...(crashes > 0 ? [{ ...after, crashes: crashes - 1 }] : []),
    ];
  };
  switch (step.kind) {
    case "note":
      return [write({ unexplainedMs: step.isUnexplained ? 0 : null })];
    case "finish":
      return [{ ...world, stored: { ...stored, isFinal: true } }];
    case "book": {
      const { cost, state } = step.status.value;
      const settledMs = state === "pending" ? null : 0;
      const paid = stored.paid + cost - relay.cost;
      return [write({ ...step.status.value, settledMs }, paid)];
    }
    case "sign": {
      const taken = new Set(relay.transactions.map(({ nonce }) => nonce));
      return store(chooseNonce(step.count, null, taken).value, false);
    }
    case "push":
      if (step.doubt !== null) {
        return [step.live.reduce((to, { hash }) => send(to, hash), world)];
      }
      return step.live.flatMap(({ hash, isCancel, nonce }) =>
        [false, true].flatMap((isTooLow) => {
          const { isCanceled } = step;
          const chosen = chooseReplacement({ isCancel, isCanceled, isTooLow });
          if (chosen === "unchanged") return [send(world, hash)];
          // The tank may be unable to pay for the call.
          return chosen === "call"
            ? [...store(nonce, false), ...store(nonce, true)]
            : store(nonce, true);
        }),
      );
  }
}

/** Identifies a world by its contents. */
export function keyOf(world: World): string {
  const { crashes, looks, suspended, suspensions } = world;
  const { read, step } = suspended ?? {};
  const held = read && step ? [idOf(read), idOf(step)] : [];
  return [stateKeyOf(world), crashes, looks, suspensions, ...held].join(",");
}

/** Identifies a world by what is stored or mined, without its instances. */
export function stateKeyOf({
  abandoned,
  chain,
  sent,
  stored,
  strangers,
}: World): string {
  const { isFinal, paid, relay } = stored;
  const parts = [relay, chain, abandoned ?? [], sent].map(idOf);
  return [...parts, isFinal, paid, strangers].join(",");
}
