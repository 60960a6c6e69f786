import { expect, it } from "vitest";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import { compileContract } from "../../../generator/compile.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction } from "../../support/run-emitted.js";

const variants = Array.from({ length: 256 }, (_, at) => `V${at}`);

const contract = `webrpc = v1
name = big
version = v1.0.0

${variants.map((name) => `struct ${name}\n  - kind: string\n    + enum = ${name}\n  - at: int32\n`).join("")}
type Tagged: any
  + oneOf = ${variants.join("|")}
  + tag = kind

type Open: any
  + oneOf = ${variants.join("|")}
  + tag = kind
  + open = true

${variants
  .map(
    (name) => `struct Only${name}
  - only${name}: int32
`,
  )
  .join("")}
type Untagged: any
  + oneOf = ${variants.map((name) => `Only${name}`).join("|")}

struct Named
  - name: string

type Kinds: any
  + oneOf = "string|int32|[]Kinds|Named"

service Big
  - Tagged(items: []Tagged) => ()
  - Open(items: []Open) => ()
  - Untagged(items: []Untagged) => ()
  - Kinds(items: []Kinds) => ()
`;

async function createServer(): Promise<RpcServer> {
  const { value } = compileContract(["big.ridl"], { read: () => contract });
  if (value === null) throw new Error("the contract has errors");
  const options = {
    ...({ int64: "number", timestamp: "string", runtime: "import" } as const),
    importExtension: ".js",
  } as const;
  const files = emitContract(value, emitters, options, {
    runtimeSources: new Map(),
  });
  const exports = await importEmitted(files, ['export * from "/server.js";']);
  const done = () => ({});
  return exportedFunction(
    exports,
    "createBigServer",
  )({
    maxBodyBytes: 2 ** 23,
    handlers: {
      big: { tagged: done, open: done, untagged: done, kinds: done },
    },
    onError: (error: unknown) => expect.unreachable(String(error)),
  }) as RpcServer;
}

/** Returns two megabytes of one item, followed by others. */
function bodyOf(item: string, ...others: readonly string[]): string {
  const count = Math.floor(2_000_000 / (item.length + 1));
  const items = Array.from({ length: count }, () => item);
  return `{"items":[${[...items, ...others].join(",")}]}`;
}

const last = '{"kind":"V255","at":1}';
const unknown = '{"kind":"V256","at":1}';
const long = "x".repeat(100_000);
const brackets = "[".repeat(1_000_000) + "]".repeat(1_000_000);

const server = await createServer();

it.each([
  ["Tagged", "the last of 256 variants", bodyOf(last), "{}"],
  ["Tagged", "one wrong variant", bodyOf(last, unknown), "].kind: expected"],
  ["Tagged", "only wrong variants", bodyOf(unknown), "items[0].kind: expected"],
  ["Tagged", "long tags", bodyOf(`{"kind":"${long}"}`), "items[0].kind"],
  ["Tagged", "long names", bodyOf(`{"${long}":1}`), "items[0].kind"],
  ["Open", "unknown variants", bodyOf(unknown), "{}"],
  ["Open", "long values", bodyOf(`{"kind":"new","a":"${long}"}`), "{}"],
  ["Untagged", "the last of 256 variants", bodyOf('{"onlyV255":1}'), "{}"],
  ["Untagged", "no variant", bodyOf('{"onlyV256":1}'), "items[0]: expected"],
  ["Kinds", "nested lists", bodyOf("[[[[[[[[1]]]]]]]]"), "{}"],
  ["Kinds", "a wrong kind", bodyOf("[[[[[[[[true]]]]]]]]"), "items[0][0][0]"],
  ["Kinds", "many levels", `{"items":[${brackets}]}`, "at most 100 levels"],
  ["Kinds", "incomplete variants", bodyOf('{"nam":"a"}'), "items[0]"],
])(
  "%s of a large body with %s ends in a short answer",
  async (method, _, body, part) => {
    const response = await server.fetch(
      new Request(`http://localhost/rpc/Big/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      }),
    );
    const text = await response.text();
    expect([200, 400]).toContain(response.status);
    expect(text).toContain(part);
    expect(text.length).toBeLessThan(8_000);
  },
);
