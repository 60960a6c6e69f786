import { SpanKind } from "@opentelemetry/api";
import { sql } from "kysely";
import {
  type Address,
  BaseError,
  type Hex,
  type LocalAccount,
  type PublicClient,
} from "viem";

import {
  InvalidArgumentError,
  UnavailableError,
} from "../../generated/errors.js";
import { enterLock, lockName, lockRow } from "../database/locks.js";
import { requireRoom } from "../database/require-room.js";
import type { Database, Transaction } from "../database/schema.js";
import { askAll } from "../network/agreement/ask-all.js";
import {
  areClose,
  majorityOf,
  present,
} from "../network/agreement/majority.js";
import type { Network } from "../network/networks.js";
import { isRefusal, readChain } from "../network/read-chain.js";
import type { Platform } from "../parts/platform.js";
import { enqueue } from "../queue/enqueue.js";
import {
  type GasTankPlace,
  readFreeGas,
} from "../services/relayer/gas-tanks.js";
import { laneOf, relayQueue } from "../services/relayer/relay-queue.js";
import type { Settings } from "../settings/read-settings.js";
import { estimateRollupFees } from "./evidence/rollup-fees.js";
import { requireNextNonce } from "./call-nonce.js";
import { explainRefusal } from "./forwarded-call.js";
import {
  type Evidence,
  judgeGas,
  maxCostOf,
  maxGas,
  offerPrice,
} from "./evidence/evidence.js";
import { noPrice, tooExpensive } from "./evidence/price.js";
import { readBalance, readMarket } from "./evidence/read-market.js";
import { requireRelayAccount } from "./relay-account.js";
import type { Relay } from "./generated/types.js";
import { findRepeated, type SignedCall, toRelay } from "./relays.js";
import {
  type Sponsor,
  requirePayer,
  requireSponsors,
  sponsorableAddresses,
} from "./sponsorship.js";
import { inSpan, readTraceparent } from "../tracing/spans.js";

/**
 * A large nonce for estimating the data fee, which depends on the nonce's
 * length.
 */
const maxNonce = 2 ** 32;

/** Runs work in a transaction. */
export type InTransaction = <Result>(
  work: (transaction: Transaction) => Promise<Result>,
) => Promise<Result>;

/** The gas limit and the maximum costs of a call at the current price. */
interface Plan {
  readonly gas: Evidence<bigint>;
  readonly maxDataFee: Evidence<bigint>;
  readonly maxCost: Evidence<bigint>;
}

/**
 * Relays a wallet's call if the project sponsors the wallet or the call's
 * target. The project's gas tank pays for it. The call is stored, its maximum
 * cost is reserved, and a worker sends it. If the same call is already stored,
 * returns its relay.
 *
 * Input: `inTransaction` runs the part that stores the call.
 * Errors: `PermissionDenied` if there is no matching active sponsor, the project
 * has too many pending relays, or a budget is used up; `InvalidArgument` if the wallet must be
 * a contract and is not, or if the call would fail, needs too much gas, does
 * not have the next nonce, or has the nonce of another pending call;
 * `Unavailable` if the tank or the relaying account has insufficient funds, the
 * network has no relaying account or no forwarder, or its chain does not
 * respond.
 */
export async function relay(
  platform: Pick<Platform, "database" | "settings">,
  network: Network,
  request: SignedCall,
  inTransaction: InTransaction,
): Promise<Relay> {
  const { database, settings } = platform;
  const { account } = requireRelayAccount(settings, network);
  const find = () => findRepeated(database, network, request);
  const known = await find();
  if (known !== null) return known;
  let examined: Examined;
  try {
    examined = await examine(database, network, account, request);
  } catch (error) {
    // Meanwhile, the same call may have been stored and mined. Its nonce is then
    // used.
    const meanwhile = await find().catch(() => null);
    if (meanwhile !== null) return meanwhile;
    throw error;
  }
  // Do not catch errors from here on: a transaction that has failed has no answer.
  return inSpan("store relay", { kind: SpanKind.PRODUCER }, () =>
    inTransaction((transaction) =>
      storeOnce(transaction, settings, network, request, examined),
    ),
  );
}

/** What is known about a call before it is stored. */
interface Examined {
  /** The addresses whose sponsors can pay for the call. */
  readonly addresses: readonly string[];
  readonly plan: Plan;
}

async function examine(
  database: Database,
  network: Network,
  account: LocalAccount,
  request: SignedCall,
): Promise<Examined> {
  const place = { projectId: request.projectId, chainId: network.chainId };
  const addresses = await inSpan("find sponsor", {}, async () => {
    const found = await sponsorableAddresses(network, request);
    await requireSponsors(database, place, found);
    return found;
  });
  if (request.forwarder !== null) await requireNextNonce(network, request.call);
  const plan = await inSpan("estimate cost", {}, () =>
    planTransaction(network, account, request),
  );
  return { addresses, plan };
}

/** Stores a call, unless it is stored already. */
async function storeOnce(
  transaction: Transaction,
  settings: Settings,
  network: Network,
  request: SignedCall,
  { addresses, plan }: Examined,
): Promise<Relay> {
  const place = { projectId: request.projectId, chainId: network.chainId };
  const { wallet } = request.call;
  const calls = `calls of ${wallet} on ${network.chainId}`;
  await lockName(transaction, "wallet", calls);
  await lockRow(transaction, "project", place.projectId);
  const meanwhile = await findRepeated(transaction, network, request);
  if (meanwhile !== null) return meanwhile;
  enterLock(transaction, "sponsor");
  const sponsors = await requireSponsors(transaction, place, addresses);
  const paid = { ...place, wallet, maxCost: plan.maxCost };
  const { relaysPerProject: max, relaysPerWallet } = settings;
  const sponsor = await requirePayer(
    transaction,
    sponsors,
    paid,
    relaysPerWallet,
  );
  await requireRelayRoom(transaction, place, sponsor, max);
  await requireGas(transaction, sponsor, plan);
  return store(transaction, network, request, sponsor, plan);
}

