import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { runtimeEntries } from "../../support/runtime-entries.js";
import { type OwnAbortSignal, reactNativeGlobals } from "./realm-globals.js";

/** A client that runs in the realm, which has no other globals. */
const program = `
  import { createClient, rpc } from "../../../runtime/typescript/codegen/create-client.ts";
  import { createStreams, stream } from "../../../runtime/typescript/codegen/create-streams.ts";
  import { createTransfers, transfer } from "../../../runtime/typescript/codegen/create-transfers.ts";
  import { sendKey } from "../../../runtime/typescript/codegen/idempotency-key.ts";
  import { announceTimeout, limitResponses, refreshCredentials, retry } from "../../../runtime/typescript/client/interceptors.ts";
  import { basicCredential } from "../../../runtime/typescript/client/client.ts";
  import { decodeBytes, encodeBytes } from "../../../runtime/typescript/codegen/codec.ts";
  import { isRpcError } from "../../../runtime/typescript/wire/errors.ts";
  const methods = {
    read: rpc("/read", { safety: "readonly" }),
    pay: rpc("/pay", { safety: "idempotent", use: [sendKey] }),
  };
  const options = {
    baseUrl: "http://host", timeoutMs: 5000,
    use: [limitResponses(), announceTimeout(), retry({ backoffMs: 1 })],
  };
  export const client = createClient(options, methods);
  export const streams = createStreams(options, { watch: stream("/watch", { safety: "readonly" }) });
  export const transfers = createTransfers(options, { upload: transfer("/upload", { files: ["photo"] }) });
  export const createController = () => new AbortController();
  export const createBlob = () => new Blob();
  const coded = {
    encode: ({ data }) => ({ data: encodeBytes(data) }),
    decode: ({ data }) => ({ data: decodeBytes(data) }),
  };
  const small = { ...options, use: [limitResponses({ maxBytes: 10 })] };
  export const limited = createClient(small, { read: methods.read });
  export const bytes = createClient(options, { echo: rpc("/echo", coded) });
  export const login = () => basicCredential({ username: "é", password: "a:b" });
  export { isRpcError };
`;

type Outcome = Promise<unknown>;

interface Realm {
  readonly client: {
    readonly read: {
      (request?: object, options?: object): Outcome;
      result(request?: object, options?: object): Outcome;
    };
    readonly pay: (request?: object, options?: object) => Outcome;
  };
  readonly streams: {
    readonly watch: (
      request?: object,
      options?: object,
    ) => AsyncIterable<unknown>;
  };
  readonly transfers: { readonly upload: (request: object) => Outcome };
  readonly limited: Pick<Realm["client"], "read">;
  readonly bytes: { readonly echo: (request: object) => Outcome };
  readonly login: () => string;
  createController(): { readonly signal: OwnAbortSignal; abort(): void };
  createBlob(): object;
  isRpcError(error: unknown, name?: string): boolean;
}

let code = "";
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    format: "iife",
    globalName: "realm",
    target: "es2022",
    alias: runtimeEntries,
    write: false,
  });
  code = outputFiles[0]?.text ?? "";
});

type Answer = (path: string, init: RequestInit) => Response | Promise<Response>;

/** Opens the client in a realm of its own. Returns what it has sent as well. */
function openRealm(answer: Answer, more: object = {}) {
  const sent: RequestInit[] = [];
  const globals = reactNativeGlobals(async (url, init) => {
    sent.push(init);
    return answer(url.replace("http://host", ""), init);
  });
  const context = createContext({ ...globals, ...more });
  runInContext(code, context);
  const realm: Realm = runInContext("realm", context);
  return { ...realm, sent };
}

it("calls methods, and gets answers and errors", async () => {
  const envelope = { error: "Gone", code: 7, msg: "it is gone", status: 410 };
  const { client, isRpcError } = openRealm((_, { body }) =>
    body === "{}"
      ? Response.json({ n: 1 })
      : Response.json(envelope, { status: 410 }),
  );
  expect(await client.read()).toEqual({ n: 1 });
  const error: unknown = await client.read({ id: 1 }).catch((each) => each);
  expect(isRpcError(error, "Gone")).toBe(true);
  expect(error).toMatchObject({ status: 410, message: "it is gone" });
});

