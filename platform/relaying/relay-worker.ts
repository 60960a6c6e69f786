import {
  type Hex,
  isHex,
  type PublicClient,
  RpcRequestError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  BaseError,
} from "viem";

import type { Notifications } from "../database/notifications.js";
import type { Platform } from "../platform.js";
import type { Stoppable } from "../process/keep-running.js";
import type { Job } from "../queue/leases.js";
import { type Outcome, startWorker } from "../queue/worker.js";
import { fillGap } from "./account-nonces.js";
import { relayQueue } from "./relay.js";
import { requireRelayAccount } from "./relay-account.js";
import { bookReceipt } from "./relays.js";

/** What the worker works with. */
type Parts = Pick<Platform, "database" | "log" | "networks" | "settings">;

const done: Outcome = { kind: "done" };

/**
 * Brings what is to be relayed to its receipts, also after a kill: whoever takes
 * a relay first looks whether it is on the chain already.
 */
export function startRelayWorker(
  platform: Parts,
  notifications: Notifications,
): Stoppable {
  const { database, log } = platform;
  return startWorker({
    ...{ database, log, notifications, queue: relayQueue },
    concurrency: 8,
    leaseMs: 30_000,
    handle: async (job) => {
      try {
        return await settle(platform, job);
      } catch (error) {
        log.warn({ err: error, relay: job.key }, "cannot relay yet");
        return again(job, "an error");
      }
    },
  });
}

/** However long it takes: what is sent has to be paid for. */
function again({ attempts }: Job, reason: string): Outcome {
  const pauseMs = Math.min(250 * 1.5 ** Math.min(attempts, 20), 15_000);
  return { kind: "retry", at: new Date(Date.now() + pauseMs), reason };
}

async function settle(
  { database, log, networks, settings }: Parts,
  job: Job,
): Promise<Outcome> {
  const row = await database
    .selectFrom("relays")
    .select(["id", "chain_id", "transaction", "transaction_hash as hash"])
    .where("id", "=", Number(job.payload))
    .where("state", "=", "pending")
    .executeTakeFirst();
  if (row === undefined) return done;
  const { hash, transaction } = row;
  const network = networks.find(String(row.chain_id));
  if (network === null || !isHex(hash) || !isHex(transaction)) {
    return again(job, "its network is not in the settings");
  }
  const client = network.client();
  let receipt = await findReceipt(client, hash);
  if (receipt === null) {
    const refusal = await send(client, transaction);
    log.debug({ err: refusal, relay: row.id }, "sent");
    receipt = await findReceipt(client, hash);
  }
  if (receipt === null) {
    const place = requireRelayAccount(settings, network);
    if (place.mayForget) await fillGap(database, place);
    return again(job, "it has no receipt yet");
  }
  await bookReceipt(database, row.id, receipt);
  return done;
}

async function findReceipt(
  client: PublicClient,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

/**
 * Sends a transaction, which the chain may know already.
 *
 * Output: what the chain has against it; null: nothing.
 */
async function send(
  client: PublicClient,
  serializedTransaction: Hex,
): Promise<unknown> {
  try {
    await client.sendRawTransaction({ serializedTransaction });
    return null;
  } catch (error) {
    const isAnswer =
      error instanceof BaseError &&
      error.walk((cause) => cause instanceof RpcRequestError) !== null;
    if (isAnswer) return error;
    throw error;
  }
}
