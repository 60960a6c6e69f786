import type { Kysely } from "kysely";
import type { PublicClient } from "viem";

import { UnavailableError } from "../../generated/errors.js";
import type { Tables } from "../database/schema.js";
import { type Circuit, createCircuit } from "../process/circuit.js";
import type { BlockHeader } from "./block-header.js";
import { createReadHead } from "./read-head.js";
import { openSharedAnswers, type SharedAnswers } from "./shared-answers.js";
import type { NetworkSettings } from "../settings/settings.js";

/** A chain that the platform works with. */
export interface Network extends NetworkSettings {
  /** Reads the chain; the same one each time. */
  client(): PublicClient;
  /** Opens when the chain has fallen silent. */
  readonly circuit: Circuit;
  /** Reads its last block. Errors: those of viem. */
  head(): Promise<BlockHeader>;
  /** What its contracts have answered any instance; null: nothing is shared. */
  readonly answers: SharedAnswers | null;
}

/** All chains that the platform works with. */
export interface Networks {
  readonly all: readonly Network[];
  /** By handle, in any case, or by chain id in digits; null when unknown. */
  find(handleOrId: string): Network | null;
}

/** Makes the client of a chain. */
export type OpenClient = (network: NetworkSettings) => PublicClient;

/**
 * The networks of the settings, each with a client made when first asked for.
 *
 * Input: the database in which instances share answers; null: they do not.
 */
export function createNetworks(
  settings: readonly NetworkSettings[],
  openClient: OpenClient,
  database: Kysely<Tables> | null = null,
): Networks {
  const all = settings.map((network) => ({
    ...withClient(network, openClient),
    answers: database && openSharedAnswers(database, network.chainId),
  }));
  const byName = new Map(
    all.flatMap((network) => [
      [network.handle, network],
      [String(network.chainId), network],
    ]),
  );
  return { all, find: (name) => byName.get(name.toLowerCase()) ?? null };
}

function withClient(
  settings: NetworkSettings,
  openClient: OpenClient,
): Omit<Network, "answers"> {
  let opened: PublicClient | null = null;
  const client = (): PublicClient => {
    opened ??= openClient(settings);
    return opened;
  };
  const cause = `the chain of ${settings.handle} does not answer`;
  const circuit = createCircuit({
    probe: () => client().getChainId(),
    refuse: () => new UnavailableError({ cause }),
  });
  return { ...settings, client, circuit, head: createReadHead(client) };
}