it("repeats, aborts and limits calls, and leaves no listener", async () => {
  let count = 0;
  const { client, createController, sent } = openRealm((_, { body }) => {
    count += 1;
    if (body !== "{}") return new Promise(() => {});
    return count % 2 === 1
      ? new Response("", { status: 503 })
      : Response.json({ n: count });
  });
  const controller = createController();
  const { signal } = controller;
  for (let i = 1; i <= 20; i += 1)
    expect(await client.read({}, { signal })).toEqual({ n: 2 * i });
  expect(signal.listeners.size).toBe(0);
  expect(sent).toHaveLength(40);
  const hangs = { hangs: true };
  expect(await client.read.result(hangs, { timeoutMs: 5 })).toMatchObject({
    error: { reason: "timeout" },
  });
  const left = client.read.result(hangs, { signal });
  controller.abort();
  expect(await left).toMatchObject({ error: { reason: "aborted" } });
  expect(signal.listeners.size).toBe(0);
});

it("sends the keys of callers, and none of its own without `crypto`", async () => {
  const { client, sent } = openRealm(() => Response.json({}));
  await expect(client.pay()).rejects.toThrow(
    "idempotencyKey: expected 1 to 255 ASCII characters, got undefined",
  );
  expect(sent).toEqual([]);
  await client.pay({}, { idempotencyKey: "draft 7" });
  const headers = new Headers(sent[0]?.headers);
  expect(headers.get("idempotency-key")).toBe('"draft 7"');
});

it("uploads a blob in the form of the platform", async () => {
  const { createBlob, sent, transfers } = openRealm(() => Response.json({}));
  const photo = createBlob();
  await transfers.upload({ title: "a", photo });
  expect(sent[0]?.body).toMatchObject({
    parts: [
      ["json", '{"title":"a"}'],
      ["photo", photo, "photo"],
    ],
  });
  await expect(
    transfers.upload({ photo: { uri: "file:///photo.png" } }),
  ).rejects.toThrow("photo: expected a file, such as a Blob");
});

it("sends and reads bytes with `atob` and `btoa`", async () => {
  const answer: Answer = (_, { body }) => new Response(String(body));
  const data = Uint8Array.of(0, 127, 255);
  const { bytes, sent } = openRealm(answer, { atob, btoa });
  const { data: read } = Object(await bytes.echo({ data }));
  expect([...read]).toEqual([...data]);
  expect(sent[0]?.body).toBe('{"data":"AH//"}');
  const without = openRealm(answer);
  await expect(without.bytes.echo({ data })).rejects.toThrow("btoa");
  expect(without.sent).toEqual([]);
});

it("limits only responses with a body", async () => {
  const text = '{"text":"longer than the limit"}';
  const { limited } = openRealm(() => new Response(text));
  expect(await limited.read()).toEqual(JSON.parse(text));
  const fetch = async (): Promise<Response> => new Response(text);
  const streaming = openRealm(() => new Response(), { fetch, Response });
  await expect(streaming.limited.read()).rejects.toMatchObject({
    cause: "the response has more than 10 bytes",
  });
});

it("creates a basic credential with `TextEncoder` and `btoa`", () => {
  const answer: Answer = () => new Response();
  const { login } = openRealm(answer, { btoa, TextEncoder });
  expect(login()).toBe(Buffer.from("é:a:b").toString("base64"));
  expect(openRealm(answer, { btoa }).login).toThrow("TextEncoder");
  expect(openRealm(answer, { TextEncoder }).login).toThrow("btoa");
});

it("fails to read a stream, instead of connecting for ever", async () => {
  const { sent, streams } = openRealm(
    () =>
      new Response('{"n":1}\n', {
        headers: { "content-type": "application/x-ndjson" },
      }),
  );
  const read = async (): Promise<void> => {
    for await (const _ of streams.watch({}, { reconnect: true })) break;
  };
  await expect(read()).rejects.toMatchObject({ reason: "bad-response" });
  expect(sent).toHaveLength(1);
});

it("imports a server without any web globals, as in jsdom", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { createShopServer } from "../../golden/fixtures/idempotency-keys/expected/server.ts";
        export { createStreamsServer } from "../../golden/fixtures/streams/expected/server.ts";
        export * as files from "../../golden/fixtures/file-bodies/expected/server.ts";
        export { inProcess } from "../../../runtime/typescript/hosts/in-process.ts";
        export { toLambdaHandler } from "../../../runtime/typescript/hosts/lambda.ts";
        export { receiver } from "../../../runtime/typescript/codegen/receiver.ts";
        export { verifyWebhook } from "../../../runtime/typescript/wire/webhook-signature.ts";
        export { mockMethod } from "../../../runtime/typescript/codegen/mock-methods.ts";
      `,
      resolveDir: import.meta.dirname,
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    globalName: "realm",
    target: "es2022",
    alias: runtimeEntries,
    write: false,
  });
  const context = createContext({});
  runInContext(outputFiles[0]?.text ?? "", context);
  const names = runInContext("Object.keys(realm)", context);
  expect(names).toContain("createShopServer");
});
