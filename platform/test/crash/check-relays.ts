import { expect } from "vitest";

import { openChainWallet } from "../../chain/chain-wallet.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import type { FailingPlatform } from "./crashing-platform.js";
import type { Ledger } from "./writers.js";

/**
 * What the project's tank has received: the amount from `prepareLedger` and the
 * initial balance of the demo project.
 */
const filled = 10n ** 20n + 10n ** 18n;

/**
 * Checks that every relay ends, even if the chain has lost its transaction,
 * that it costs at least as much as its receipt shows, and that the tank has
 * paid exactly what the relays cost.
 */
export async function checkRelays(
  platform: FailingPlatform,
  { relays }: Ledger,
): Promise<void> {
  expect(relays.size).toBeGreaterThan(0);
  await expect
    .poll(() => readFaults(platform, relays), {
      timeout: 60_000,
      interval: 250,
    })
    .toEqual([]);
}

async function readFaults(
  platform: FailingPlatform,
  relays: ReadonlySet<number>,
): Promise<readonly string[]> {
  const { rows, balance } = await readAll(platform);
  const known = new Set(rows.map(({ id }) => id));
  const lost = [...relays].filter((id) => !known.has(id));
  const { chainId, chainUrl } = platform.ready();
  const { owner } = createFixtureAccounts();
  const chain = openChainWallet(chainUrl, chainId, owner);
  let paid = 0n;
  const faults = lost.map((id) => `relay ${id} is lost`);
  for (const { id, cost, hash, state } of rows) {
    paid += BigInt(cost);
    if (state === "pending") faults.push(`relay ${id} is pending`);
    const receipt =
      hash === null
        ? null
        : await chain.getTransactionReceipt({ hash }).catch(() => null);
    const { effectiveGasPrice = 0n, gasUsed = 0n } = receipt ?? {};
    const owed = gasUsed * effectiveGasPrice;
    if (BigInt(cost) < owed) faults.push(`relay ${id} has paid too little`);
  }
  if (filled - balance !== paid)
    faults.push("the tank has paid a different amount");
  return faults;
}

function readAll(platform: FailingPlatform) {
  const { chainId, projectId } = platform.ready();
  return platform.withDatabase(async (database) => ({
    rows: await database
      .selectFrom("relays")
      .select(["id", "state", "cost", "transaction_hash as hash"])
      .where("project_id", "=", projectId)
      .execute(),
    balance: await database
      .selectFrom("gas_tanks")
      .select("balance")
      .where("project_id", "=", projectId)
      .where("chain_id", "=", chainId)
      .executeTakeFirstOrThrow()
      .then((row) => BigInt(row.balance)),
  }));
}
