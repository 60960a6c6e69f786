import { Gauge, type Registry } from "prom-client";

import type { Database } from "../database/schema.js";
import type { Platform } from "../parts/platform.js";
import { factsOf } from "../process/failures/error-facts.js";
import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { repeatUntilStopped } from "../process/lifecycle/repeat-until-stopped.js";
import {
  type AccountCheck,
  checkAccount,
  checkTanks,
  countLowTanks,
  storeDaily,
} from "./reconcile.js";

/** The interval between checks of accounts. One check a day is stored. */
const pauseMs = 10 * 60_000;

/** The interval between checks of tanks, which read all relays. */
const tanksMs = 24 * 60 * 60_000;

/** The metrics of tanks and relaying accounts. */
export interface MoneyMetrics {
  noteTanks(database: Database): Promise<number>;
  noteLowTanks(database: Database): Promise<void>;
  noteAccount(network: string, check: AccountCheck): void;
}

/** Creates the metrics of tanks and relaying accounts. */
export function createMoneyMetrics(registry: Registry): MoneyMetrics {
  const registers = [registry];
  const tanks = new Gauge({
    name: "gas_tanks_unreconciled",
    help: "Gas tanks whose balance is not what was filled minus what was paid.",
    registers,
  });
  const low = new Gauge({
    name: "gas_tanks_low",
    help: "Gas tanks with less than what they have paid in the last 24 hours.",
    registers,
  });
  const labelNames = ["network"];
  const balance = new Gauge({
    name: "relay_account_balance_wei",
    help: "Balance of the relaying account.",
    ...{ labelNames, registers },
  });
  const reserved = new Gauge({
    name: "relay_account_reserved_wei",
    help: "Maximum cost of pending relays.",
    ...{ labelNames, registers },
  });
  const lost = new Gauge({
    name: "relay_account_lost_wei",
    help: "What the relaying account has lost in seven days: to other programs, or by transactions that no tank paid for.",
    ...{ labelNames, registers },
  });
  const foreign = new Gauge({
    name: "relay_account_foreign_transactions",
    help: "Transactions of the relaying account in the last seven days that the platform has not signed.",
    ...{ labelNames, registers },
  });
  return {
    noteTanks: async (database) => {
      const wrong = (await checkTanks(database)).filter(
        (tank) => tank.difference !== 0n,
      );
      tanks.set(wrong.length);
      return wrong.length;
    },
    noteLowTanks: async (database) => low.set(await countLowTanks(database)),
    noteAccount: (network, check) => {
      balance.set({ network }, Number(check.current));
      reserved.set({ network }, Number(check.reserved));
      lost.set({ network }, Number(check.lost));
      foreign.set({ network }, check.foreign);
    },
  };
}

/** Checks tanks and relaying accounts periodically until it is stopped. */
export function watchMoney(
  { database, log, networks, settings }: Platform,
  metrics: MoneyMetrics,
): Stoppable {
  let checkedAt = -Infinity;
  const checkAll = async (): Promise<void> => {
    if (performance.now() - checkedAt < tanksMs) return;
    checkedAt = performance.now();
    const wrong = await metrics.noteTanks(database);
    if (wrong > 0) log.error({ tanks: wrong }, "gas tanks do not reconcile");
  };
  return repeatUntilStopped(pauseMs, async (signal) => {
    const noteTanks = async (): Promise<void> => {
      await checkAll();
      await metrics.noteLowTanks(database);
    };
    await noteTanks().catch((error: unknown) => {
      log.warn(factsOf(error), "cannot check the gas tanks");
    });
    for (const network of networks.all) {
      if (signal.aborted) return;
      try {
        const check = await checkAccount(database, settings, network);
        if (check === null) continue;
        metrics.noteAccount(network.handle, check);
        await storeDaily(database, check);
      } catch (error) {
        const { handle } = network;
        const facts = { ...factsOf(error), network: handle };
        log.warn(facts, "cannot check the account");
      }
    }
  });
}
