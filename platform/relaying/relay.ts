import type { Kysely, Transaction } from "kysely";
import type { Hex, LocalAccount } from "viem";

import {
  InvalidArgumentError,
  PermissionDeniedError,
  UnavailableError,
} from "../../generated/errors.js";
import type { Tables } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { readChain } from "../network/read-chain.js";
import type { Platform } from "../parts/platform.js";
import { enqueue } from "../queue/enqueue.js";
import { lockUntilEnd, relayQueue } from "./account-nonces.js";
import { estimateDataFee } from "./data-fee.js";
import { readMarket } from "./price.js";
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

/** What a call can need, with all that belongs to it. */
const maxGas = 3_000_000n;

/** The longest that one becomes, for data are paid for by their length. */
const maxNonce = 2 ** 32;

/** What the transaction of a call will be, at the price of now. */
interface Plan {
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxDataFee: bigint;
  readonly maxCost: bigint;
}

/**
 * Has a call of a wallet made at the cost of the project's gas tank, if it
 * sponsors the wallet or what is called. The call is stored, and what it can cost
 * is reserved; a worker sends it. The same call again is answered with what there
 * is of it.
 *
 * Errors: `PermissionDenied` when no active sponsor fits, `InvalidArgument` when
 * the call would fail, `Unavailable` when the tank or the account that relays has
 * too little, the network has no such account, or its chain does not answer.
 */
export async function relay(
  platform: Pick<Platform, "database" | "settings">,
  network: Network,
  request: RelayRequest,
): Promise<Relay> {
  const { database, settings } = platform;
  const { account } = requireRelayAccount(settings, network);
  const known = await findSame(database, network, request);
  if (known !== null) return known;
  const addresses = await sponsorableAddresses(network, request.call);
  await requireSponsor(database, network, request, addresses);
  const plan = await planTransaction(network, account, request);
  return database.transaction().execute(async (transaction) => {
    const { wallet } = request.call;
    await lockUntilEnd(transaction, `calls of ${wallet} on ${network.chainId}`);
    const known = [transaction, network, request] as const;
    const meanwhile = await findSame(...known);
    if (meanwhile !== null) return meanwhile;
    const sponsor = await requireSponsor(...known, addresses);
    await requireGas(transaction, sponsor, plan);
    return store(...known, sponsor, plan);
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
    return {
      // By the time it is made, it may take another way through the code.
      gas: (needed * 6n) / 5n,
      price: (await readMarket(client)).price,
      balance: await client.getBalance({ address }),
    };
  });
  if (plan === null || plan.gas > maxGas) {
    const cause =
      plan === null
        ? "the wallet refuses the call, or the call fails"
        : `the call needs ${plan.gas} gas, which is more than ${maxGas}`;
    throw new InvalidArgumentError({ cause });
  }
  const { gas, price, balance } = plan;
  const maxDataFee = await estimateDataFee(network, {
    ...price.fields,
    chainId: network.chainId,
    nonce: maxNonce,
    to: call.wallet,
    data,
    gas,
  });
  const maxCost = gas * price.max + maxDataFee;
  if (balance >= maxCost) return { data, gas, maxDataFee, maxCost };
  const cause = `the account that relays on ${network.handle} has too little`;
  throw new UnavailableError({ cause });
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

async function store(
  transaction: Transaction<Tables>,
  { chainId }: Network,
  { call, projectId }: RelayRequest,
  sponsor: Sponsor,
  { data, gas, maxDataFee, maxCost }: Plan,
): Promise<Relay> {
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
      data,
      gas: gas.toString(),
      deadline: call.deadline.toString(),
      max_data_fee: maxDataFee.toString(),
      max_cost: maxCost.toString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const key = String(row.id);
  await enqueue(transaction, relayQueue, [{ key, payload: row.id }]);
  return toRelay(row);
}
