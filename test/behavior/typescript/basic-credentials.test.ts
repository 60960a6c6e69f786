import { beforeAll, describe, expect, it } from "vitest";
import {
  basicCredential,
  type BasicLogin,
} from "../../../runtime/typescript/client/client.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const ridl = `webrpc = v1
name = billing
version = v1.0.0
error 1 Unauthorized "unauthorized" HTTP 401
type Account: string
  + header = Authorization
  + scheme = Basic
  + error = Unauthorized
type Key: string
  + header = X-Key
  + error = Unauthorized
service Billing
  @http:"GET /invoices/{id}"
  @auth:"Authorization,X-Key"
  - GetInvoice(id: uint32) => (cents: uint32)
`;

const login = { username: "Jürgen", password: 'a:b "c€' };

describe("basicCredential", () => {
  it("encodes the example of RFC 7617", () => {
    const value = basicCredential({
      username: "Aladdin",
      password: "open sesame",
    });
    expect(value).toBe("QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    expect(basicCredential({ username: "test", password: "123£" })).toBe(
      "dGVzdDoxMjPCow==",
    );
  });

  it.each([
    [{ username: "a:b", password: "c" }, "the user name contains a colon"],
    [{ username: "a\n", password: "c" }, "contains a control character"],
    [{ username: "a", password: "\u0000" }, "contains a control character"],
  ])("rejects %j", (wrong, message) => {
    expect(() => basicCredential(wrong)).toThrow(TypeError);
    expect(() => basicCredential(wrong)).toThrow(message);
  });
});

describe("a server with Basic credentials", () => {
  let emitted: Exports;
  let server: RpcServer;
  let seen: BasicLogin[] = [];

  beforeAll(async () => {
    emitted = await importContract(ridl);
    server = exportedFunction(
      emitted,
      "createBillingServer",
    )({
      handlers: { billing: { getInvoice: () => ({ cents: 1 }) } },
      verifyAccount: (given: BasicLogin) => {
        seen.push(given);
        return given.username !== "unknown";
      },
      verifyKey: (key: unknown) => key === "k",
    }) as RpcServer;
  });

  async function ask(authorization: string) {
    seen = [];
    const headers = { authorization, "x-key": "k" };
    const request = new Request("http://a/invoices/1", { headers });
    const response = await server.fetch(request);
    return { status: response.status, text: await response.text(), response };
  }

  it("gets the user name and the password of a client", async () => {
    seen = [];
    const create = exportedFunction(emitted, "createBillingClient");
    const client = Object(
      create({
        baseUrl: "http://a",
        credentials: { account: () => basicCredential(login), key: "k" },
        fetch: (url: string, init: RequestInit) =>
          server.fetch(new Request(url, init)),
      }),
    );
    expect(await client.getInvoice({ id: 1 })).toEqual({ cents: 1 });
    expect(seen).toEqual([login]);
  });

  it.each([
    ["a scheme in lower case", "basic YTpi", { username: "a", password: "b" }],
    ["an empty password", "Basic YTo=", { username: "a", password: "" }],
    ["an empty user name", "Basic OmI=", { username: "", password: "b" }],
    [
      "a byte order mark",
      "Basic 77u/YTpi",
      { username: "\uFEFFa", password: "b" },
    ],
  ])("accepts %s", async (_, value, expected) => {
    expect(await ask(value)).toMatchObject({ status: 200 });
    expect(seen).toEqual([expected]);
  });

  it.each([
    ["text", "Basic ada:secret"],
    ["no colon", `Basic ${btoa("secret")}`],
    ["no padding", "Basic YTo"],
    ["unused bits", "Basic YTp="],
    ["base64url", "Basic YTo_"],
    ["invalid UTF-8", "Basic YTr/"],
    ["a NUL", `Basic ${btoa("a:\0")}`],
    ["spaces", "Basic YTpi YTpi"],
    ["a second header", "Basic YTpi, Basic YTpi"],
  ])("rejects %s without showing it", async (_, value) => {
    const { response, status, text } = await ask(value);
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 401,
      body: {
        error: "Unauthorized",
        code: 1,
        msg: "unauthorized",
        status: 401,
        cause:
          "header Authorization with Basic: expected the base64 form of a user name, a colon and a password",
      },
    });
    expect(response.headers.get("www-authenticate")).toBe(
      'Basic realm="API", charset="UTF-8", ApiKey header="X-Key"',
    );
    expect(seen).toEqual([]);
  });

  it("rejects a login that the verifier rejects", async () => {
    const { status, text } = await ask(`Basic ${btoa("unknown:x")}`);
    expect(status).toBe(401);
    expect(JSON.parse(text)).not.toHaveProperty("cause");
  });
});
