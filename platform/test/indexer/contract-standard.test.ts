import { expect, test } from "vitest";

import { createFindStandards } from "../../services/indexer/contract-standard.js";
import { addressOf, createStubChain } from "../marketplace/stub-chain.js";

test("queries each contract once, and a limited number at a time", async () => {
  const { asked, network, state } = createStubChain();
  // Each contract supports ERC-721.
  state.answer = 1n;
  const contracts = Array.from({ length: 200 }, (_, at) => addressOf(at + 1));
  const find = createFindStandards(network);
  const ask = async () => {
    const before = asked.calls.length;
    const found = [...(await find([...contracts, ...contracts])).values()];
    const unknown = found.filter((each) => each === "UNKNOWN").length;
    return [found.length, unknown, asked.calls.length - before];
  };
  expect(await ask()).toEqual([200, 40, 160]);
  expect(await ask()).toEqual([200, 0, 40]);
  expect(await ask()).toEqual([200, 0, 0]);
});
