import { readFileSync } from "node:fs";

import type { Kysely } from "kysely";
import { decodeAbiParameters, getAbiItem } from "viem";

import { deployFixtures, marketplaceOf } from "../chain/fixtures.js";
import type { Tables } from "../database/schema.js";
import { openChainClient } from "../network/chain-client.js";
import { createNetworks, type Network } from "../network/networks.js";
import { seaportAbi } from "../seaport/abi.js";
import { importOrders } from "../services/marketplace/import-orders.js";
import { readSettings } from "../settings/read-settings.js";
import { UsageError } from "./usage-error.js";

/** Stores the orders of a file. Output: what became of each line. */
export async function importOrderFile(
  database: Kysely<Tables>,
  name = "",
  file = "",
): Promise<string> {
  const text = readText(file);
  const lines = await importOrders(database, await findNetwork(name), text);
  const stored = lines.filter(({ refusal }) => refusal === null);
  const reports = lines.map(
    ({ line, orderId, refusal }) =>
      `${file}:${line}: ${refusal === null ? `stored as ${orderId}` : `refused: ${refusal}`}`,
  );
  const report = [
    ...reports,
    `${stored.length} of ${lines.length} orders stored`,
  ].join("\n");
  if (stored.length < lines.length) throw new UsageError(report);
  return report;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${reason}`);
  }
}

const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });

/** The order as JSON, with its signature if it was submitted. */
export async function showOrder(
  database: Kysely<Tables>,
  name = "",
  orderId = "",
): Promise<string> {
  const { chainId } = await findNetwork(name);
  const row = await database
    .selectFrom("marketplace_orders")
    .select(["data", "signature"])
    .where("chain_id", "=", chainId)
    .where("order_hash", "=", `0x${orderId.slice(2).toLowerCase()}`)
    .executeTakeFirst();
  if (row === undefined) throw new UsageError(`there is no order ${orderId}`);
  const [, parameters] = decodeAbiParameters(inputs, row.data);
  const { signature } = row;
  return JSON.stringify({ parameters, signature: signature ?? "0x" }, digits);
}

function digits(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

async function findNetwork(name: string): Promise<Network> {
  const settings = readSettings(process.env);
  const { chainUrl, embeddedChain } = settings;
  const network = createNetworks(settings.networks, openChainClient).find(name);
  if (network === null) throw new UsageError(`there is no network ${name}`);
  if (network.handle !== embeddedChain) return network;
  if (chainUrl === null) {
    throw new UsageError(
      `${name} runs in the platform: set CHAIN_URL to the RPC URL of its chain`,
    );
  }
  const fixtures = await deployFixtures(chainUrl, network.chainId);
  const own = {
    rpcUrls: [chainUrl],
    marketplace: marketplaceOf(fixtures),
  };
  const [found] = createNetworks([{ ...network, ...own }], openChainClient).all;
  return found ?? network;
}
