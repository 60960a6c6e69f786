import { join } from "node:path";
import { inspect } from "node:util";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../runtime/typescript/client/client.js";
import {
  keyInQuery,
  rpc,
  type MethodCredential,
} from "../../../runtime/typescript/codegen/create-client.js";
import { runtimeEntries } from "../../support/runtime-entries.js";
import { expectRefusal, expectSecret } from "../expect-secret.js";
import * as calls from "../invalid-requests.js";
import { startCutter } from "../start-cutter.js";
import { reactNativeGlobals } from "./realm-globals.js";

const credentials: readonly MethodCredential[] = [
  ["token", "authorization", "Bearer "],
];
const print = (error: unknown): string =>
  inspect(error, { depth: 10, showHidden: true });

/** The same calls, in a realm that emulates React Native. */
async function inReactNative(): Promise<typeof calls> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../invalid-requests.ts")],
    bundle: true,
    format: "iife",
    globalName: "calls",
    target: "es2022",
    alias: runtimeEntries,
    write: false,
  });
  const serve = (): Promise<Response> => Promise.reject(new Error("offline"));
  const realm = createContext({ ...reactNativeGlobals(serve) });
  runInContext(outputFiles[0]?.text ?? "", realm);
  return runInContext("calls", realm);
}

describe.each([
  ["Node", async () => calls],
  ["React Native (emulated)", inReactNative],
])("errors on %s", (_, open) => {
  let own: typeof calls;
  beforeAll(async () => {
    own = await open();
  });

  it("of invalid credentials do not contain them", async () => {
    for (const each of await own.withInvalidHeaders(print)) expectRefusal(each);
  });

  it("of invalid URLs do not contain the key in their query", async () => {
    for (const each of await own.withInvalidUrls(print)) expectRefusal(each);
  });

  it("of URLs with a password do not contain it", async () => {
    const urls = ["http://127.0.0.1:9"];
    for (const each of await own.withPasswords(urls, print))
      expectRefusal(each);
  });
});

it("errors of calls without a response do not contain the key", async () => {
  const { close, url } = await startCutter();
  const urls = ["http://127.0.0.1:9", url, `${url}/gone`];
  const attempts = await calls.withoutAnswer(urls, print);
  await close();
  for (const each of attempts) expectSecret(each);
});

it("the error of a relative URL does not contain the key", async () => {
  const method = keyInQuery(rpc("/b", { credentials: [["key", "?key"]] }));
  const options = { baseUrl: "nowhere", credentials: { key: calls.planted } };
  const text = await call(options, method, {}).then(print, print);
  expect(text).toContain("TypeError: bad-request");
  expect(text).not.toContain(calls.planted);
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
  const options = { baseUrl: "http://a", fetch, credentials: { token: "a" } };
  const method = rpc("/rpc/A/B", { credentials });
  const failed = { reason: "network", cause };
  await expect(call(options, method, {})).rejects.toMatchObject(failed);
});
