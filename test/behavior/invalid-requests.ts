import {
  call,
  connect,
  type ClientMethod,
  type ClientOptions,
} from "../../runtime/typescript/client/client.js";
import {
  announceTimeout,
  retry,
} from "../../runtime/typescript/client/interceptors.js";
import { openStream } from "../../runtime/typescript/client/stream.js";
import { callTransfer } from "../../runtime/typescript/client/transfer.js";
import {
  createSender,
  form,
  get,
  hideUrl,
  keyInQuery,
  rest,
  rpc,
  webhook,
  withoutUrl,
  type MethodCredential,
} from "../../runtime/typescript/codegen/create-client.js";
import { stream } from "../../runtime/typescript/codegen/create-streams.js";
import { transfer } from "../../runtime/typescript/codegen/create-transfers.js";

/** The credential, which no error may contain. */
export const planted = "hunter2";

/** What became of a call: its error, and everything that a log could contain. */
export interface Attempt {
  readonly name: string;
  readonly text: string;
}

type Send = (options: ClientOptions) => Promise<unknown>;

type Inspect = (error: unknown) => string;

type Change = <Request, Response, Failure>(
  method: ClientMethod<Request, Response, Failure>,
) => ClientMethod<Request, Response, Failure>;

/** Ways to send a request, each of which has a credential. */
const waysOf = (
  credential: MethodCredential,
  change: Change = (method) => method,
): Readonly<Record<string, Send>> => {
  const credentials = [credential];
  return {
    call: (options) =>
      call(options, change(rpc("/rpc/A/B", { credentials })), {}),
    result: async (options) => {
      const method = change(rpc("/rpc/A/B", { credentials }));
      const result = await connect(options).result(method, {});
      if (!result.ok) throw result.error;
    },
    "call with interceptors": (options) =>
      call(
        { ...options, timeoutMs: 9000, use: [retry(), announceTimeout()] },
        change(rpc("/rpc/A/B", { credentials })),
        {},
      ),
    "REST call": (options) =>
      call(options, change(get("/b", { credentials })), {}),
    "REST call with a body": (options) => {
      const method = rest("PUT", "/b", { credentials, requestBody: true });
      return call(options, change(method), {});
    },
    form: (options) =>
      call(options, change(form("POST", "/b", { credentials })), {}),
    stream: async (options) => {
      const { item } = stream("/rpc/A/B", { credentials });
      const method = { item: change(item) };
      for await (const _ of openStream(options, method, {})) continue;
    },
    upload: (options) => {
      const made = transfer("/rpc/A/B", { credentials, files: ["file"] });
      const method = { ...made, message: change(made.message) };
      return callTransfer(options, method, { file: new Blob(["x"]) });
    },
    download: async (options) => {
      const made = transfer("/rpc/A/B", { credentials, file: "file" });
      const method = { ...made, message: change(made.message) };
      const { file } = Object(await callTransfer(options, method, {}));
      const reader = file.stream().getReader();
      while (!(await reader.read()).done) continue;
    },
  };
};

/** Returns the text of a value, and of everything that it holds. */
function describe(value: unknown, depth = 6): string {
  if (typeof value !== "object" || value === null || depth === 0)
    return String(value);
  const held = Reflect.ownKeys(value).map(
    (key) => `${String(key)}: ${describe(Reflect.get(value, key), depth - 1)}`,
  );
  const isError = value instanceof Error;
  return [...(isError ? [String(value)] : []), ...held].join("\n");
}

async function attempt(
  name: string,
  send: Send,
  options: ClientOptions,
  inspect: Inspect,
): Promise<Attempt> {
  try {
    await send(options);
    return { name, text: "it has no error" };
  } catch (error) {
    return { name, text: `${describe(error)}\n${inspect(error)}` };
  }
}

const withNothing: Inspect = () => "";

/** Calls with credentials that no header can contain. */
export function withInvalidHeaders(inspect = withNothing) {
  const invalid = [`${planted}\r\nx: y`, `${planted}\0x`, `${planted}–`];
  const ways = Object.entries(waysOf(["token", "authorization", "Bearer "]));
  const attempts = ways.flatMap(([name, send]) =>
    invalid.flatMap((value) =>
      [
        { credentials: { token: value } },
        { credentials: { token: async () => value } },
        { headers: { authorization: value } },
        { headers: () => [["authorization", value]] as [string, string][] },
      ].map((options) =>
        attempt(name, send, { baseUrl: "http://a", ...options }, inspect),
      ),
    ),
  );
  return Promise.all(attempts);
}

/** The ways of generated methods with a key in their query. */
const ofKey = (): readonly (readonly [string, Send])[] =>
  Object.entries(
    waysOf(["key", "?api_key"], (method) =>
      keyInQuery({ ...method, use: [hideUrl], via: withoutUrl }),
    ),
  );

/** Calls with a key in URLs that no request can have. */
export function withInvalidUrls(inspect = withNothing) {
  const credentials = { key: planted };
  const attempts = ofKey().flatMap(([name, send]) =>
    ["http://[", `http://a:${planted}@host`].map((baseUrl) =>
      attempt(`${name} ${baseUrl}`, send, { baseUrl, credentials }, inspect),
    ),
  );
  return Promise.all(attempts);
}

/** Sends a webhook to a receiver that does not answer. */
const notify =
  (query: string): Send =>
  ({ baseUrl }) =>
    createSender({}, { notify: webhook() }).notify(
      `${String(baseUrl)}/gone${query}`,
      {},
    );

/** Calls with a password in URLs that a server does not answer, or cuts. */
export function withPasswords(
  baseUrls: readonly string[],
  inspect = withNothing,
) {
  const ways = { ...waysOf(["token", "x-token"]), webhook: notify("") };
  const attempts = Object.entries(ways).flatMap(([name, send]) =>
    [...baseUrls, "http://[", "http://127.0.0.1:99999"].map((url) => {
      const baseUrl = url.replace("//", `//user:${planted}@`);
      return attempt(`${name} ${url}`, send, { baseUrl }, inspect);
    }),
  );
  return Promise.all(attempts);
}

/**
 * Calls with a key in their URL that a server does not answer, or cuts, and
 * webhooks to receivers with such URLs.
 */
export function withoutAnswer(
  baseUrls: readonly string[],
  inspect = withNothing,
) {
  const credentials = { key: planted };
  const ways = [...ofKey(), ["webhook", notify(`?key=${planted}`)] as const];
  const attempts = ways.flatMap(([name, send]) =>
    baseUrls.map((baseUrl) =>
      attempt(`${name} ${baseUrl}`, send, { baseUrl, credentials }, inspect),
    ),
  );
  return Promise.all(attempts);
}
