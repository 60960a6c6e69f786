import { encodeAbiParameters, parseAbiParameters } from "viem";
import { expect, test } from "vitest";

import { bookOf } from "../../services/marketplace/book/book.js";
import { createFindSpenders } from "../../services/marketplace/spender.js";
import {
  addressOf,
  answerCalls,
  createStubChain,
  hashOf,
} from "./stub-chain.js";

/** Creates a chain whose marketplace contract has this conduit controller. */
function openChain(chainId: number, controller: number) {
  const network = { ...createStubChain().network, chainId };
  // Read as the result of `getConduit`, this starts with a conduit's address.
  const data = encodeAbiParameters(
    parseAbiParameters("string version, bytes32 domain, address controller"),
    ["", hashOf(1), addressOf(controller)],
  );
  const call = () => Promise.resolve({ data: answerCalls(data) });
  Object.assign(network.client(), { call });
  return network;
}

test("finds the conduits of each chain, even at the same address", async () => {
  const findSpenders = createFindSpenders();
  const controllers: unknown[] = [];
  for (const network of [openChain(1, 11), openChain(2, 22)]) {
    const book = bookOf(network) ?? expect.unreachable();
    const spenders = await findSpenders(network, book, [hashOf(5)]);
    controllers.push(spenders.get(hashOf(5))?.controller);
  }
  expect(controllers).toEqual([addressOf(11), addressOf(22)]);
});
