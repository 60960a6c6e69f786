import { setTimeout as sleep } from "node:timers/promises";

import { SpanKind } from "@opentelemetry/api";
import { type Address, BaseError, type Hash, type Hex, keccak256 } from "viem";

import type { Transaction } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { nodeErrorIn, nodeTextIn } from "../network/read-chain.js";
import { toExcerpt } from "../process/failures/to-excerpt.js";
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

/** The maximum length of what nodes say, in characters. */
const maxReasonLength = 500;

/** How nodes reject a transaction that they already have. */
const known =
  /already ?known|\bknown transaction|already imported|already in (?:the )?mempool/iu;

/** How long to wait for nodes to show a transaction that they have rejected. */
const knownMs = 2000;

/**
 * Sends a transaction to all nodes, because one could drop it. Returns once a node
 * accepts it or already has it, while the others still receive it.
 *
 * Returns null, or why no node accepts it.
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
    const sent = network.nodes().map(async (node) => {
      try {
        await node.sendRawTransaction({ serializedTransaction });
      } catch (error) {
        if (!known.test(nodeTextIn(error, network))) throw error;
      }
    });
    if (await isAny(sent)) return null;
    const failed = (await Promise.allSettled(sent)).flatMap((each) =>
      each.status === "rejected" ? [each.reason as unknown] : [],
    );
    const [answer] = failed.flatMap((each) => nodeErrorIn(each) ?? []);
    if (!answer) throw failed[0];
    const code = String(answer.code);
    span.setAttribute("rpc.response.status_code", code);
    span.setAttribute("error.type", code);
    if (await isShown(network, hash)) return null;
    const texts = failed.map((each) => nodeTextIn(each, network));
    const said = [...new Set(texts)].filter((text) => text !== "");
    const rejection = "no node accepts its transaction";
    if (said.length === 0) return rejection;
    // One node must not hide what the others say.
    const length = Math.floor(maxReasonLength / said.length);
    const parts = said.map((text) => toExcerpt(text, length));
    return `${rejection}: ${parts.join("; ")}`;
  });
}

/** Returns whether a node shows a transaction within a short time. */
async function isShown(network: Network, hash: Hash): Promise<boolean> {
  const shown = network.nodes().map(async (node) => {
    const found = await node.getTransaction({ hash });
    if (found.hash !== hash) throw new BaseError("a node shows another one");
  });
  const isLate = sleep(knownMs, false, { ref: false });
  return Promise.race([isAny(shown), isLate]);
}

/** Returns whether any promise resolves. */
function isAny(promises: readonly Promise<unknown>[]): Promise<boolean> {
  return Promise.any(promises).then(
    () => true,
    () => false,
  );
}
