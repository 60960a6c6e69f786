import fc from "fast-check";
import {
  type Abi,
  type AbiParameter,
  createPublicClient,
  custom,
  decodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  toHex,
} from "viem";
import { expect, test } from "vitest";

import { batchReader } from "../../chain/artifacts/batch-reader.js";
import { Batch } from "../../network/batch.js";
import { createNetworks } from "../../network/networks.js";
import { answerCalls } from "../marketplace/stub-chain.js";
import { silentNetworks } from "../support/start-chain.js";

/** A parameter of a function, and a value for it. */
type Argument = readonly [AbiParameter, unknown];

const hexOf = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => toHex(bytes));
const ofType = (type: string, value: fc.Arbitrary<unknown>) =>
  value.map((each): Argument => [{ type }, each]);

const { argument } = fc.letrec<{ argument: Argument }>((tie) => ({
  argument: fc.oneof(
    { maxDepth: 2 },
    ofType("uint256", fc.bigInt(0n, 2n ** 256n - 1n)),
    ofType("int24", fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 })),
    ofType("bool", fc.boolean()),
    ofType("address", hexOf(20, 20).map(getAddress)),
    ofType("bytes4", hexOf(4, 4)),
    ofType("bytes", hexOf(0, 70)),
    ofType("string", fc.string({ unit: "grapheme", maxLength: 40 })),
    fc
      .tuple(tie("argument"), fc.nat(3), fc.boolean())
      .map(([[item, value], length, isFixed]): Argument => [
        { ...item, type: `${item.type}[${isFixed ? length + 1 : ""}]` },
        Array(isFixed ? length + 1 : length).fill(value),
      ]),
    fc
      .array(tie("argument"), { minLength: 1, maxLength: 3 })
      .map((members): Argument => [
        { type: "tuple", components: members.map(([each]) => each) },
        members.map(([, value]) => value),
      ]),
  ),
}));

/** Functions of the same name, and arguments for one of them. */
const questions = fc
  .tuple(
    fc.array(fc.array(argument, { maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.nat(2),
  )
  .map(([functions, index]) => ({
    abi: functions.map((inputs): Abi[number] => ({
      ...({ type: "function", name: "ask", stateMutability: "view" } as const),
      inputs: inputs.map(([each]) => each),
      outputs: [{ type: "uint256" }],
    })),
    args: (functions[index % functions.length] ?? []).map(([, value]) => value),
  }));

test("encodes calls like viem, also of functions with the same name", async () => {
  const sent: Hex[] = [];
  const request = ({ params: [call] }: { params: unknown[] }) => {
    const { data } = Object(call);
    if (isHex(data)) sent.push(data);
    return Promise.resolve(answerCalls("0x"));
  };
  const { all } = createNetworks(silentNetworks, () =>
    createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
  );
  const [network] = all;
  if (network === undefined) throw new Error("the network is missing");
  const to = getAddress(`0x${"1".repeat(40)}`);
  await fc.assert(
    fc.asyncProperty(questions, async ({ abi, args: given }) => {
      let data: Hex;
      try {
        data = encodeFunctionData({ abi, args: given, functionName: "ask" });
      } catch {
        // Two functions of the name accept the arguments.
        expect(() => new Batch(network).ask(to, abi, "ask", given)).toThrow();
        return;
      }
      const batch = new Batch(network);
      batch.ask(to, abi, "ask", given);
      await batch.run();
      const { args } = decodeDeployData({
        abi: batchReader.abi,
        bytecode: batchReader.bytecode,
        data: sent.pop() ?? "0x",
      });
      expect(args).toEqual([[{ to, data }]]);
    }),
    { numRuns: 500 },
  );
});