async function planTransaction(
  network: Network,
  { address }: LocalAccount,
  { call, forwarder, data }: SignedCall,
): Promise<Plan> {
  const to = forwarder ?? call.wallet;
  const question = { account: address, to, data };
  const plan = await readChain(network, async () => ({
    needed: await estimateCall(network, question),
    market: await readMarket(network),
    balance: await readBalance(network, { address }),
  }));
  const gas = plan && judgeGas(plan.needed);
  if (plan === null || gas === null) {
    const cause = `the call needs ${plan?.needed.join(" or ")} gas, which is more than ${maxGas}`;
    throw new InvalidArgumentError({ cause });
  }
  if (plan.market === null) throw new UnavailableError({ cause: noPrice });
  const price = offerPrice(plan.market);
  if (price === null) throw new UnavailableError({ cause: tooExpensive });
  const maxDataFee = await estimateRollupFees(network, {
    ...price.value.fields,
    chainId: network.chainId,
    nonce: maxNonce,
    to,
    data,
    gas: gas.value,
  });
  const maxCost = maxCostOf(gas, price, maxDataFee);
  if (plan.balance.value >= maxCost.value) return { gas, maxDataFee, maxCost };
  const cause = `the balance of the relaying account on ${network.handle} is too low`;
  throw new UnavailableError({ cause });
}

/** What a node estimates for a call, or why the call would fail. */
type Estimate = { readonly gas: bigint } | { readonly refusal: string };

/**
 * Returns the gas that each node estimates for a call, and a fifth more, because
 * the call may take a different code path when it is executed.
 *
 * Errors: `InvalidArgument` if the call would fail on most nodes; `Unavailable` if
 * it would neither fail nor succeed on most of them; any error from viem, if no node responds.
 */
async function estimateCall(
  network: Network,
  question: {
    readonly account: Address;
    readonly to: Address;
    readonly data: Hex;
  },
): Promise<readonly bigint[]> {
  const estimate = async (node: PublicClient): Promise<Estimate> => {
    try {
      return { gas: ((await node.estimateGas(question)) * 6n) / 5n };
    } catch (error) {
      if (!(error instanceof BaseError) || !isRefusal(error)) throw error;
      const usual = "the wallet rejects the call, or the call fails";
      return { refusal: explainRefusal(error) ?? usual };
    }
  };
  const nodes = network.nodes();
  const split = (estimates: readonly (Estimate | null)[]) => ({
    needed: present(estimates).flatMap((each) =>
      "gas" in each ? each.gas : [],
    ),
    refusals: present(estimates).flatMap((each) =>
      "gas" in each ? [] : each.refusal,
    ),
  });
  const { needed, refusals } = split(
    await askAll(nodes, estimate, (found) => {
      const { needed: gas, refusals: others } = split(found);
      return areClose(gas) && (gas.length === 0 || others.length === 0);
    }),
  );
  const majority = majorityOf(nodes.length);
  if (needed.length >= majority) return needed;
  const [cause] = refusals;
  if (cause !== undefined && refusals.length >= majority) {
    throw new InvalidArgumentError({ cause });
  }
  const doubt = `most nodes of ${network.handle} do not agree whether the call fails`;
  throw new UnavailableError({ cause: doubt });
}

function requireRelayRoom(
  transaction: Transaction,
  { projectId, chainId }: GasTankPlace,
  { gasTankId }: Sponsor,
  max: number,
): Promise<void> {
  return requireRoom(
    transaction,
    { projectId, max, what: `pending relays on chain ${chainId}` },
    sql`
      select from relays
      where gas_tank_id = ${gasTankId} and state = 'pending'`,
  );
}

async function requireGas(
  transaction: Transaction,
  { gasTankId }: Sponsor,
  { maxCost }: Plan,
): Promise<void> {
  const free = await readFreeGas(transaction, gasTankId);
  if (free >= maxCost.value) return;
  const cause = "the project's gas tank has insufficient funds";
  throw new UnavailableError({ cause });
}

async function store(
  transaction: Transaction,
  { chainId }: Network,
  { call, data, forwarder, hash, projectId, requestId }: SignedCall,
  sponsor: Sponsor,
  { gas, maxDataFee, maxCost }: Plan,
): Promise<Relay> {
  const row = await transaction
    .insertInto("relays")
    .values({
      project_id: projectId,
      gas_sponsor_id: sponsor.id,
      gas_tank_id: sponsor.gasTankId,
      chain_id: chainId,
      wallet: call.wallet.toLowerCase(),
      forwarder: forwarder?.toLowerCase() ?? null,
      wallet_nonce: call.nonce.toString(),
      call_hash: hash,
      data,
      gas: gas.value.toString(),
      deadline: call.deadline.toString(),
      max_data_fee: maxDataFee.value.toString(),
      max_cost: maxCost.value.toString(),
      first_max_cost: maxCost.value.toString(),
      traceparent: readTraceparent(),
      request_id: requestId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const key = String(row.id);
  const lane = laneOf(row);
  await enqueue(transaction, relayQueue, [{ key, payload: row.id, lane }]);
  return toRelay(row);
}
