import { expect, expectTypeOf, test } from "vitest";
import { createShopClient } from "../../golden/fixtures/readonly-lists/expected/client.js";
import { createShopServer } from "../../golden/fixtures/readonly-lists/expected/server.js";
import type { FindRequest } from "../../golden/fixtures/readonly-lists/expected/types.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";

const ids = Object.freeze([1, 2] as const);
const rows = [["a"], []] as const;

test("read-only arrays can be sent and returned", async () => {
  const server = createShopServer({
    handlers: {
      shop: {
        find: ({ page }) => ({
          items: [],
          page: page ?? { page: 0, pageSize: 9 },
        }),
        list: () => ({ items: [] }),
        watch: async function* ({ ids }) {
          yield { items: ids.map(itemOf) };
        },
        keep: (request) => ({ rows: Object.freeze(request.rows) }),
      },
    },
  });
  const shop = createShopClient({ baseUrl: "", fetch: inProcess(server) });
  expectTypeOf<FindRequest["ids"]>().toEqualTypeOf<readonly number[]>();
  expect(await shop.keep({ rows })).toEqual({ rows });
  const payment = ["a"] as const;
  expect(await shop.find({ ids, payment })).toMatchObject({ items: [] });
  const seen = [];
  for await (const { items } of shop.watch({ ids })) seen.push(...items);
  expect(seen).toEqual(ids.map(itemOf));
});

function itemOf(id: number) {
  const lists = { tags: ["x"], sold: [new Date(id)], grid: [[2n ** 64n]] };
  return { id, ...lists, notes: null, parts: {} } as const;
}
