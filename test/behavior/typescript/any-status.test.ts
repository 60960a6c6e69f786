import { beforeAll, describe, expect, it } from "vitest";
import type { Fetch } from "../../../runtime/typescript/client/client.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const ridl = `webrpc = v1
name = shop
version = v1.0.0

struct Problem
  - type: string
    + error = name
  - detail: string
    + error = message

type Problems: Problem
  + errorBody = "application/problem+json"

struct Failure
  - reason: string
    + error = message
  - tries?: uint32

type FailedData: Failure
  + dataOf = Failed
  + anyStatus = true

error 1409 Closed "closed" HTTP 409
error 1503 Failed "failed" HTTP 503

service Shop
  @http:"POST /orders"
  - Place(count: uint32) => (id: uint32) errors Closed | Failed
`;

let emitted: Exports;

beforeAll(async () => {
  emitted = await importContract(ridl);
});

function failureOf(fetch: Fetch): Promise<unknown> {
  const create = exportedFunction(emitted, "createShopClient");
  const client = Object(create({ baseUrl: "http://shop", fetch }));
  return client
    .place({ count: 1 })
    .then(expect.unreachable, (error: unknown) => error);
}

function answer(status: number, body: unknown): Fetch {
  return () => Promise.resolve(Response.json(body, { status }));
}

describe("an error with any status", () => {
  it.each([302, 402, 429, 500, 503, 599])(
    "is read from a response with the status %i",
    async (status) => {
      const body = { reason: "no stock", tries: 2 };
      const failure = await failureOf(answer(status, body));
      expect(failure).toMatchObject({
        ...{ name: "Failed", code: 1503, status, msg: "no stock" },
      });
      expect(failure).toHaveProperty("data", body);
      expect(failure).toBeInstanceOf(Object(emitted["FailedError"]));
    },
  );

  it.each([
    [
      "the status of another error",
      [409, { reason: "no" }],
      { name: "Closed", status: 409, data: undefined },
    ],
    [
      "the body of other errors",
      [402, { type: "about:blank", detail: "broke" }],
      { name: "WebrpcEndpoint", status: 402, msg: "broke" },
    ],
    ["another body", [402, { why: 7 }], { name: "WebrpcEndpoint" }],
    ["wrong data", [402, { reason: 7 }], { name: "WebrpcEndpoint" }],
    ["a list", [402, [{ reason: "no" }]], { name: "WebrpcBadResponse" }],
    [
      "a name",
      [402, { type: "WebrpcBadRequest", detail: "bad", reason: "no" }],
      { name: "WebrpcBadRequest", status: 402 },
    ],
  ] as const)("is not read from %s", async (_, [status, body], expected) => {
    expect(await failureOf(answer(status, body))).toMatchObject(expected);
  });

  it.each([
    [undefined, 503, { reason: "failed" }],
    [
      { status: 422, data: { reason: "no", tries: 2 } },
      422,
      { reason: "no", tries: 2 },
    ],
    [{ status: 307 }, 307, { reason: "failed" }],
    [{ status: 304 }, 500, { reason: "failed" }],
    [{ status: 200 }, 500, { reason: "failed" }],
    [{ status: Number.NaN }, 500, { reason: "failed" }],
    [{ status: "418" }, 418, { reason: "failed" }],
  ])("is sent for the options %j", async (options, status, body) => {
    const create = exportedFunction(emitted, "createShopServer");
    const place = (): never => {
      throw Reflect.construct(Object(emitted["FailedError"]), [options]);
    };
    const handlers = { shop: { place } };
    const server = create({ handlers, onError: () => undefined });
    const fetch = inProcess(server as RpcServer);
    const response = await fetch("http://shop/orders", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ count: 1 }),
    });
    expect([response.status, await response.json()]).toEqual([status, body]);
    const failure = await failureOf(fetch);
    expect(failure).toMatchObject({ name: "Failed", status });
    expect(failure).toHaveProperty("data", body);
  });
});
