import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { mockEmitter } from "../../generator/4-emit/typescript/mock/mock.js";
import type { Contract, Host, Method } from "../../generator/ir/contract.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { arbitraryContract } from "../support/arbitrary-types.js";
import {
  alias,
  contract,
  enumeration,
  field,
  host,
  list,
  map,
  message,
  method,
  reference,
  scalar,
  service,
} from "../support/contract-parts.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction } from "../support/run-emitted.js";

const plain: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const choices: readonly EmitOptions[] = [
  plain,
  { ...plain, int64: "bigint", timestamp: "date", language: "javascript" },
];

function emit(contract: Contract, options: EmitOptions): readonly OutputFile[] {
  return emitContract(contract, [...emitters, mockEmitter], options, {
    runtimeSources: new Map(),
  });
}

/** A contract with a single method that takes no arguments. */
const answering: fc.Arbitrary<Contract> = arbitraryContract.map((contract) => {
  const ask = (method: Method): Method => ({ ...method, request: message([]) });
  const hosts = contract.hosts.map((host): Host => ({
    ...host,
    services: host.services.map((service) => ({
      ...service,
      methods: service.methods.map(ask),
    })),
  }));
  return { ...contract, hosts };
});

/** Returns the response of a server with mock handlers. */
async function answer(
  files: readonly OutputFile[],
  seed: number,
): Promise<string> {
  const exports = await importEmitted(files, [
    'export * from "/server.js";',
    'export * from "/mock.js";',
  ]);
  const createMocks = exportedFunction(exports, "createArbitraryMocks");
  const createServer = exportedFunction(exports, "createArbitraryServer");
  const server = createServer({
    handlers: createMocks({ seed }),
    onError: (error: unknown, { failures }: { failures: unknown }) =>
      expect.unreachable(`${error} ${JSON.stringify(failures)}`),
  }) as RpcServer;
  const response = await server.fetch(
    new Request("http://localhost/rpc/Arbitrary/Send", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    }),
  );
  expect(response.status).toBe(200);
  return response.text();
}

describe("mock data", () => {
  it("matches every contract, and is the same for the same seed", async () => {
    const property = fc.asyncProperty(
      answering,
      fc.constantFrom(...choices),
      fc.nat({ max: 1000 }),
      async (contract, chosen, seed) => {
        const files = emit(contract, chosen);
        const text = await answer(files, seed);
        expect(await answer(files, seed)).toBe(text);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it.each(["int", "int64", "uint64"] as const)(
    "never contains an %s that a number would round",
    async (name) => {
      const constraints = { example: "9007199254740993" };
      const response = message([field("id", scalar(name), { constraints })]);
      const send = method("Arbitrary", "Send", { response });
      const hosts = [host("arbitrary", [service("Arbitrary", [send])])];
      const text = await answer(emit(contract([], hosts), plain), 1);
      expect(text).toMatch(/^\{"id":\d{1,4}\}$/u);
    },
  );

  it.each([
    ["uint8", "1e2", "100"],
    ["bigint", "007", '"7"'],
    ["timestamp", "2026-01-31t12:00:00+01:00", '"2026-01-31T11:00:00.000Z"'],
  ] as const)("contains the example %s %s", async (name, example, json) => {
    const fields = [field("id", scalar(name), { constraints: { example } })];
    const send = method("Arbitrary", "Send", { response: message(fields) });
    const hosts = [host("arbitrary", [service("Arbitrary", [send])])];
    const text = await answer(
      emit(contract([], hosts), { ...plain, timestamp: "date" }),
      1,
    );
    expect(text).toBe(`{"id":${json}}`);
  });

  it("contains the examples of enums, and of open enums with known values", async () => {
    const constraints = { example: "b" };
    const response = message([
      field("closed", reference("Closed"), { constraints }),
      field("open", reference("Open")),
    ]);
    const send = method("Arbitrary", "Send", { response });
    const hosts = [host("arbitrary", [service("Arbitrary", [send])])];
    const types = [
      enumeration("Closed", ["a", "b", "c", "d", "e"]),
      alias("Open", scalar("string"), { example: "c" }, { known: "Closed" }),
    ];
    const text = await answer(emit(contract(types, hosts), plain), 1);
    expect(text).toBe('{"closed":"b","open":"c"}');
  });

  it("contains no value of an enum without members", async () => {
    const nothing = reference("Nothing");
    const response = message([
      field("absent", nothing, { isOptional: true }),
      field("none", nothing, { isNullable: true }),
      field("list", list(nothing)),
      field("map", map(scalar("string"), list(nothing))),
      field("alias", reference("Nothings")),
    ]);
    const send = method("Arbitrary", "Send", { response });
    const hosts = [host("arbitrary", [service("Arbitrary", [send])])];
    const types = [
      enumeration("Nothing", []),
      alias("Nothings", list(nothing)),
    ];
    const text = await answer(emit(contract(types, hosts), plain), 1);
    const { map: held, ...rest } = JSON.parse(text) as Record<string, object>;
    expect(rest).toEqual({ none: null, list: [], alias: [] });
    expect(Object.values(held ?? {}).flat()).toEqual([]);
  });

  it("comes from code in Prettier's format", async () => {
    const property = fc.asyncProperty(arbitraryContract, async (contract) => {
      for (const chosen of choices) {
        for (const { path, text } of mockEmitter.emit(contract, chosen)) {
          expect(text).toBe(await format(text, { filepath: path }));
        }
      }
    });
    await fc.assert(property, { numRuns: 12 });
  });
});
