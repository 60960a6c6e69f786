import { inspect } from "node:util";
import { expect, it } from "vitest";
import {
  call,
  connect,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import {
  announceTimeout,
  retry,
} from "../../../runtime/typescript/client/interceptors.js";
import { openStream } from "../../../runtime/typescript/client/stream.js";
import { callTransfer } from "../../../runtime/typescript/client/transfer.js";
import {
  form,
  get,
  keyInQuery,
  rest,
  rpc,
  type MethodCredential,
} from "../../../runtime/typescript/codegen/create-client.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { transfer } from "../../../runtime/typescript/codegen/create-transfers.js";

const planted = "hunter2";

const token: MethodCredential = ["token", "authorization", "Bearer "];
const key: MethodCredential = ["key", "?api_key"];
const credentials = [token];

/** Ways to send a request, each of which has a credential. */
const ways: Readonly<
  Record<string, (options: ClientOptions) => Promise<unknown>>
> = {
  call: (options) => call(options, rpc("/rpc/A/B", { credentials }), {}),
  result: (options) =>
    connect(options).result(rpc("/rpc/A/B", { credentials }), {}),
  "call with interceptors": (options) =>
    call(
      { ...options, timeoutMs: 9000, use: [retry(), announceTimeout()] },
      rpc("/rpc/A/B", { credentials, safety: "readonly" }),
      {},
    ),
  "REST call": (options) => call(options, get("/b", { credentials }), {}),
  "REST call with a body": (options) =>
    call(options, rest("PUT", "/b", { credentials, requestBody: true }), {}),
  form: (options) => call(options, form("POST", "/b", { credentials }), {}),
  stream: async (options) => {
    const items = openStream(options, stream("/rpc/A/B", { credentials }), {});
    for await (const _ of items) break;
  },
  upload: (options) =>
    callTransfer(
      options,
      transfer("/rpc/A/B", { credentials, files: ["file"] }),
      { file: new Blob(["x"]) },
    ),
};

/** Returns an error of a way, and everything that a log would contain of it. */
async function failureOf(
  send: (options: ClientOptions) => Promise<unknown>,
  options: Partial<ClientOptions>,
): Promise<readonly [error: unknown, text: string]> {
  const error: unknown = await send({
    baseUrl: "http://127.0.0.1:9",
    ...options,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return [error, inspect(error, { depth: 10, showHidden: true })];
}

const invalid = [`${planted}\r\nx: y`, `${planted}\0x`, `${planted}–`];

it.each(Object.entries(ways))(
  "the error of an invalid credential does not contain it: %s",
  async (_, send) => {
    for (const value of invalid)
      for (const options of [
        { credentials: { token: value } },
        { credentials: { token: async () => value } },
        { headers: { authorization: value } },
        { headers: () => [["authorization", value]] as [string, string][] },
      ]) {
        const [error, text] = await failureOf(send, options);
        expect(error).toBeInstanceOf(TypeError);
        expect(text).toContain("TypeError: bad-request");
        expect(text).not.toContain(planted);
      }
  },
);

it("the error of an invalid URL does not contain the key in its query", async () => {
  const keyed = keyInQuery(rpc("/rpc/A/B", { credentials: [key] }));
  const send = (options: ClientOptions): Promise<unknown> =>
    call(options, keyed, {});
  for (const baseUrl of ["nowhere", "http://[", `http://a:${planted}@host`]) {
    const given = { baseUrl, credentials: { key: planted } };
    const [error, text] = await failureOf(send, given);
    expect(error).toBeInstanceOf(TypeError);
    expect(text).toContain("TypeError: bad-request");
    expect(text).not.toContain(planted);
  }
});

it("spaces and line breaks at the ends of a credential are no fault", async () => {
  const seen: (string | null)[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    seen.push(new Request(url, init).headers.get("authorization"));
    return new Response("{}");
  };
  const options = { baseUrl: "http://host", fetch };
  const method = rpc("/rpc/A/B", { credentials });
  await call({ ...options, credentials: { token: "a\n" } }, method, {});
  await call({ ...options, headers: { authorization: "b\n" } }, method, {});
  expect(seen).toEqual(["Bearer a", "b"]);
});

it("other failures still contain their cause", async () => {
  const cause = new Error("offline");
  const fetch = (): Promise<Response> => Promise.reject(cause);
  const options = { fetch, credentials: { token: "a" } };
  const [error] = await failureOf(
    (given) => call(given, rpc("/rpc/A/B", { credentials }), {}),
    options,
  );
  expect(error).toMatchObject({ reason: "network", cause });
});
