import { expect, test } from "vitest";
import { createShopClient } from "../../golden/fixtures/explicit-undefined/expected/client.js";
import { createShopServer } from "../../golden/fixtures/explicit-undefined/expected/server.js";
import type {
  Filter,
  Payment,
} from "../../golden/fixtures/explicit-undefined/expected/types.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";

/** Compiles with `exactOptionalPropertyTypes` only because of the setting. */
const nothing: Filter = {
  ...{ name: undefined, note: undefined, size: undefined },
  ...{ since: undefined, tags: undefined, rest: undefined },
};

const payment: Payment = { card: 1, iban: undefined };

test("undefined is absent in requests, responses and queries", async () => {
  const seen: unknown[] = [];
  const server = createShopServer({
    handlers: {
      shop: {
        find: (request) => {
          seen.push(request);
          return { items: [nothing], next: undefined };
        },
        pay: (request) => {
          seen.push(request);
          return { payment };
        },
        list: (request) => {
          seen.push(request);
          return { items: [nothing] };
        },
      },
    },
  });
  const sent: unknown[] = [];
  const fetch = inProcess(server);
  const shop = createShopClient({
    baseUrl: "",
    fetch: (url, init) => {
      sent.push(url, init.body);
      return fetch(url, init);
    },
  });
  const found = await shop.find({ filter: nothing, limit: undefined });
  const listed = await shop.list({ name: undefined, since: undefined });
  const paid = await shop.pay({ payment });
  expect(sent).toEqual([
    ...["/rpc/Shop/Find", '{"filter":{}}'],
    ...["/items", null],
    ...["/rpc/Shop/Pay", '{"payment":{"card":1}}'],
  ]);
  expect(seen).toStrictEqual([{ filter: {} }, {}, { payment: { card: 1 } }]);
  expect(paid).toStrictEqual({ payment: { card: 1 } });
  expect([found, listed]).toStrictEqual([{ items: [{}] }, { items: [{}] }]);
});
