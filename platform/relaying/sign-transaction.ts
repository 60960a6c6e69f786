import { SpanKind } from "@opentelemetry/api";
import { type Address, type Hash, type Hex, keccak256 } from "viem";

import type { Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { nodeErrorIn } from "../network/read-chain.js";
import { type Evidence, maxCostOf } from "./evidence/evidence.js";
import type { Price } from "./evidence/price.js";
import { inSpan } from "../tracing/spans.js";
import type { AccountPlace } from "./relay-account.js";

/** The effect of a transaction, without its price. */
export interface Work {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: Evidence<bigint>;
}

/** The parts of a transaction. */
export interface Parts {
  readonly place: AccountPlace;
  /** The relay, or null if the transaction only fills a gap between nonces. */
  readonly relayId: number | null;
  readonly nonce: Evidence<number>;
  readonly price: Evidence<Price>;
  readonly work: Work;
  /** The most that a rollup is expected to charge in addition to gas. */
  readonly dataFee: Evidence<bigint>;
  /**
   * What the tank has reserved for it, or null if that is nothing. The platform
   * pays the rest.
   */
  readonly maxCharge: Evidence<bigint> | null;
  /** The last block. */
  readonly head: Evidence<number>;
}

/** Signs and stores a transaction. Returns it, so that it can be sent. */
export function sign(database: Transaction, parts: Parts): Promise<Hex> {
  const attributes = { "ridlkit.transaction.nonce": parts.nonce.value };
  return inSpan("sign transaction", { attributes }, async (span) => {
    const transaction = await signAndStore(database, parts);
    span.setAttribute("ridlkit.transaction.hash", keccak256(transaction));
    return transaction;
  });
}

async function signAndStore(
  database: Transaction,
  { place, relayId, nonce, price, work, ...paid }: Parts,
): Promise<Hex> {
  const { account, network } = place;
  const { chainId } = network;
  const transaction = await account.signTransaction({
    ...price.value.fields,
    ...{ ...work, gas: work.gas.value },
    ...{ chainId, nonce: nonce.value },
  });
  const hash = keccak256(transaction);
  if (relayId !== null) {
    await database
      .updateTable("relays")
      .set({ transaction_hash: hash })
      .where("id", "=", relayId)
      .execute();
  }
  await database
    .insertInto("relay_transactions")
    .values({
      hash,
      relay_id: relayId,
      chain_id: chainId,
      account: account.address.toLowerCase(),
      account_nonce: nonce.value,
      transaction,
      max_cost: String(maxCostOf(work.gas, price, paid.dataFee).value),
      max_charge: String(paid.maxCharge?.value ?? 0n),
      signed_at_block: paid.head.value,
    })
    .execute();
  return transaction;
}

/** The maximum length of what a node says, in characters. */
const maxReasonLength = 500;

/**
 * Sends a transaction to all nodes, because one could drop it. Returns once a node
 * accepts it, while the others still receive it.
 *
 * Returns null, or why no node accepts it. A node that already has the
 * transaction also rejects it, which is no reason.
 * Errors: any error from viem, if no node responds.
 */
export function send(
  network: Network,
  serializedTransaction: Hex,
): Promise<string | null> {
  const method = "eth_sendRawTransaction";
  const hash = keccak256(serializedTransaction);
  const attributes = {
    "rpc.system.name": "jsonrpc",
    "rpc.method": method,
    "ridlkit.transaction.hash": hash,
  };
  const options = { kind: SpanKind.CLIENT, attributes };
  return inSpan(method, options, async (span) => {
    const sent = network
      .nodes()
      .map((node) => node.sendRawTransaction({ serializedTransaction }));
    if (await Promise.any(sent).catch(() => null)) return null;
    const failed = (await Promise.allSettled(sent)).flatMap((each) =>
      each.status === "rejected" ? [each.reason as unknown] : [],
    );
    const answer = failed.map(nodeErrorIn).find((each) => each !== null);
    if (!answer) throw failed[0];
    const code = String(answer.code);
    span.setAttribute("rpc.response.status_code", code);
    span.setAttribute("error.type", code);
    if (await isKnown(network, hash)) return null;
    const details = answer.details.slice(0, maxReasonLength);
    return `no node accepts its transaction: ${details}`;
  });
}

/** Returns whether a node has a transaction. */
async function isKnown(network: Network, hash: Hash): Promise<boolean> {
  const found = network.nodes().map((node) => node.getTransaction({ hash }));
  return Promise.any(found).then(
    () => true,
    () => false,
  );
}
