import { sql } from "kysely";
import { type Address, type Hex, keccak256 } from "viem";

import {
  InvalidArgumentError,
  PermissionDeniedError,
} from "../../generated/errors.js";
import { lockRow } from "../database/locks.js";
import { countUpTo } from "../database/require-room.js";
import type { Database, Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import type { GasTankPlace } from "../services/relayer/gas-tanks.js";
import type { Evidence } from "./evidence/evidence.js";
import { readAgreed } from "./evidence/read-market.js";
import type { SignedCall } from "./relays.js";
import { shortages } from "./reservations.js";
import { readSpent } from "./sponsor-spending.js";

/** The code hash of every `SmartWallet`. */
export const walletCodeHash =
  "0x56317335118162a192c748ed31dce160ff293f1e06bbe7ea1ebe6b9c4393eda2";

/** The sponsor that pays for a call. */
export interface Sponsor {
  readonly id: number;
  readonly gasTankId: number;
  /** What it pays at most in 24 hours, or null if there is no limit. */
  readonly dailyLimit: string | null;
}

/**
 * Returns the addresses whose sponsors can pay for a call. At least one of them
 * must be sponsored. The first is the wallet, whose sponsorship covers all of
 * its calls. The second is the call's target, if it is a contract or the call
 * is only a transfer. It is left out for calls that a wallet contract other
 * than `SmartWallet` executes.
 *
 * Errors: `InvalidArgument` if the wallet must be a contract and is not;
 * `Unavailable` unless a majority of the nodes agrees.
 */
export async function sponsorableAddresses(
  network: Network,
  signed: SignedCall,
): Promise<readonly string[]> {
  const { to, wallet } = signed.call;
  return addressesOf(
    signed,
    ...(await Promise.all([readCode(network, wallet), readCode(network, to)])),
  );
}

function addressesOf(
  { call: { wallet, to, data }, forwarder }: SignedCall,
  { value: walletCode }: Evidence<Hex>,
  { value: code }: Evidence<Hex>,
): readonly string[] {
  // Without a contract, the transaction would succeed without checking any
  // signature.
  if (forwarder === null && walletCode === "0x") {
    const cause = `wallet: ${wallet} is not a contract; calls from plain accounts require the gas field`;
    throw new InvalidArgumentError({ cause });
  }
  const own = [wallet.toLowerCase()];
  // Any other wallet contract could do something else in the call.
  const isKnown =
    forwarder !== null || keccak256(walletCode) === walletCodeHash;
  const isTransfer = data === "0x";
  const isContract = code !== "0x";
  return isKnown && (isContract || isTransfer)
    ? [...own, to.toLowerCase()]
    : own;
}

/** Reads the code at an address, which decides who pays for a call. */
function readCode(network: Network, address: Address): Promise<Evidence<Hex>> {
  return readAgreed(
    network,
    `the code of ${address}`,
    async (node) => (await node.getCode({ address })) ?? "0x",
  );
}

/**
 * Finds a project's sponsors among addresses on a chain, in the order in which
 * they were added.
 *
 * Errors: `PermissionDenied` if there is none.
 */
export async function requireSponsors(
  database: Database,
  { projectId, chainId }: GasTankPlace,
  addresses: readonly string[],
): Promise<readonly Sponsor[]> {
  const rows = await database
    .selectFrom("gas_sponsors")
    .select(["id", "gas_tank_id as gasTankId", "daily_limit as dailyLimit"])
    .where("project_id", "=", projectId)
    .where("chain_id", "=", chainId)
    .where("address", "in", addresses)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .orderBy("id")
    // A concurrent removal either waits until the call is stored or is already
    // visible here.
    .forShare()
    .execute();
  if (rows.length > 0) return rows;
  const cause = `the project sponsors none of ${addresses.join(", ")}`;
  throw new PermissionDeniedError({ cause });
}

/** A call that one of several sponsors is to pay for. */
interface PaidCall {
  readonly projectId: number;
  readonly chainId: number;
  readonly wallet: string;
  readonly maxCost: Evidence<bigint>;
}

/**
 * Returns the first sponsor whose budget of the last 24 hours allows a call.
 *
 * Input: the maximum number of relays of a wallet.
 * Errors: `PermissionDenied` if there is none, or the wallet has used up its own
 * budget.
 */
export async function requirePayer(
  transaction: Transaction,
  sponsors: readonly Sponsor[],
  { chainId, maxCost, projectId, wallet }: PaidCall,
  max: number,
): Promise<Sponsor> {
  const ofWallet = sql`
    select from relays
    where chain_id = ${chainId} and wallet = ${wallet.toLowerCase()}
      and project_id = ${projectId}
      and created_at > now() - interval '1 day'`;
  if ((await countUpTo(transaction, max, ofWallet)) >= max) {
    const cause = `the wallet has reached the maximum number of relays in 24 hours (${max})`;
    throw new PermissionDeniedError({ cause });
  }
  for (const sponsor of sponsors) {
    if (await hasBudget(transaction, sponsor, maxCost)) return sponsor;
  }
  throw new PermissionDeniedError({ cause: shortages.sponsor });
}

async function hasBudget(
  transaction: Transaction,
  { dailyLimit, gasTankId, id }: Sponsor,
  { value: maxCost }: Evidence<bigint>,
): Promise<boolean> {
  if (dailyLimit === null) return true;
  await lockRow(transaction, "tank", gasTankId);
  const spent = await readSpent(transaction, { gasTankId, sponsorId: id });
  return spent + maxCost <= BigInt(dailyLimit);
}
