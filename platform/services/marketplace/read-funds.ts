import type { Address } from "viem";

import type { BlockLog } from "../../follower/block.js";
import { readHeaders, readLogsByHash } from "../../follower/read-blocks.js";
import { Batch } from "../../network/batch.js";
import type { BlockHeader } from "../../network/block-header.js";
import type { Network } from "../../network/networks.js";
import { createLedger, type Ledger, type FundingSource } from "./ledger.js";
import { queryFunds } from "./holdings.js";

/** The known funds at a block. */
interface State {
  head: BlockHeader;
  readonly ledger: Ledger;
}

/** The limits on the number of blocks and currencies to read logs for. */
const maxBlocks = 16;
const maxCurrencies = 100;

/** The number of sources per batch. Each needs two calls. */
const sourcesPerBatch = 400;

/**
 * Creates a function that reads the amounts that can be withdrawn from funding
 * sources, given the last block. It caches them across blocks until one of the
 * currency's logs names the owner, because the owner's balance or allowance may
 * then have changed. Some currencies change balances without a log, so amounts
 * can be up to a minute old. They can rule out an offer but cannot prove that
 * its maker can pay.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createReadFunds() {
  const states = new Map<Network, Promise<State>>();
  /**
   * Moves a network's state to a block. Moves run one at a time, because each
   * one continues from the state before it.
   */
  const stateAt = (network: Network, head: BlockHeader): Promise<State> => {
    const before = states.get(network);
    const state =
      before === undefined
        ? Promise.resolve({ head, ledger: createLedger() })
        : before.then((known) => moveTo(network, known, head));
    states.set(network, state);
    return state;
  };
  return async (
    network: Network,
    head: BlockHeader,
    sources: readonly FundingSource[],
  ): Promise<readonly bigint[]> => {
    const state = await stateAt(network, head);
    const { ledger } = state;
    const { hash } = state.head;
    // Many offers have the same source.
    const distinct = new Map(sources.map((each) => [keyOf(each), each]));
    const amounts = new Map<string, bigint>();
    const unknown: [string, FundingSource][] = [];
    for (const [key, source] of distinct) {
      const known = ledger.find(source);
      if (known === null) unknown.push([key, source]);
      else amounts.set(key, known);
    }
    for (let from = 0; from < unknown.length; from += sourcesPerBatch) {
      const part = unknown.slice(from, from + sourcesPerBatch);
      const batch = new Batch(network);
      const answers = part.map(
        ([key, source]) => [key, source, queryFunds(batch, source)] as const,
      );
      const isOfBlock = await batch.runNear(hash);
      for (const [key, source, answer] of answers) {
        amounts.set(key, answer());
        // The state may have advanced to another block in the meantime.
        if (isOfBlock && state.head.hash === hash)
          ledger.note(source, answer());
      }
    }
    return sources.map((source) => amounts.get(keyOf(source)) ?? 0n);
  };
}

function keyOf({ currency, owner, spender }: FundingSource): string {
  return `${currency} ${owner} ${spender}`;
}

/**
 * Removes from the cache everything that may have changed between two blocks.
 * Never rejects.
 */
async function moveTo(
  network: Network,
  state: State,
  head: BlockHeader,
): Promise<State> {
  if (state.head.hash === head.hash) return state;
  const { ledger } = state;
  const logs = await readLogsBetween(network, state, head).catch(() => null);
  if (logs === null) ledger.clear();
  else for (const log of logs) forgetNamed(ledger, log);
  state.head = head;
  return state;
}

/**
 * Reads the logs between two blocks. Returns null if they cannot be read
 * completely.
 */
async function readLogsBetween(
  network: Network,
  { head: { hash, number }, ledger }: State,
  head: BlockHeader,
): Promise<readonly BlockLog[] | null> {
  const addresses = ledger.currencies();
  if (addresses.length === 0) return [];
  const count = head.number - number;
  const isFar = count < 1 || count > maxBlocks;
  if (isFar || addresses.length > maxCurrencies) return null;
  const client = network.client();
  // A wrong answer can only hide an offer, so one node is enough.
  const nodes = [{ position: 0, client, batchClient: client }];
  const headers = await readHeaders({ nodes }, number + 1, head.number);
  const isSameChain =
    headers?.[0]?.parentHash === hash && headers.at(-1)?.hash === head.hash;
  if (headers === null || !isSameChain) return null;
  const blocks = await readLogsByHash({ addresses, nodes }, headers);
  const isComplete = blocks.every((block) => block.isComplete);
  return isComplete ? blocks.flatMap(({ logs }) => logs) : null;
}

/** Removes all owners that a log's topics name, regardless of the event. */
function forgetNamed(ledger: Ledger, { address, topics }: BlockLog): void {
  for (const topic of topics.slice(1)) {
    const [, digits] = /^0x0{24}([0-9a-f]{40})$/iu.exec(topic) ?? [];
    if (digits !== undefined) ledger.forget(address, toOwner(digits));
  }
}

function toOwner(digits: string): Address {
  return `0x${digits}`;
}
