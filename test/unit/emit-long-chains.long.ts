import { expect, test } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { Contract } from "../../generator/ir/contract.js";
import { createReadmeContext } from "../../tools/package/readme-context.js";
import { createReadmeView } from "../../tools/package/create-readme-view.js";
import packageSet from "../../generator/4-emit/templates/own/package-set.json" with { type: "json" };
import { findOwnSet } from "../../generator/4-emit/templates/template-set.js";
import { connectEmitted } from "../support/connect-emitted.js";
import {
  alias,
  contract,
  field,
  host,
  list,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "../support/contract-parts.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction } from "../support/run-emitted.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "date",
  runtime: "import",
  importExtension: ".js",
};

/** Creates a contract whose structs form a chain that starts in a message. */
function chainOf(
  length: number,
  holdNext: (next: string) => Parameters<typeof field>[],
): Contract {
  const structs = Array.from({ length }, (_, index) => {
    const next = index + 1 < length ? holdNext(`Part${index + 1}`) : [];
    const at = field("at", reference("At"));
    return struct(`Part${index}`, [...next.map((each) => field(...each)), at]);
  });
  const part = message([field("part", reference("Part0"))]);
  const send = method("Chain", "Send", { request: part, response: part });
  return contract(
    [...structs, alias("At", scalar("timestamp"))],
    [host("chain", [service("Chain", [send])])],
  );
}

test("code for long chains of structs can be generated and works", async () => {
  // A recursive implementation fails for fewer than 4,000 structs.
  const long = chainOf(5000, (next) => [["next", list(reference(next))]]);
  const runtimeSources = new Map<string, string>();
  const files = emitContract(long, emitters, options, { runtimeSources });
  const exports = await importEmitted(files, [
    'export { createChainClient } from "/client.js";',
    'export { createChainServer } from "/server.js";',
  ]);
  const send = (request: unknown): unknown => request;
  const client = connectEmitted(exports, "Chain", { chain: { send } });
  const at = new Date(0);
  const part = { next: [{ next: [{ next: [], at }], at }], at };
  const call = exportedFunction(client, "send");
  expect(await call({ part })).toEqual({ part });
});

test.each([
  ["one struct in another", 5000, 1],
  ["two structs in each", 60, 2],
])(
  "a sample is truncated if structs form a long chain with %s",
  (_, length, count) => {
    const long = chainOf(length, (next) =>
      Array.from({ length: count }, (_, at) => [`next${at}`, reference(next)]),
    );
    const readme = findOwnSet(packageSet).render(
      "files/README.md",
      createReadmeView(createReadmeContext(long, options, [], "chain", [], [])),
    );
    expect(readme).toContain("next0: {}");
    expect(readme.length).toBeLessThan(100_000);
  },
);

test("resolves long chains of aliases", () => {
  const length = 20_000;
  const last = alias("Any0", scalar("uint64"), { minimum: 1 }, { title: "it" });
  const aliases = Array.from({ length }, (_, index) =>
    alias(`Any${index + 1}`, reference(`Any${index}`)),
  );
  const { types } = createPlan(contract([last, ...aliases], []), options);
  expect(types.get(`Any${length}`)).toMatchObject({
    value: { kind: "scalar", resolved: { acceptsInteger: false }, title: "it" },
  });
});
