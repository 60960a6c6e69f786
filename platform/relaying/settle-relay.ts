import { sql } from "kysely";

import type { Database } from "../database/schema.js";
import { noteContradictions } from "../network/agreement/note-contradictions.js";
import { requireHead } from "../network/moment.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../parts/platform.js";
import { reasonOf } from "../process/failures/error-facts.js";
import { readSigned } from "./account-nonces.js";
import { askNodes } from "./ask-nodes.js";
import { mayNonceBeUsed } from "./call-nonce.js";
import type { RelayStatus } from "./evidence/reports.js";
import { fillerLimitsOf } from "./filler-budget.js";
import {
  type Findings,
  judgeLateness,
  nextStep,
  type Step,
  usual,
} from "./next-step.js";
import { findRelayAccounts } from "./relay-account.js";
import { inRelaySpan } from "./relay-spans.js";
import { pushLive, sendFirst, type Sending } from "./send-relay.js";
import { readSpending } from "./sponsor-spending.js";
import {
  book,
  changeRelay,
  readOpenRelay,
  type StoredRelay,
} from "./stored-relay.js";

/** Dependencies for settling relays. */
export type SettlingParts = Pick<Platform, "database" | "log" | "settings">;

/**
 * Returns whether a relay waits for a reason that operators do not know yet:
 * most relays do not wait for it, and it differs from the last such reason in
 * more than its numbers.
 */
export function isNews(reason: string, last: string | null): boolean {
  const isUsual = Object.values<string>(usual).includes(reason);
  return !isUsual && withoutNumbers(reason) !== withoutNumbers(last ?? "");
}

function withoutNumbers(text: string): string {
  return text.replace(/0x[\da-f]+|\d+/giu, "");
}

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
  return second === null || second === usual.canBeUndone
    ? second
    : usual.noReceipt;
}

/** Takes steps until the relay must wait, was sent, or is final. */
async function follow(
  parts: SettlingParts,
  network: Network,
  id: number,
): Promise<string | null> {
  const { database, log, settings } = parts;
  const fillers = fillerLimitsOf(network, settings.fillersPerDay);
  // This fails soon if the chain does not respond. Otherwise, the relays of
  // such chains would delay those of all others.
  await requireHead(network);
  let relay = await readOpenRelay(database, id);
  const accounts = findRelayAccounts(settings, network);
  const name = accounts[0]?.account.address.toLowerCase() ?? "";
  let findings: Findings | null = null;
  while (relay !== null) {
    findings ??= { lateness: "early" };
    const step = nextStep(relay.known, findings, name);
    const sending = { database, network, accounts, relay, fillers, log };
    switch (step.kind) {
      case "ask": {
        // Other accounts do not matter, and a doubt about them must not either.
        const senders = relay.transactions.map(({ account }) => account);
        const asked = new Set([name, ...senders].filter((each) => each !== ""));
        const signed = await readSigned(database, network.chainId, [...asked]);
        const answer = await askNodes(network, relay, step, signed);
        findings = { ...findings, ...answer };
        const { report } = answer;
        if (report === undefined) break;
        await noteContradictions(parts, network, report.contradictions);
        const isEmbedded = network.handle === settings.embeddedChain;
        findings = {
          ...findings,
          lateness: judgeLateness({
            ...{ deadline: BigInt(relay.row.deadline), time: report.time },
            ...{ isPast: relay.isPast, isEmbedded },
          }),
        };
        break;
      }
      case "wait":
        return step.reason;
      case "sign":
        return inRelaySpan(step, sending, () => sendFirst(sending, step));
      case "push":
        return inRelaySpan(step, sending, () => pushLive(sending, step));
      case "note":
      case "book":
      case "finish": {
        const stored = await inRelaySpan(step, sending, () =>
          store(parts, network, sending.relay, step),
        );
        if (stored === null) return usual.changedElsewhere;
        if (step.kind === "book") {
          await noteStatus(sending, step.status.value);
        }
        relay = await readOpenRelay(database, id);
      }
    }
  }
  return null;
}

/**
 * Logs the status of a relay, with the ID of the request that it came from and
 * what its sponsor spends.
 */
async function noteStatus(
  { database, log, network, relay: { row } }: Sending,
  { cost, hash, state }: RelayStatus,
): Promise<void> {
  const { wait_reason: reason } = row;
  const spending = await readSpendingOf(database, row.gas_sponsor_id).catch(
    // The status is stored, so the line must not be lost.
    (error: unknown) => ({ spendingError: reasonOf(error) }),
  );
  const facts = {
    ...{ requestId: row.request_id, relay: row.id, project: row.project_id },
    ...{ network: network.handle, state, transaction: hash },
    ...{ cost: String(cost), sponsor: row.gas_sponsor_id, ...spending },
    ...(state === "expired" && reason !== null && { reason }),
  };
  log[hasFailed({ state }) ? "warn" : "info"](facts, "relayed");
}

function hasFailed({ state }: Pick<RelayStatus, "state">): boolean {
  return state === "reverted" || state === "expired";
}

async function readSpendingOf(database: Database, id: number) {
  const sponsor = await database
    .selectFrom("gas_sponsors")
    .select(["id", "gas_tank_id", "daily_limit"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const spendingOf = await readSpending(database, [sponsor]);
  return spendingOf(sponsor);
}

type StoredStep = Extract<Step, { readonly kind: "note" | "book" | "finish" }>;

/**
 * Stores a step. Returns null if another instance has changed the relay.
 *
 * Errors: `Unavailable` if a call has failed and most nodes do not report the nonce
 * of its wallet, unless the relay is old.
 */
async function store(
  { database }: SettlingParts,
  network: Network,
  relay: StoredRelay,
  step: StoredStep,
): Promise<true | null> {
  const { id } = relay.row;
  const isUsed =
    step.kind === "book" &&
    hasFailed(step.status.value) &&
    (await mayNonceBeUsed(network, relay));
  return changeRelay<true>(database, relay, async (transaction) => {
    const update = transaction.updateTable("relays").where("id", "=", id);
    switch (step.kind) {
      case "note":
        await update
          .set({ unexplained_at: step.isUnexplained ? sql<Date>`now()` : null })
          .execute();
        break;
      case "book":
        await book(transaction, relay, step.status, step.receipts, isUsed);
        break;
      case "finish":
        await update.set({ is_final: true }).execute();
    }
    return true;
  });
}
