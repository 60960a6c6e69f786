import type { Address } from "viem";

import type { BlockLog } from "../../follower/block.js";
import { readHeaders, readLogsByHash } from "../../follower/read-blocks.js";
import { Batch } from "../../network/batch.js";
import type { BlockHeader } from "../../network/block-header.js";
import type { Network } from "../../network/networks.js";
import { createLedger, type Ledger, type Purse } from "./ledger.js";
import { askPurse } from "./holdings.js";

/**
 * Tells how much can be taken out of purses, in their order.
 *
 * Input: the last block.
 * Errors: `Unavailable` when the chain does not answer.
 */
export type ReadPurses = (
  network: Network,
  head: BlockHeader,
  purses: readonly Purse[],
) => Promise<readonly bigint[]>;

/** What is known at a block. */
interface State {
  head: BlockHeader;
  readonly ledger: Ledger;
}

/** It is looked what has happened in so many blocks, with so many currencies. */
const mostBlocks = 16;
const mostCurrencies = 100;

/** Twice as many questions go to the chain at a time. */
const pursesAtOnce = 400;

/**
 * Makes what looks into purses. It remembers them from block to block, until
 * something has happened to their owners: a log of the currency names whose
 * balance or allowance it changes. Some currencies change balances without one,
 * so that what is told can be as old as a minute: this is for leaving out what
 * cannot be paid, not for saying that something can.
 */
export function createReadPurses(): ReadPurses {
  const states = new Map<Network, Promise<State>>();
  /** One after the other, for they go along the chain. */
  const stateAt = (network: Network, head: BlockHeader): Promise<State> => {
    const before = states.get(network);
    const state =
      before === undefined
        ? Promise.resolve({ head, ledger: createLedger() })
        : before.then((known) => moveTo(network, known, head));
    states.set(network, state);
    return state;
  };
  return async (network, head, purses) => {
    const state = await stateAt(network, head);
    const { ledger } = state;
    const { hash } = state.head;
    const amounts = purses.map((purse) => ledger.find(purse));
    const unknown = purses.filter((_, index) => amounts[index] === null);
    const read = new Map<Purse, bigint>();
    for (let from = 0; from < unknown.length; from += pursesAtOnce) {
      const part = unknown.slice(from, from + pursesAtOnce);
      // There may be thousands, and they are remembered here.
      const batch = new Batch({ ...network, answers: null });
      const answers = part.map(
        (purse) => [purse, askPurse(batch, purse)] as const,
      );
      const isOfBlock = await batch.runNear(hash);
      for (const [purse, answer] of answers) {
        read.set(purse, answer());
        // Meanwhile it may have gone on to another block.
        if (isOfBlock && state.head.hash === hash) ledger.note(purse, answer());
      }
    }
    return purses.map(
      (purse, index) => amounts[index] ?? read.get(purse) ?? 0n,
    );
  };
}

/** Forgets whatever may have changed between two blocks. Never rejects. */
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

/** Output: null when it cannot be said what has happened. */
async function readLogsBetween(
  network: Network,
  { head: { hash, number }, ledger }: State,
  head: BlockHeader,
): Promise<readonly BlockLog[] | null> {
  const addresses = ledger.currencies();
  if (addresses.length === 0) return [];
  const count = head.number - number;
  const isFar = count < 1 || count > mostBlocks;
  if (isFar || addresses.length > mostCurrencies) return null;
  const client = network.client();
  const headers = await readHeaders(client, number + 1, head.number);
  const isSameChain =
    headers?.[0]?.parentHash === hash && headers.at(-1)?.hash === head.hash;
  if (headers === null || !isSameChain) return null;
  const blocks = await readLogsByHash(client, headers, { addresses });
  return blocks.flatMap(({ logs }) => logs);
}

/** Whoever is named in the topics of a log, whatever it tells. */
function forgetNamed(ledger: Ledger, { address, topics }: BlockLog): void {
  for (const topic of topics.slice(1)) {
    const [, digits] = /^0x0{24}([0-9a-f]{40})$/iu.exec(topic) ?? [];
    if (digits !== undefined) ledger.forget(address, toOwner(digits));
  }
}

function toOwner(digits: string): Address {
  return `0x${digits}`;
}
