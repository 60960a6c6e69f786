import { sql } from "kysely";
import type { Hex } from "viem";
import { expect, test } from "vitest";

import {
  type Call,
  findRecentCalls,
  openSharedAnswers,
  removeUnwanted,
  writeAnswers,
} from "../../network/shared-answers.js";
import { addressOf, hashOf } from "../marketplace/stub-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
let lastChainId = 0;

/** Opens a separate chain that two instances share. */
function open() {
  lastChainId += 1;
  const chainId = lastChainId;
  const [one, other] = [1, 2].map(() => openSharedAnswers(database, chainId));
  if (one === undefined || other === undefined) throw new Error("two");
  /**
   * Returns the other instance's answer to each call, or null if it has none.
   */
  const recall = async (block: number, ...calls: readonly Call[]) => {
    const asked = calls.map((call) => ({ ...call, answer: null }));
    const unknown = new Set(await other.recall(hashOf(block), asked));
    return asked.map((call) => (unknown.has(call) ? null : call.answer));
  };
  const age = (seconds: number) =>
    sql`
      update chain_answers set wanted_at = now() - make_interval(secs => ${seconds})
      where chain_id = ${chainId}`.execute(database);
  return { chainId, one, recall, age };
}

const callOf = (to: number, data: Hex, answer: Hex | null): Call => ({
  ...{ to: addressOf(to), data, answer },
});

test("shares answers about a block with all instances", async () => {
  const { one, recall } = open();
  const [first, second] = [
    callOf(0xab, "0x01", "0x07"),
    callOf(1, "0x02", "0x08"),
  ];
  one.share(hashOf(1), [first, second]);
  const upper: Call = { ...first, to: `0x${"0".repeat(38)}AB` };
  await expect.poll(() => recall(1, second, upper)).toEqual(["0x08", "0x07"]);
  expect(await recall(2, first)).toEqual([null]);
  one.share(hashOf(2), [{ ...first, answer: "0x09" }]);
  await expect.poll(() => recall(2, first, second)).toEqual(["0x09", null]);
});

test("shares rejections like other answers", async () => {
  const { chainId, one } = open();
  const call = callOf(1, "0x01", null);
  await writeAnswers(database, chainId, new Map([[call, hashOf(1)]]), true);
  expect(await one.recall(hashOf(1), [call])).toEqual([]);
});

test("refreshes recently used answers and drops the others", async () => {
  const { age, chainId, one, recall } = open();
  const [needed, other] = [
    callOf(1, "0x01", "0x07"),
    callOf(2, "0x02", "0x08"),
  ];
  one.share(hashOf(1), [needed, other]);
  await expect.poll(() => recall(1, needed, other)).toEqual(["0x07", "0x08"]);
  await age(21);
  // Make the needed answer the older one until it is used again.
  await sql`
    update chain_answers set wanted_at = wanted_at - interval '1 second'
    where chain_id = ${chainId} and question = ${needed.data}`.execute(
    database,
  );
  await recall(1, needed);
  const findWanted = async () => {
    const calls = await findRecentCalls(database, chainId);
    return calls.map(({ data }) => data);
  };
  await expect.poll(findWanted).toEqual(["0x01", "0x02"]);
  await sql`
    update chain_answers set wanted_at = wanted_at - interval '40 seconds'
    where chain_id = ${chainId}`.execute(database);
  expect(await findWanted()).toEqual(["0x01"]);
  await writeAnswers(
    database,
    chainId,
    new Map([[{ ...needed, answer: "0x09" }, hashOf(2)]]),
    false,
  );
  await removeUnwanted(database, chainId);
  expect(await recall(2, needed, other)).toEqual(["0x09", null]);
  expect(await recall(1, other)).toEqual([null]);
  // The use above may be recorded after the answers have aged.
  const findLater = async () => {
    await age(60);
    return findWanted();
  };
  await expect.poll(findLater).toEqual([]);
});

test("does not share calls that the database cannot index", async () => {
  const { chainId, one, recall } = open();
  const long = callOf(1, `0x${"1".repeat(4000)}`, "0x07");
  const short = callOf(2, "0x01", "0x08");
  one.share(hashOf(1), [long, short]);
  await expect.poll(() => recall(1, short, long)).toEqual(["0x08", null]);
  expect(await findRecentCalls(database, chainId)).toHaveLength(1);
});
