import { isHex } from "viem";
import { expect } from "vitest";

import { openChainWallet } from "../../chain/chain-wallet.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import type { CrashingPlatform } from "./crashing-platform.js";
import type { Ledger } from "./writers.js";

/** In whose tank there was so much at first, the demo project's with it. */
const filled = 10n ** 20n + 10n ** 18n;

/**
 * Every relay comes to its receipt, and the tank has paid exactly for those: none
 * twice, none not at all.
 */
export async function checkRelays(
  platform: CrashingPlatform,
  { relays }: Ledger,
): Promise<void> {
  expect(relays.size).toBeGreaterThan(0);
  await expect
    .poll(() => countPending(platform), { timeout: 30_000, interval: 250 })
    .toBe(0);
  const { rows, balance } = await readAll(platform);
  const known = new Set(rows.map(({ id }) => id));
  expect([...relays].filter((id) => !known.has(id))).toEqual([]);
  const paid = rows.reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n);
  expect(filled - balance).toBe(paid);
  const { chainId, chainUrl } = platform.ready();
  const { owner } = createFixtureAccounts();
  const chain = openChainWallet(chainUrl, chainId, owner);
  for (const { cost, hash } of rows) {
    // A chain that was killed has forgotten some.
    const receipt = isHex(hash)
      ? await chain.getTransactionReceipt({ hash }).catch(() => null)
      : null;
    if (receipt === null) continue;
    const { effectiveGasPrice, gasUsed } = receipt;
    expect(cost).toBe((gasUsed * effectiveGasPrice).toString());
  }
}

async function countPending(platform: CrashingPlatform): Promise<number> {
  const { rows } = await readAll(platform);
  return rows.filter(({ state }) => state === "pending").length;
}

function readAll(platform: CrashingPlatform) {
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
