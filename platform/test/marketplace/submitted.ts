import {
  concat,
  type Hex,
  numberToHex,
  parseUnits,
  serializeCompactSignature,
  parseSignature,
  signatureToCompactSignature,
} from "viem";
import { describe, expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { signOrder } from "../../chain/seed-orders.js";
import { seaportAbi } from "../../seaport/abi.js";
import { makeListing, makeOffer } from "../../seaport/make-order.js";
import {
  hashOrder,
  type OrderParameters,
  orderTypes,
} from "../../seaport/order.js";
import { importOrders } from "../../services/marketplace/book/import-orders.js";
import { openConsole, testToken } from "../console/open-console.js";
import { testChainId } from "../support/start-chain.js";
import { approve, type TestMarket } from "./open-market.js";
import { rewind } from "./rewind.js";

const price = parseUnits("10", 6);
const { owner: maker, user: seller } = createFixtureAccounts();

/** Tests the life cycle of orders that an operator submits. */
export function testSubmitted(current: () => TestMarket): void {
  const toLine = (parameters: OrderParameters, signature: Hex): string =>
    JSON.stringify({ parameters, signature }, (_, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    );
  const submit = (...lines: readonly string[]) => {
    const { database, network } = current();
    return importOrders(database, network, lines.join("\n"));
  };
  const sign = (parameters: OrderParameters, account = seller) => {
    const { chain, user } = current();
    return signOrder(user, chain.fixtures.seaport, parameters, account);
  };
  /** Lists a new token of the seller. */
  const list = async (changes: Partial<OrderParameters> = {}) => {
    const { chain, mint, user } = current();
    const item = await mint(user);
    const currency = chain.fixtures.dollar;
    const terms = { maker: seller.address, item, currency, price, changes };
    return makeListing(terms);
  };

  describe("a submitted order", () => {
    test("is filled with its signature, like other orders", async () => {
      const { chain, other, read } = current();
      const { collectible, dollar, seaport } = chain.fixtures;
      const parameters = await list();
      const signature = await sign(parameters);
      const [line] = await submit(toLine(parameters, signature));
      const orderId = hashOrder(parameters, 0n);
      expect(line).toEqual({ line: 1, orderId, refusal: null });
      expect(await read(collectible, orderId)).toMatchObject({
        ...{ orderId, status: "active", side: "listing" },
        ...{ priceAmount: price.toString(), quantityAvailable: "1" },
      });
      await approve(other, dollar, seaport, price);
      await other.writeContractSync({
        ...{ address: seaport, abi: seaportAbi, functionName: "fulfillOrder" },
        args: [{ parameters, signature }, `0x${"0".repeat(64)}`],
        throwOnReceiptRevert: true,
      });
      const order = await read(collectible, orderId);
      expect(order).toMatchObject({ status: "filled", quantityRemaining: "0" });
    });

    test("is the highest offer until it is canceled", async () => {
      const { chain, client, mint, owner, user } = current();
      const { collectible, dollar, seaport } = chain.fixtures;
      const item = await mint(user);
      await approve(owner, dollar, seaport, price * 100n);
      const terms = { maker: maker.address, item, currency: dollar, price };
      const parameters = makeOffer(terms);
      const compact = serializeCompactSignature(
        signatureToCompactSignature(
          parseSignature(await sign(parameters, maker)),
        ),
      );
      const [line] = await submit(toLine(parameters, compact));
      expect(line?.refusal).toBeNull();
      const highest = async () => {
        const { order } = await client.getHighestPriceOfferForCollectible({
          contractAddress: collectible,
          tokenId: item.tokenId.toString(),
        });
        return order?.orderId ?? null;
      };
      expect(await highest()).toBe(hashOrder(parameters, 0n));
      await rewind(current(), async () => {
        await owner.writeContractSync({
          ...{ address: seaport, abi: seaportAbi },
          functionName: "incrementCounter",
          throwOnReceiptRevert: true,
        });
        expect(await highest()).toBeNull();
      });
      expect(await highest()).toBe(hashOrder(parameters, 0n));
      await owner.writeContractSync({
        ...{ address: seaport, abi: seaportAbi, functionName: "cancel" },
        args: [[{ ...parameters, counter: 0n }]],
        throwOnReceiptRevert: true,
      });
      expect(await highest()).toBeNull();
    });

    test("may belong to a contract wallet", async () => {
      const { wallet } = current().chain.fixtures;
      const parameters = await list({ offerer: wallet });
      const [line] = await submit(toLine(parameters, await sign(parameters)));
      expect(line?.refusal).toBeNull();
    });

    test("may share one signature with other orders", async () => {
      const { chain, read } = current();
      const orders = [await list(), await list()] as const;
      const signature = await seller.signTypedData({
        domain: {
          ...{ name: "Seaport", version: "1.6", chainId: testChainId },
          verifyingContract: chain.fixtures.seaport,
        },
        types: {
          ...orderTypes,
          BulkOrder: [{ name: "tree", type: "OrderComponents[2]" }],
        },
        primaryType: "BulkOrder",
        message: {
          tree: [
            { ...orders[0], counter: 0n },
            { ...orders[1], counter: 0n },
          ],
        },
      });
      const [first, second] = orders.map((order) => hashOrder(order, 0n));
      if (first === undefined || second === undefined) throw new Error("two");
      // The signature, followed by the order's index and the Merkle proof.
      const signed = (index: number, sibling: Hex): Hex =>
        concat([signature, numberToHex(index, { size: 3 }), sibling]);
      const lines = await submit(
        toLine(orders[0], signed(0, first)),
        toLine(orders[0], signed(0, second)),
        toLine(orders[1], signed(1, first)),
      );
      expect(lines).toEqual([
        { line: 1, orderId: null, refusal: expect.stringMatching(/Signer/u) },
        { line: 2, orderId: first, refusal: null },
        { line: 3, orderId: second, refusal: null },
      ]);
      const { collectible } = chain.fixtures;
      expect(await read(collectible, second)).toMatchObject({
        status: "active",
      });
    });

    test("ends when its maker raises the counter", async () => {
      const { chain, read, user } = current();
      const { collectible, seaport } = chain.fixtures;
      const parameters = await list();
      const line = toLine(parameters, await sign(parameters));
      const orderId = hashOrder(parameters, 0n);
      expect(await submit(line)).toMatchObject([{ orderId }]);
      const other = await list();
      const late = toLine(other, await sign(other));
      await rewind(current(), async () => {
        await user.writeContractSync({
          ...{ address: seaport, abi: seaportAbi },
          functionName: "incrementCounter",
          throwOnReceiptRevert: true,
        });
        expect(await read(collectible, orderId)).toMatchObject({
          status: "cancelled",
        });
        expect(await submit(late)).toMatchObject([
          { refusal: expect.stringContaining("InvalidSigner") },
        ]);
      });
      expect(await read(collectible, orderId)).toMatchObject({
        status: "active",
      });
    });

    test("survives a reorganization, even if it was validated in a removed block", async () => {
      const { chain, mint, read, user, validate } = current();
      const { collectible } = chain.fixtures;
      const parameters = await list();
      const line = toLine(parameters, await sign(parameters));
      const orderId = hashOrder(parameters, 0n);
      await rewind(current(), async () => {
        await mint(user);
        expect(await submit(line)).toMatchObject([{ orderId }]);
        expect(await validate(user, [parameters])).toEqual([orderId]);
        expect(await read(collectible, orderId)).not.toBeNull();
      });
      expect(await read(collectible, orderId)).toMatchObject({
        ...{ orderId, status: "active", quantityAvailable: "1" },
      });
    });

    test("is rejected with a reason, while other orders are stored", async () => {
      const parameters = await list();
      const signature = await sign(parameters);
      const past = await list({ endTime: 1_600_000_000n });
      const bundle = {
        ...parameters,
        offer: [...parameters.offer, ...parameters.offer],
      };
      const late = { ...parameters, counter: 7n };
      const lines = await submit(
        toLine({ ...parameters, salt: 5n }, signature),
        toLine(past, await sign(past)),
        "",
        toLine(bundle, signature),
        toLine(late, signature),
        "{",
        toLine({ ...parameters, salt: -1n }, signature),
        toLine(parameters, signature),
        toLine(parameters, signature),
      );
      const found = lines.map(({ line, refusal }) => [line, refusal]);
      expect(found).toEqual([
        [1, expect.stringContaining("InvalidSigner")],
        [2, "the order has expired"],
        [4, expect.stringContaining("no single price")],
        [5, expect.stringContaining("the order has counter 7")],
        [6, "the line: expected JSON"],
        [7, "parameters.salt: expected a number"],
        [8, null],
        [9, expect.stringContaining("has already been imported")],
      ]);
    });

    test("is imported later if there was no time, without asking the chain about others", async () => {
      const { database, network } = current();
      const orders = [await list(), await list(), await list()];
      const lines = await Promise.all(
        orders.map(async (order) => toLine(order, await sign(order))),
      );
      let asked = 0;
      const counted = {
        ...network,
        client: () => {
          asked += 1;
          return network.client();
        },
      };
      const refusals = async (isOver?: () => boolean) => {
        const text = lines.join("\n");
        const found = await importOrders(database, counted, text, isOver);
        return found.map(({ refusal }) => refusal);
      };
      // There is time to read the lines and to store one of them.
      let steps = 0;
      const late = expect.stringContaining("there was no time left");
      expect(await refusals(() => (steps += 1) > 4)).toEqual([
        null,
        late,
        late,
      ]);
      const known = expect.stringContaining("has already been imported");
      expect(await refusals()).toEqual([known, null, null]);
      asked = 0;
      expect(await refusals()).toEqual([known, known, known]);
      // The counter of their maker.
      expect(asked).toBe(1);
    });

    test("is imported although the client waits for 20 seconds only", async () => {
      const { chain, database } = current();
      const { network } = chain;
      const { orders } = openConsole(database, {
        networks: [network],
      }).clientWith({
        authorization: `Bearer ${testToken}`,
        "request-timeout-ms": "20000",
      });
      const parameters = await list();
      const line = toLine(parameters, await sign(parameters));
      const { lines } = await orders.importOrders({
        ...{ network: network.handle, orders: new Blob([line]) },
      });
      expect(lines).toEqual([{ line: 1, orderId: hashOrder(parameters, 0n) }]);
    });
  });
}
