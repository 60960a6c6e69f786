import { sql } from "kysely";
import { isHex, keccak256, parseEther } from "viem";
import { expect, test } from "vitest";

import { openChainWallet } from "../../chain/chain-wallet.js";
import type { Relay } from "../../relaying/generated/types.js";
import {
  accounts,
  costOf,
  openRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { testChainId } from "../support/start-chain.js";

const opened = await openRelaying();
const { anvil, answering, chain, database, owner, openSponsor, settle } =
  opened;
const { networks } = opened.platform.platform;

/** Makes the transactions of a relay eleven minutes old. */
const ageTransactions = ({ id }: Relay) =>
  sql`
    update relay_transactions set created_at = now() - interval '11 minutes'
    where relay_id = ${id}`.execute(database);

/** Lets eleven minutes pass since a used nonce was found without a receipt. */
const ageDoubt = ({ id }: Relay) =>
  sql`
    update relays set unexplained_at = unexplained_at - interval '11 minutes'
    where id = ${id}`.execute(database);

const readRelay = async ({ id }: Relay) => ({
  ...(await database
    .selectFrom("relays")
    .select(["state", "is_final"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow()),
  count: (
    await database
      .selectFrom("relay_transactions")
      .select("hash")
      .where("relay_id", "=", id)
      .execute()
  ).length,
});

const pending = { state: "pending", is_final: false, count: 1 };

test.each([
  ["is still valid", 4_000_000_000n],
  ["has expired", null],
])(
  "a node without receipts never makes a relay final or sends it twice (the call %s)",
  async (_, until) => {
    const { wallet, relay, readTank, getRelay } = await openSponsor();
    const { timestamp } = await owner.getBlock();
    const deadline = until ?? timestamp + 60n;
    const sent = await relayOf(relay(callOf(wallet, { deadline })));
    const lagging = answering("eth_getTransactionReceipt", () => null);
    await settle(lagging, sent);
    await anvil.setNextBlockTimestamp({ timestamp: timestamp + 61n });
    await anvil.mine({ blocks: 1 });
    await ageTransactions(sent);
    expect(await settle(lagging, sent)).toBe("a receipt is missing");
    expect(await readRelay(sent)).toEqual(pending);
    await ageDoubt(sent);
    expect(await settle(lagging, sent)).toMatch(
      /^the nonce \d+ of 0x\w+ has been used, but no node has the receipt$/u,
    );
    expect(await readRelay(sent)).toEqual(pending);
    await settle(networks, sent);
    const done = await getRelay(sent.id);
    expect(done.status).toBe("done");
    expect(await readTank()).toBe(
      parseEther("1") - (await costOf(owner, done)),
    );
  },
);

test("a call whose nonce another program has used gets a new one", async () => {
  const { wallet, relay, readTank, getRelay } = await openSponsor();
  const sent = await relayOf(relay(callOf(wallet)));
  const dropping = answering("eth_sendRawTransaction", (_, transaction) =>
    isHex(transaction) ? keccak256(transaction) : null,
  );
  await settle(dropping, sent);
  const stranger = openChainWallet(chain.rpcUrl, testChainId, accounts.relayer);
  await stranger.sendTransactionSync({ to: wallet });
  expect(await settle(networks, sent)).toBe("a receipt is missing");
  await ageDoubt(sent);
  // The first step sends the call again, and its block may come after that.
  const step = async (): Promise<string> => {
    await settle(networks, sent);
    return (await getRelay(sent.id)).status;
  };
  await expect.poll(step).toBe("done");
  const done = await getRelay(sent.id);
  expect(await readTank()).toBe(parseEther("1") - (await costOf(owner, done)));
});
