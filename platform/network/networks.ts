import type { PublicClient } from "viem";

import { UnavailableError } from "../../generated/errors.js";
import { type Circuit, createCircuit } from "../process/concurrency/circuit.js";
import { shareNextAnswer } from "../process/concurrency/share-next-answer.js";
import { type BlockHeader, readHead } from "./block-header.js";
import type { NetworkSettings } from "../settings/read-network.js";
import type { Settings } from "../settings/read-settings.js";

/** A chain that the platform uses. */
export interface Network extends NetworkSettings {
  /** Returns the client that reads the chain. It is always the same one. */
  client(): PublicClient;
  /** Returns one client for each node, which asks only that node. */
  nodes(): readonly PublicClient[];
  /** A circuit breaker that opens if the chain does not respond. */
  readonly circuit: Circuit;
  /**
   * Reads the last block, which is at least as recent as the call. Contract
   * state does not change until the next one. Errors: any error from viem.
   */
  head(): Promise<BlockHeader>;
}

/** All chains that the platform uses. */
export interface Networks {
  readonly all: readonly Network[];
  /**
   * Finds a network by chain ID or by handle, ignoring case. Returns null if it
   * is unknown.
   */
  find(handleOrId: string): Network | null;
}

/**
 * Returns whether relays on a network depend on a single source: one host has a
 * majority of the RPC URLs, so that no other one can contradict it. The embedded
 * chain needs no second source.
 */
export function hasSingleSource(
  { handle, rpcUrls }: Pick<NetworkSettings, "handle" | "rpcUrls">,
  { embeddedChain, relayKey }: Pick<Settings, "embeddedChain" | "relayKey">,
): boolean {
  if (relayKey === null || handle === embeddedChain) return false;
  const hosts = rpcUrls.map((url) => new URL(url).host);
  const countOf = (host: string): number =>
    hosts.filter((other) => other === host).length;
  return hosts.some((host) => 2 * countOf(host) > hosts.length);
}

/** Creates the client of a chain. */
export type OpenClient = (network: NetworkSettings) => PublicClient;

/** Creates the networks in the settings. Each client is created on first use. */
export function createNetworks(
  settings: readonly NetworkSettings[],
  openClient: OpenClient,
): Networks {
  const all = settings.map((network) => openNetwork(network, openClient));
  const byName = new Map(
    all.flatMap((network) => [
      [network.handle, network],
      [String(network.chainId), network],
    ]),
  );
  return { all, find: (name) => byName.get(name.toLowerCase()) ?? null };
}

function openNetwork(
  settings: NetworkSettings,
  openClient: OpenClient,
): Network {
  let opened: PublicClient | null = null;
  const client = (): PublicClient => {
    opened ??= openClient(settings);
    return opened;
  };
  let openedNodes: readonly PublicClient[] | null = null;
  const nodes = (): readonly PublicClient[] => {
    const { rpcUrls } = settings;
    openedNodes ??=
      rpcUrls.length < 2
        ? [client()]
        : rpcUrls.map((url) => openClient({ ...settings, rpcUrls: [url] }));
    return openedNodes;
  };
  const cause = `the chain of ${settings.handle} does not respond`;
  const circuit = createCircuit({
    probe: () => client().getChainId(),
    refuse: () => new UnavailableError({ cause }),
  });
  const read = shareNextAnswer(() => readHead(client()));
  const head = (): Promise<BlockHeader> => read("head");
  return { ...settings, client, nodes, circuit, head };
}
