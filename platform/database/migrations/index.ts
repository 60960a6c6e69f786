import { readdirSync, readFileSync } from "node:fs";
import { parse } from "node:path";

import { type Migration, sql } from "kysely";

import { relayTransactions } from "./0062-relay-transactions.js";
import { offerPrices } from "./0092-offer-prices.js";

const folder = new URL("./", import.meta.url);

/** The migrations that consist of SQL alone, one per file. */
const scripts = readdirSync(folder)
  .filter((file) => file.endsWith(".sql"))
  .map((file): [string, Migration] => {
    const script = sql.raw(readFileSync(new URL(file, folder), "utf8"));
    const up: Migration["up"] = async (database) => {
      await script.execute(database);
    };
    return [parse(file).name, { up }];
  });

/** All migrations by name, in name order. They are never reverted. */
export const migrations: Readonly<Record<string, Migration>> =
  Object.fromEntries(
    [
      ...scripts,
      ["0062-relay-transactions", relayTransactions] as const,
      ["0092-offer-prices", offerPrices] as const,
    ].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
