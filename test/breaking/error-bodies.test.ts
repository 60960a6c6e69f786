import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import { emitters } from "../../generator/4-emit/registry.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { compareTexts } from "../diagnostics/check-texts.js";
import { exportedFunction, runFiles } from "../support/run-emitted.js";

const base = `webrpc = v1
name = shop
version = v1.0.0

enum Code: string
  - NotFound = not_found

type OpenCode: string
  + known = Code

struct Failure
  - code: OpenCode
    + error = name
  - message: string
    + error = message
  - detail?: string
  - items?: []Item

struct Item
  - text: string

type Failures: Failure
  + errorBody = "application/json"

error 1 NotFound "not found" HTTP 404
error 2 Gone "gone" HTTP 404

service Shop
  - Find(id: uint32) => (name: string) errors NotFound | Gone
`;

const options = {
  importExtension: ".js",
  int64: "number",
  language: "javascript",
  nullAsEmpty: false,
  runtime: "import",
  timestamp: "string",
} as const;

function load(ridl: string, thrown: object) {
  const { value } = compileContract(["shop.ridl"], { read: () => ridl });
  const context = { runtimeSources: new Map() };
  const files = emitContract(
    value ?? expect.unreachable(),
    emitters,
    options,
    context,
  );
  const run = runFiles(files);
  const exports = Object.assign(
    {},
    ...["client", "errors", "server"].map((name) => run(`./${name}.js`)),
  );
  const NotFound = Object(exports)["NotFoundError"];
  const fail = (): never => {
    throw new NotFound(thrown);
  };
  const create = exportedFunction(exports, "createShopServer");
  const server = create({ handlers: { shop: { find: fail } } }) as RpcServer;
  return { exports, server };
}

/** Returns the error of a server as a client reads it. */
async function readError(client: string, server: string, thrown: object) {
  const { exports } = load(client, thrown);
  const create = exportedFunction(exports, "createShopClient");
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    load(server, thrown).server.fetch(new Request(url, init));
  const shop = Object(create({ baseUrl: "http://localhost", fetch }));
  const { error } = await shop.find.result({ id: 7 });
  return error;
}

/** Returns what a client reads of a server's error. */
async function read(client: string, server: string): Promise<unknown> {
  const error = await readError(client, server, { message: "no 7" });
  return { name: error.name, message: error.message };
}

it.each([
  ["nothing", "", "", 0],
  ["another value", "= not_found", "= missing", 1],
  ["another member", "- message: string", "- text: string", 1],
  ["the name in no member", "    + error = name\n", "", 1],
  [
    "an envelope",
    'type Failures: Failure\n  + errorBody = "application/json"\n',
    "",
    1,
  ],
  ["another media type", "application/json", "application/problem+json", 0],
  [
    "a further member",
    "  - detail?: string\n",
    "  - detail?: string\n  - more?: string\n",
    0,
  ],
  [
    "the cause in a member",
    "  - detail?: string\n",
    "  - detail?: string\n    + error = cause\n",
    0,
  ],
  [
    "a value for another error",
    "= not_found\n",
    "= not_found\n  - Gone = gone\n",
    0,
  ],
  [
    "the same in a list",
    "- message: string\n    + error = message\n",
    "- message?: string\n",
    1,
  ],
])(
  "a new body of errors with %s is judged as it behaves",
  async (_, from, to, breaks) => {
    const after = base
      .replace(from, to)
      .replace(
        to === "" && from.includes("= name") ? "- code: OpenCode" : "",
        (found) => found.replace(":", "?:"),
      );
    const found = compareTexts(base, after);
    const same = await read(base, base);
    const isBroken =
      JSON.stringify([await read(base, after), await read(after, base)]) !==
      JSON.stringify([same, same]);
    expect(same).toEqual({ name: "NotFound", message: "no 7" });
    expect(isBroken).toBe(breaks === 1);
    const isReported = found.some(
      ({ code, severity }) =>
        code === "error-body-same" && severity === "error",
    );
    expect(isReported).toBe(isBroken);
  },
);

const inHeader = `webrpc = v1
name = shop
version = v1.0.0

struct Missing
  - note: string
  - left?: uint32
    + header = X-Left
  - names?: []string
    + header = X-Names

type MissingData: Missing
  + dataOf = NotFound

error 1 NotFound "not found" HTTP 404

service Shop
  - Find(id: uint32) => (name: string) errors NotFound
`;

/** The same with a list that is always there. */
const required = inHeader.replace("names?", "names");

it.each([
  ["a value leaves its header", inHeader, "    + header = X-Left\n", ""],
  ["a list leaves its header", inHeader, "    + header = X-Names\n", ""],
  ["a required list leaves it", required, "    + header = X-Names\n", ""],
  ["a field has another header", inHeader, "X-Left", "X-Rest"],
])(
  "data of an error of which %s is judged as clients read it",
  async (_, one, from, to) => {
    const other = one.replace(from, to);
    const data = { note: "none", left: 2, names: ["a", "b"] };
    const isRead = async (client: string, server: string): Promise<boolean> => {
      const error = await readError(client, server, { data });
      return isDeepStrictEqual({ ...error.data }, data);
    };
    expect(await isRead(one, one)).toBe(true);
    for (const [before, after] of [
      [one, other],
      [other, one],
    ] as const) {
      const [found] = compareTexts(before, after);
      expect(found).toMatchObject({ code: "error-body-same" });
      expect(found?.severity === "error").toBe(!(await isRead(before, after)));
    }
  },
);
