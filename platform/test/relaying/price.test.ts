import {
  createPublicClient,
  custom,
  numberToHex,
  parseGwei,
  type PublicClient,
} from "viem";
import { expect, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { offerPrice } from "../../relaying/evidence/evidence.js";
import { readMarket } from "../../relaying/evidence/read-market.js";

/** Opens a node that suggests a tip, all amounts in gwei. */
function openNode({
  tip,
  paid = tip,
  baseFee = 10,
}: {
  /** The gas price, on a chain without a base fee. */
  readonly tip: number;
  readonly paid?: number;
  readonly baseFee?: number | null;
}): PublicClient {
  const inHex = (gwei: number) => numberToHex(parseGwei(String(gwei)));
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: {
      ...(baseFee !== null && { baseFeePerGas: inHex(baseFee) }),
      ...{ transactions: [], number: "0x1" },
    },
    eth_gasPrice: inHex(tip),
    eth_maxPriorityFeePerGas: inHex(tip),
    eth_feeHistory: {
      ...{ oldestBlock: "0x0", baseFeePerGas: [], gasUsedRatio: [] },
      reward: [["0x0"], [inHex(paid)], [inHex(paid)]],
    },
  };
  return createPublicClient({
    transport: custom({
      request: ({ method }: { method: string }) => {
        const answer = answers[method];
        return answer === undefined
          ? Promise.reject(new Error(`no ${method}`))
          : Promise.resolve(answer);
      },
    }),
  });
}

async function marketOf(...nodes: readonly PublicClient[]) {
  const settings = {
    ...{ handle: "test", chainId: 1, nativeSymbol: "ETH" },
    ...{ rpcUrls: nodes.map((_, index) => String(index)) },
    ...{ swap: null, marketplace: null, maxGasPriceGwei: 500 },
  };
  const [network] = createNetworks([settings], ({ rpcUrls: [url] }) => {
    const node = nodes[Number(url)];
    if (node === undefined) throw new Error("there is no node");
    return node;
  }).all;
  if (network === undefined) throw new Error("there is no network");
  const market = await readMarket(network);
  if (market === null) throw new Error("most nodes report no price");
  return { gwei: Number(market.value.price.max / 10n ** 9n), market };
}

test("a node cannot suggest far more than recent blocks were paid", async () => {
  const { gwei } = await marketOf(openNode({ tip: 9000, paid: 2 }));
  expect(gwei).toBe(2 * 10 + 3 * 2);
});

test("one node of three cannot raise or lower the price", async () => {
  const honest = [openNode({ tip: 2 }), openNode({ tip: 2 })];
  const high = openNode({ tip: 9000, baseFee: 9000 });
  expect((await marketOf(high, ...honest)).gwei).toBe(22);
  const low = openNode({ tip: 0, baseFee: 0 });
  expect((await marketOf(low, ...honest)).gwei).toBe(22);
});

test("of two nodes, the higher base fee and the lower tip count", async () => {
  const low = openNode({ tip: 0, baseFee: 0 });
  expect((await marketOf(low, openNode({ tip: 2 }))).gwei).toBe(20);
  const two = [openNode({ tip: 3 }), openNode({ tip: 2 })];
  expect((await marketOf(...two)).gwei).toBe(22);
  const high = openNode({ tip: 9000, baseFee: 9000 });
  expect((await marketOf(high, openNode({ tip: 2 }))).gwei).toBe(22);
  expect(offerPrice((await marketOf(high, high)).market)).toBe(null);
});

test("one node of two cannot make a transaction pay up to the limit", async () => {
  const honest = openNode({ tip: 1 });
  for (const liar of [
    openNode({ tip: 489 }),
    openNode({ tip: 500, baseFee: null }),
    openNode({ tip: 0, baseFee: 490 }),
  ]) {
    const { market } = await marketOf(honest, liar);
    const { fields } = market.value.price;
    const paid =
      fields.type === "legacy"
        ? fields.gasPrice
        : parseGwei("10") + fields.maxPriorityFeePerGas;
    expect(paid).toBeLessThanOrEqual(parseGwei("11"));
  }
  const legacy = openNode({ tip: 12, baseFee: null });
  const liar = openNode({ tip: 0, baseFee: 490 });
  expect((await marketOf(legacy, liar)).gwei).toBe(12);
});

test("one node of two cannot set the tip while the price exceeds the limit", async () => {
  const honest = openNode({ tip: 2, baseFee: 400_000 });
  const { market } = await marketOf(honest, openNode({ tip: 480 }));
  expect(market.value.price.fields).toMatchObject({
    maxPriorityFeePerGas: parseGwei("2"),
  });
});

test("one node does not set the price while others are down", async () => {
  const down = createPublicClient({
    transport: custom(
      { request: () => Promise.reject(new Error("no response")) },
      { retryCount: 0 },
    ),
  });
  const survivor = openNode({ tip: 400 });
  const none = "most nodes report no price";
  await expect(marketOf(survivor, down)).rejects.toThrow(none);
  await expect(marketOf(down, survivor, down)).rejects.toThrow(none);
  const two = await marketOf(openNode({ tip: 2 }), survivor, down);
  expect(two.gwei).toBe(22);
});

test("without a base fee, the median or the lower gas price counts", async () => {
  const openLegacy = (tip: number) => openNode({ tip, baseFee: null });
  const [none, low, high] = [0, 12, 9000].map(openLegacy);
  if (!none || !low || !high) throw new Error("a node is missing");
  expect((await marketOf(none, low)).gwei).toBe(0);
  expect((await marketOf(high, low)).gwei).toBe(12);
  expect((await marketOf(high, low, low)).gwei).toBe(12);
  expect((await marketOf(none, low, low)).gwei).toBe(12);
});

test("one node cannot decide whether a chain has a base fee", async () => {
  const [dynamic, legacy] = [
    openNode({ tip: 2 }),
    openNode({ tip: 12, baseFee: null }),
  ];
  const typeOf = async (...nodes: readonly PublicClient[]) =>
    (await marketOf(...nodes)).market.value.price.fields.type;
  expect(await typeOf(dynamic, dynamic, legacy)).toBe("eip1559");
  expect(await typeOf(legacy, legacy, dynamic)).toBe("legacy");
  // Chains of both kinds accept a legacy transaction.
  const tie = await marketOf(dynamic, legacy);
  expect(tie.market.value.price).toMatchObject({ max: parseGwei("12") });
  expect(await typeOf(dynamic, legacy)).toBe("legacy");
});

test("no price exceeds the limit of the network", async () => {
  const near = await marketOf(openNode({ tip: 2, baseFee: 400 }));
  expect(near.gwei).toBe(500);
  expect(offerPrice(near.market)?.value.max).toBe(parseGwei("500"));
  const above = await marketOf(openNode({ tip: 9000 }));
  expect(offerPrice(above.market)).toBe(null);
});

test("a stuck transaction doubles its price, from a thousandth of the limit to the limit", async () => {
  const { market } = await marketOf(openNode({ tip: 0, baseFee: 0 }));
  let old = offerPrice(market);
  const offers: bigint[] = [];
  for (let round = 0; old !== null && round < 12; round += 1) {
    offers.push(old.value.max);
    old = offerPrice(market, old.value, true);
  }
  expect(offers.slice(0, 3)).toEqual([0n, parseGwei("0.5"), parseGwei("1")]);
  expect(offers.at(-1)).toBe(parseGwei("500"));
  expect(old).toBe(null);
});
