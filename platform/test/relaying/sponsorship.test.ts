import { createPublicClient, custom } from "viem";
import { expect, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { requireForm } from "../../network/rpc-answers.js";
import { sponsorableAddresses } from "../../relaying/sponsorship.js";
import { malformedValues } from "../support/malformed-answers.js";

const wallet = `0x${"a".repeat(40)}` as const;
const target = `0x${"b".repeat(40)}` as const;

/** Asks nodes, each of which reports a code, or fails if it is null. */
async function addressesOf(
  ...codes: readonly unknown[]
): Promise<readonly string[] | string> {
  const settings = {
    ...{ handle: "test", chainId: 1, nativeSymbol: "ETH" },
    ...{ rpcUrls: codes.map((_, index) => String(index)) },
    ...{ swap: null, marketplace: null },
  };
  const [network] = createNetworks([settings], ({ rpcUrls: [url] }) => {
    const code = codes[Number(url)] ?? null;
    const request = async ({ method }: { readonly method: string }) => {
      if (code === null) throw new Error("no response");
      return requireForm(method, code);
    };
    return createPublicClient({
      transport: custom({ request }, { retryCount: 0 }),
    });
  }).all;
  if (network === undefined) throw new Error("there is no network");
  const call = {
    ...{ wallet, to: target, value: 0n, data: "0x" as const },
    ...{ nonce: 0n, deadline: 0n },
  };
  const asked = sponsorableAddresses(network, {
    ...{ projectId: 1, call, hash: "0x", forwarder: target, data: "0x" },
    requestId: null,
  });
  return asked.catch((error: unknown) => String(Object(error).cause));
}

test("one node does not decide which sponsors can pay while others are down", async () => {
  const disagree = /^most nodes of test do not agree about the code of/u;
  expect(await addressesOf("0x12", null, null)).toMatch(disagree);
  expect(await addressesOf("0x12", null)).toMatch(disagree);
  expect(await addressesOf("0x12", "0x12", null)).toEqual([wallet, target]);
});

test("a malformed code counts as no response", async () => {
  for (const code of malformedValues.filter((each) => each !== "0x")) {
    const both = await addressesOf("0x12", code, "0x12");
    expect(both).toEqual([wallet, target]);
    const disagree = /^most nodes of test do not agree about the code of/u;
    expect(await addressesOf("0x12", code)).toMatch(disagree);
  }
});
