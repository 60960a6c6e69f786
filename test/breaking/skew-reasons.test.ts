import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import type { RpcServer } from "../../runtime/server/server.js";
import {
  idempotency,
  memoryAnswers,
} from "../../runtime/server/idempotency.js";
import { recordHistory } from "../../generator/skew/record.js";
import { headerOf } from "../../generator/skew/digest.js";
import { exportedFunction } from "../support/run-emitted.js";
import { buildVersion, loadVersion } from "./pairs/build-version.js";

const modes = { int64: "bigint", timestamp: "string" } as const;
const sha256 = (text: string): string =>
  createHash("sha256").update(text).digest("base64url");

function build(version: string, text: string) {
  const document = `webrpc = v1\nname = shop\nversion = ${version}\n\n${text}`;
  const built = buildVersion({ "shop.ridl": document }, modes);
  if (built === null) throw new Error(`the contract has errors: ${text}`);
  const { contract } = built;
  return { built, release: { whole: contract, part: contract, modes } };
}

/** Serves a contract, and returns the causes of errors of an old client. */
function serve(then: string, now: string, options: object) {
  const [old, recent] = [build("v1.0.0", then), build("v1.1.0", now)];
  const releases = [old.release];
  const input = { current: recent.release, releases, sha256 };
  const known = recordHistory(input).hosts["shop"];
  const [past] = known?.past ?? [];
  if (!known || !past) throw new Error("the contracts do not differ");
  const header = headerOf({ name: "shop" }, known.digest, known.version);
  const skew = new Map([
    ["shop", { ...known, header, announced: new Set<string>() }],
  ]);
  const telling = { ...modes, skew };
  const { exports } = loadVersion({ ...recent.built, modes: telling });
  const create = exportedFunction(exports, "createShopServer");
  const server = create(options) as RpcServer;
  return async (path: string, init: RequestInit): Promise<unknown> => {
    const headers = new Headers(init.headers);
    headers.set(
      "webrpc",
      headerOf({ name: "shop" }, past.digest, past.version),
    );
    const request = new Request(`http://localhost${path}`, {
      ...init,
      headers,
    });
    const { cause } = Object(await (await server.fetch(request)).json());
    return cause;
  };
}

const json = { "content-type": "application/json" };
const reason = "; this client was made from v1.0.0; in v1.1.0: ";

test("names a new credential only if it is missing", async () => {
  const service = (marks: string) => `type Key: string
  + header = X-Key
  + error = Denied

error 1 Denied "denied" HTTP 401

service Shop
${marks}  - Buy(id: uint32) => ()
`;
  const call = (mark: string, headers: object) =>
    serve(service(""), service(mark), {
      handlers: { shop: { buy: () => ({}) } },
      verifyKey: () => false,
    })("/rpc/Shop/Buy", {
      method: "POST",
      headers: { ...json, ...headers },
      body: '{"id":1}',
    });
  expect(await call("  @auth:X-Key\n", {})).toContain(
    `header X-Key: expected a credential, got nothing${reason}`,
  );
  expect(await call("  @auth:X-Key\n", { "x-key": "1" })).toBe(
    "this client was made from v1.0.0, and this server from v1.1.0",
  );
});

test("names a required idempotency key only if it is missing", async () => {
  const service = (mark: string) => `service Shop
  @http:"POST /pay" @idempotencyKey${mark}
  - Pay(sum: uint32) => (id: uint32)
`;
  const send = serve(service(":optional"), service(""), {
    handlers: { shop: { pay: () => ({ id: 1 }) } },
    idempotency: idempotency(memoryAnswers()),
  });
  const pay = (key: string | null, sum: number) =>
    send("/pay", {
      method: "POST",
      headers: { ...json, ...(key !== null && { "idempotency-key": key }) },
      body: JSON.stringify({ sum }),
    });
  expect(await pay(null, 1)).toContain(
    `got nothing${reason}\`Shop.Pay\` now requires an idempotency key (breaking)`,
  );
  const versions =
    "; this client was made from v1.0.0, and this server from v1.1.0";
  expect(await pay("without quotes", 1)).toContain(`quotes"${versions}`);
  await pay('"1"', 1);
  expect(await pay('"1"', 2)).toBe(
    `header Idempotency-Key: expected a new key, got the key of another request${versions}`,
  );
});
