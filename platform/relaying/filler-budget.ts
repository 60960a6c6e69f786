import { sql } from "kysely";
import { parseEther } from "viem";

import type { Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { limitOf } from "./evidence/price.js";
import type { AccountPlace } from "./relay-account.js";

/** What the platform itself may pay for in 24 hours, for each account. */
export interface FillerLimits {
  /** The number of nonces. */
  readonly nonces: number;
  /** The total maximum cost, in the smallest unit. */
  readonly cost: bigint;
}

/** What the platform has signed to pay for in 24 hours, by nonce. */
export type FillerCosts = ReadonlyMap<number, bigint>;

/** The gas of a transaction without effect, on most networks. */
const usualGas = 21_000n;

/**
 * Returns the limits of a network. By default, the cost is enough for all nonces
 * at a tenth of the network's maximum gas price.
 */
export function fillerLimitsOf(
  network: Pick<Network, "chainId" | "maxFillerCost" | "maxGasPriceGwei">,
  nonces: number,
): FillerLimits {
  const { maxFillerCost } = network;
  const usual = (BigInt(nonces) * usualGas * limitOf(network)) / 10n;
  const cost = maxFillerCost === undefined ? usual : parseEther(maxFillerCost);
  return { nonces, cost };
}

/**
 * Returns why the platform must not pay for a transaction, or null if it may. A
 * transaction that replaces another one needs no additional nonce.
 */
export function explainFillerLimit(
  limits: FillerLimits,
  costs: FillerCosts,
  added: { readonly nonce: number; readonly cost: bigint },
): string | null {
  const after = new Map(costs);
  const before = costs.get(added.nonce) ?? 0n;
  after.set(added.nonce, before > added.cost ? before : added.cost);
  const total = [...after.values()].reduce((sum, cost) => sum + cost, 0n);
  return after.size > limits.nonces || total > limits.cost
    ? `the account has filled ${costs.size} nonces in 24 hours, and must not pay for the nonce ${added.nonce}`
    : null;
}

/** Reads what an account may lose by transactions of the last 24 hours. */
export async function readFillerCosts(
  transaction: Transaction,
  { account, network }: AccountPlace,
): Promise<FillerCosts> {
  const { rows } = await sql<{
    readonly nonce: number;
    readonly cost: string;
  }>`
    select account_nonce as nonce, coalesce(
      max(max_cost - coalesce(max_charge, 0)), 0)::text as cost
    from relay_transactions
    where chain_id = ${network.chainId}
      and account = ${account.address.toLowerCase()}
      and (relay_id is null or max_cost > max_charge)
      and created_at > now() - interval '1 day'
    group by account_nonce`.execute(transaction);
  return new Map(rows.map(({ nonce, cost }) => [nonce, BigInt(cost)]));
}
