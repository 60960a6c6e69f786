import { sql } from "kysely";

import { readMoment } from "../network/moment.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../parts/platform.js";
import { askNodes } from "./ask-nodes.js";
import {
  canBeUndone,
  type Findings,
  nextStep,
  type Step,
} from "./next-step.js";
import { findRelayAccounts } from "./relay-account.js";
import { inRelaySpan } from "./relay-spans.js";
import { pushLive, sendFirst } from "./send-relay.js";
import {
  book,
  changeRelay,
  readOpenRelay,
  type StoredRelay,
} from "./stored-relay.js";

/** Dependencies for settling relays. */
export type SettlingParts = Pick<Platform, "database" | "settings">;

/** The reason for waiting after another instance has changed the relay. */
const changedElsewhere = "another instance has changed it";

/**
 * Advances a relay. Stores the status of its transactions and sends the ones
 * that are due. Transactions that a reorganization undoes are refunded and sent
 * again.
 *
 * Returns the reason why the relay is not final, or null if it is.
 * Errors: any error from viem; `Unavailable` if the chain does not report its
 * last block or the network no longer has a relaying account.
 */
export async function settleRelay(
  parts: SettlingParts,
  network: Network,
  id: number,
): Promise<string | null> {
  const first = await follow(parts, network, id);
  if (first !== "sent") return first;
  // The embedded chain mines a block immediately.
  const second = await follow(parts, network, id);
  return second === null || second === canBeUndone
    ? second
    : "it has no receipt yet";
}

/** Takes steps until the relay must wait, was sent, or is final. */
async function follow(
  parts: SettlingParts,
  network: Network,
  id: number,
): Promise<string | null> {
  const { database, settings } = parts;
  // This fails soon if the chain does not respond. Otherwise, the relays of
  // such chains would delay those of all others.
  const { head, time } = await readMoment(network);
  let relay = await readOpenRelay(database, id);
  const accounts = findRelayAccounts(settings, network);
  const names = accounts.map(({ account }) => account.address.toLowerCase());
  let findings: Findings | null = null;
  while (relay !== null) {
    findings ??= {
      head: head.number,
      isLate: BigInt(relay.row.deadline) <= time,
    };
    const step = nextStep(relay.known, findings, names[0] ?? "");
    const sending = { database, network, accounts, relay };
    const known = findings;
    switch (step.kind) {
      case "ask": {
        const answer = await askNodes(network, relay, step, names);
        findings = { ...findings, ...answer };
        break;
      }
      case "wait":
        return step.reason;
      case "sign":
        return inRelaySpan(step, sending, () => sendFirst(sending, step.count));
      case "push":
        return inRelaySpan(step, sending, () => pushLive(sending, step, known));
      case "note":
      case "book":
      case "finish": {
        const stored = await inRelaySpan(step, sending, () =>
          store(parts, sending.relay, step),
        );
        if (stored === null) return changedElsewhere;
        relay = await readOpenRelay(database, id);
      }
    }
  }
  return null;
}

type StoredStep = Extract<Step, { readonly kind: "note" | "book" | "finish" }>;

/** Stores a step. Returns null if another instance has changed the relay. */
function store(
  { database }: SettlingParts,
  relay: StoredRelay,
  step: StoredStep,
): Promise<true | null> {
  const { id } = relay.row;
  return changeRelay<true>(database, relay, async (transaction) => {
    const update = transaction.updateTable("relays").where("id", "=", id);
    switch (step.kind) {
      case "note":
        await update
          .set({ unexplained_at: step.isUnexplained ? sql<Date>`now()` : null })
          .execute();
        break;
      case "book":
        await book(transaction, relay, step.status, step.receipts);
        break;
      case "finish":
        await update.set({ is_final: true }).execute();
    }
    return true;
  });
}
