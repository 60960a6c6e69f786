import { setImmediate } from "node:timers/promises";
import { createContext, runInContext } from "node:vm";
import { beforeAll, expect, it } from "vitest";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { compileContract } from "../../../generator/compile.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { quietly } from "../../../runtime/typescript/values/quietly.js";
import { same } from "../../../runtime/typescript/values/same.js";
import { isUnique } from "../../../runtime/typescript/values/unique.js";
import { targetsWith } from "../../support/golden-cases.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction } from "../../support/run-emitted.js";

const source = `webrpc = v1
name = shop
version = v1
basepath = /rpc

type Moment: any
  + oneOf = int64|timestamp
struct Named
  - name?: string
type When: any
  + oneOf = Named|timestamp
type Picture: any
  + oneOf = "Named | []byte"
service Shop
  - Put(moments: []Moment, when?: When, picture?: Picture, any?: any) => (moments: []Moment, when?: When, picture?: Picture, any?: any)
`;

const path = "shop.ridl";
let schema: { readonly "~standard": { validate(value: unknown): unknown } };
let put: (request: object) => Promise<unknown>;
let sent: string;
let received: unknown;
/** What the handler returns. */
let reply: unknown;

beforeAll(async () => {
  const { value, diagnostics } = compileContract([path], {
    read: (asked) => (asked === path ? source : null),
  });
  if (value === null) {
    return expect.unreachable(
      diagnostics.map(({ message }) => message).join("; "),
    );
  }
  const files = emitContract(
    value,
    targetsWith({ schemas: true }),
    {
      int64: "bigint",
      timestamp: "date",
      runtime: "import",
      importExtension: ".js",
    },
    { runtimeSources: new Map() },
  );
  const emitted = await importEmitted(files, [
    'export * from "/index.js";',
    'export * from "/server.js";',
    'export * from "/schemas.js";',
  ]);
  const shop = {
    put: (request: unknown) => {
      received = request;
      return reply;
    },
  };
  const create = exportedFunction(emitted, "createShopServer");
  const server = create({ handlers: { shop } }) as RpcServer;
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    sent = String(init.body);
    return server.fetch(new Request(url, init));
  };
  const connect = exportedFunction(emitted, "createShopClient");
  put = Object(connect({ baseUrl: "http://localhost", fetch })).put;
  schema = Object(emitted["putRequestSchema"]);
});

/** Returns a value of another realm, whose classes are not those of this one. */
const foreign = (code: string): unknown =>
  runInContext(`(${code})`, createContext());

it("tells integers and dates of a union apart", async () => {
  const moments = [2n ** 53n + 1n, new Date(5), -1n, 0n];
  reply = { moments };
  expect(await put({ moments })).toEqual({ moments });
  expect(received).toEqual({ moments });
  expect(sent).toBe(
    '{"moments":[9007199254740993,"1970-01-01T00:00:00.005Z",-1,0]}',
  );
});

it("recognizes values of another realm", async () => {
  const other = foreign(`{
    moments: [new Date(5), 7n],
    when: new Date(6),
    picture: new Uint8Array([1, 2]),
    any: [new Date(7)],
  }`);
  const own = {
    moments: [new Date(5), 7n],
    when: new Date(6),
    picture: new Uint8Array([1, 2]),
    any: ["1970-01-01T00:00:00.007Z"],
  };
  reply = other;
  expect(await put(Object(other))).toEqual(own);
  expect(received).toEqual(own);
  expect(schema["~standard"].validate(other)).toEqual({
    value: { ...own, any: [new Date(7)] },
  });
});

it.each([
  ["{ moments: [new Date(NaN)] }", /moments\[0\]: expected a date/u],
  ["{ moments: [], any: [new Date(NaN)] }", /any\[0\]: expected a date/u],
  ["{ moments: [], when: new Date(9e14) }", /when: expected a date/u],
])("refuses invalid dates of another realm: %s", async (code, text) => {
  await expect(put(Object(foreign(code)))).rejects.toThrow(text);
});

it("compares values of another realm", () => {
  const dates = foreign("[new Date(1), new Date(2)]") as Date[];
  expect(isUnique(dates, same)).toBe(true);
  expect(isUnique([...dates, new Date(1)], same)).toBe(false);
  const bytes = foreign("[new Uint8Array([1])]") as Uint8Array[];
  expect(isUnique([...bytes, new Uint8Array([1])], same)).toBe(false);
});

it("ignores failures of callbacks whose promises have another class", async () => {
  const rejections: unknown[] = [];
  const listen = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", listen);
  quietly(() => foreign("Promise.reject(new Error('lost'))"));
  await setImmediate();
  process.off("unhandledRejection", listen);
  expect(rejections).toEqual([]);
});
