import type { Kysely, Transaction } from "kysely";
import { type Hex, keccak256, type LocalAccount } from "viem";

import {
  InvalidArgumentError,
  PermissionDeniedError,
  UnavailableError,
} from "../../generated/errors.js";
import type { Tables } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { readChain } from "../network/read-chain.js";
import type { Platform } from "../platform.js";
import { enqueue } from "../queue/enqueue.js";
import { takeNonce } from "./account-nonces.js";
import { estimateDataFee } from "./data-fee.js";
import { type Price, readPrice } from "./price.js";
import { requireRelayAccount } from "./relay-account.js";
import { findKnownCall, readFreeGas, type Relay, toRelay } from "./relays.js";
import {
  type Sponsor,
  findSponsor,
  sponsorableAddresses,
} from "./sponsorship.js";
import { encodeCall, hashOfCall, type WalletCall } from "./wallet-call.js";

/** What is to be relayed, and for whom. */
export interface RelayRequest {
  readonly projectId: number;
  readonly call: WalletCall;
  /** Of the wallet's owner. */
  readonly signature: Hex;
}

/** The queue of transactions that have to come to a receipt. */
export const relayQueue = "relays";

/** What a call can need, with all that belongs to it. */
const maxGas = 3_000_000n;

/** The longest that one becomes, for data are paid for by their length. */
const maxNonce = 2 ** 32;

/** All that is known of a transaction before it has its nonce. */
interface Plan {
  readonly data: Hex;
  readonly gas: bigint;
  readonly price: Price;
  /** What it can cost at most, as far as that is known. */
  readonly maxCost: bigint;
}

/**
 * Has a call of a wallet made at the cost of the project's gas tank, if it
 * sponsors the wallet or what is called. The transaction is stored before it is
 * sent, and what it can cost is kept for it. The same call again is answered
 * with what there is of it.
 *
 * Errors: `PermissionDenied` when no active sponsor fits, `InvalidArgument` when
 * the call would fail, `Unavailable` when the tank has too little, the network
 * has no account that relays, or its chain does not answer.
 */
export async function relay(
  platform: Pick<Platform, "database" | "settings">,
  network: Network,
  request: RelayRequest,
): Promise<Relay> {
  const { database, settings } = platform;
  const place = requireRelayAccount(settings, network);
  const { account } = place;
  const known = await findSame(database, network, request);
  if (known !== null) return known;
  const addresses = await sponsorableAddresses(network, request.call);
  await requireSponsor(database, network, request, addresses);
  const plan = await planTransaction(network, account, request);
  return database.transaction().execute(async (transaction) => {
    const nonce = await takeNonce(transaction, place);
    const meanwhile = await findSame(transaction, network, request);
    if (meanwhile !== null) return meanwhile;
    const known = [transaction, network, request] as const;
    const sponsor = await requireSponsor(...known, addresses);
    await requireGas(transaction, sponsor, plan);
    return store(...known, { account, nonce, plan, sponsor });
  });
}

async function findSame(
  database: Kysely<Tables>,
  { chainId }: Network,
  { projectId, call }: RelayRequest,
): Promise<Relay | null> {
  const known = await findKnownCall(database, { projectId, chainId }, call);
  if (known === null || known.isSame) return known?.relay ?? null;
  const cause = `nonce: another call with ${call.nonce} is under way`;
  throw new InvalidArgumentError({ cause });
}

async function requireSponsor(
  database: Kysely<Tables>,
  { chainId }: Network,
  { projectId }: RelayRequest,
  addresses: readonly string[],
): Promise<Sponsor> {
  const place = { projectId, chainId };
  const sponsor = await findSponsor(database, place, addresses);
  if (sponsor !== null) return sponsor;
  const cause = `the project sponsors none of ${addresses.join(", ")}`;
  throw new PermissionDeniedError({ cause });
}

async function planTransaction(
  network: Network,
  { address }: LocalAccount,
  { call, signature }: RelayRequest,
): Promise<Plan> {
  const data = encodeCall(call, signature);
  const plan = await readChain(network, async (client) => {
    const needed = await client.estimateGas({
      account: address,
      to: call.wallet,
      data,
    });
    // By the time it is made, it may take another way through the code.
    return { data, gas: (needed * 6n) / 5n, price: await readPrice(client) };
  });
  if (plan !== null && plan.gas <= maxGas) {
    const { gas, price } = plan;
    const dataFee = await estimateDataFee(network, {
      ...price.fields,
      chainId: network.chainId,
      nonce: maxNonce,
      to: call.wallet,
      data,
      gas,
    });
    return { ...plan, maxCost: gas * price.max + dataFee };
  }
  const cause =
    plan === null
      ? "the wallet refuses the call, or the call fails"
      : `the call needs ${plan.gas} gas, which is more than ${maxGas}`;
  throw new InvalidArgumentError({ cause });
}

async function requireGas(
  transaction: Transaction<Tables>,
  { gasTankId }: Sponsor,
  { maxCost }: Plan,
): Promise<void> {
  const free = await readFreeGas(transaction, gasTankId);
  if (free >= maxCost) return;
  const cause = "there is too little in the gas tank of the project";
  throw new UnavailableError({ cause });
}

/** What a relay is made of. */
interface Parts {
  readonly account: LocalAccount;
  readonly nonce: number;
  readonly plan: Plan;
  readonly sponsor: Sponsor;
}

async function store(
  transaction: Transaction<Tables>,
  { chainId }: Network,
  { call, projectId }: RelayRequest,
  { account, nonce, plan, sponsor }: Parts,
): Promise<Relay> {
  const { data, gas, maxCost, price } = plan;
  const signed = await account.signTransaction({
    ...price.fields,
    ...{ chainId, nonce, to: call.wallet, data, gas },
  });
  const row = await transaction
    .insertInto("relays")
    .values({
      project_id: projectId,
      gas_sponsor_id: sponsor.id,
      gas_tank_id: sponsor.gasTankId,
      chain_id: chainId,
      wallet: call.wallet.toLowerCase(),
      wallet_nonce: call.nonce.toString(),
      call_hash: hashOfCall(chainId, call),
      account: account.address.toLowerCase(),
      account_nonce: nonce,
      transaction: signed,
      transaction_hash: keccak256(signed),
      max_cost: maxCost.toString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const key = String(row.id);
  await enqueue(transaction, relayQueue, [{ key, payload: row.id }]);
  return toRelay(row);
}
