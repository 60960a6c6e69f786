import { expect, test, vi } from "vitest";
import type { ShopClient } from "../../golden/fixtures/readonly-lists/expected/client.js";
import type { FindRequest } from "../../golden/fixtures/readonly-lists/expected/types.js";
import { stubCall } from "../../../runtime/typescript/hosts/in-process.js";
import { WebrpcBadRequestError } from "../../../runtime/typescript/wire/errors.js";

const request: FindRequest = { ids: [1], payment: ["a"] };
const response = { items: [], page: { page: 1, pageSize: 9 } };

test("a stub answers calls, also for `result`", async () => {
  const answer = vi.fn(() => response);
  const shop: Pick<ShopClient, "find"> = { find: stubCall(answer) };
  expect(await shop.find(request, { timeoutMs: 5 })).toBe(response);
  const settled = await shop.find.result(request);
  expect(settled).toEqual({ ok: true, value: response });
  expect(answer.mock.calls).toEqual([
    [request, { timeoutMs: 5 }],
    [request, undefined],
  ]);
});

test("a stub fails as its function does, and `result` returns RPC errors", async () => {
  const failure = new WebrpcBadRequestError({ cause: "no" });
  const shop: Pick<ShopClient, "find" | "keep"> = {
    find: stubCall(() => Promise.reject(failure)),
    keep: stubCall(() => {
      throw new TypeError("a bug");
    }),
  };
  await expect(shop.find(request)).rejects.toBe(failure);
  expect(await shop.find.result(request)).toEqual({
    ok: false,
    error: failure,
  });
  await expect(shop.keep({ rows: [] })).rejects.toThrow("a bug");
  await expect(shop.keep.result({ rows: [] })).rejects.toThrow("a bug");
});
