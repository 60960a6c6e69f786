import { expect, it } from "vitest";
import type { Interceptor } from "../../../runtime/typescript/server/server.js";
import { serveContract } from "./served-contract.js";

const form = { int64: "number", timestamp: "string" } as const;

const sent = `{
  "__proto__": { "isAdmin": true },
  "extra": 1,
  "value": {
    "name": "a",
    "__proto__": { "isAdmin": true },
    "children": [{ "name": "b", "extra": 1 }, { "__proto__": {}, "name": "c" }],
    "next": { "extra": null, "name": "d", "next": null },
    "byName": { "__proto__": { "name": "e", "extra": 1 } }
  }
}`;

const seen =
  '{"value":{"name":"a","children":[{"name":"b"},{"name":"c"}],' +
  '"next":{"name":"d"},"byName":{"__proto__":{"name":"e"}}}}';

it.each([
  ["/rpc/Echo/Tree", sent, seen],
  ["/rpc/Echo/Nothing", '{"extra":1,"__proto__":{}}', "{}"],
])(
  "shows handlers only the declared fields of %s",
  async (path, body, wanted) => {
    const requests: unknown[] = [];
    const noting: Interceptor = (next) => async (call) => {
      requests.push(call.request);
      return next(call);
    };
    const { server } = await serveContract(form, { interceptors: [noting] });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body };
    const answer = await server.fetch(new Request(`http://h${path}`, init));
    expect(answer.status).toBe(200);
    // `toEqual` would ignore keys of the name `__proto__`.
    expect(requests.map((request) => JSON.stringify(request))).toEqual([
      wanted,
    ]);
    const [copy = {}] = requests.map((request) => Object.assign({}, request));
    expect(Reflect.getPrototypeOf(copy)).toBe(Object.prototype);
  },
);
