import { expect, test } from "vitest";

import {
  type BlockView,
  isRemoved,
  judgeDepth,
  type NodeView,
} from "../../relaying/evidence/blocks.js";

const mined = [{ hash: "0x1", blockNumber: 100, blockHash: "0xb" }];

/** A node with some transactions in block 100, or without that block. */
const block = (
  transactions: readonly string[] | null,
  head = 100,
): BlockView => ({ head, transactions });

const [has, replaced] = [block(["0x0", "0x1"]), block(["0x0"])];
const [behind, current] = [block(null, 99), block(null, 101)];

test.each([
  ["the only node has replaced the block", [replaced], true],
  ["the only node has it", [has], false],
  ["one of two nodes has replaced it", [replaced, has], false],
  ["one of two nodes is silent", [replaced, null], false],
  ["both nodes have replaced it", [replaced, replaced], true],
  ["one of three nodes has replaced it", [replaced, has, has], false],
  ["two of three nodes have replaced it", [has, replaced, replaced], true],
  ["one of three nodes is silent", [replaced, replaced, null], true],
  ["two of three nodes are silent", [replaced, null, null], false],
  ["no node responds", [null, null, null], false],
])("a reorganization needs a majority: %s", (_, views, expected) => {
  for (const isLong of [false, true]) {
    const about = { blockNumber: 100, hashes: ["0x1"], isLong };
    expect(isRemoved(views, about)).toBe(expected);
  }
});

test("nodes that lag behind have not removed a block, unless they do for long", () => {
  const about = { blockNumber: 100, hashes: ["0x1"] };
  const removed = (views: readonly (BlockView | null)[], isLong: boolean) =>
    isRemoved(views, { ...about, isLong });
  expect(removed([behind, behind, has], false)).toBe(false);
  expect(removed([behind, behind, has], true)).toBe(true);
  expect(removed([behind, replaced, has], true)).toBe(true);
  expect(removed([behind, has], true)).toBe(false);
  // A node whose chain is long enough has only failed to show the block.
  expect(removed([current, current, has], true)).toBe(false);
});

/** A node that has a hash at block 100, or none, and a last block. */
const view = (hash: string | null, head = 200): NodeView => ({
  head,
  hashes: new Map(hash === null ? [] : [[100, hash]]),
});

const [deep, shallow] = [view("0xb"), view("0xb", 120)];
const [forked, missing] = [view("0xc"), view(null)];

test.each([
  ["the only node has it", [deep], "deep"],
  ["the only node is short", [shallow], "shallow"],
  ["the only node has another block", [forked], "contradicted"],
  ["the only node does not have it", [missing], "unknown"],
  ["both nodes have it", [deep, deep], "deep"],
  ["one of two is short", [deep, shallow], "shallow"],
  ["one of two has another block", [deep, forked], "contradicted"],
  ["one of two does not have it", [deep, missing], "unknown"],
  ["one of two is silent", [deep, null], "unknown"],
  ["two of three have it", [deep, forked, deep], "deep"],
  ["one of three claims a long chain", [deep, shallow, shallow], "shallow"],
  ["one of three is silent", [deep, null, deep], "deep"],
  ["two of three have another block", [forked, forked, deep], "contradicted"],
  ["two of three are silent", [null, deep, null], "unknown"],
  ["two of three do not have it", [missing, missing, deep], "unknown"],
  ["no node responds", [null, null], "unknown"],
])("the depth of a block needs a majority: %s", (_, views, expected) => {
  expect(judgeDepth(views, mined, 64)).toBe(expected);
});

test("all blocks of a relay must be deep on the same nodes", () => {
  const two = [...mined, { hash: "0x2", blockNumber: 150, blockHash: "0xd" }];
  const both = (head: number): NodeView => ({
    head,
    hashes: new Map([
      [100, "0xb"],
      [150, "0xd"],
    ]),
  });
  expect(judgeDepth([both(214), both(214), null], two, 64)).toBe("deep");
  expect(judgeDepth([both(213), both(214), null], two, 64)).toBe("shallow");
  expect(judgeDepth([both(214), view("0xb", 214), null], two, 64)).toBe(
    "unknown",
  );
});
