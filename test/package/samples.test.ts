import { describe, expect, it } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { render } from "../../generator/4-emit/typescript/text/format.js";
import { objectOf } from "../../generator/4-emit/typescript/text/shapes.js";
import type { Field, TypeDeclaration } from "../../generator/ir/contract.js";
import { sampleEntries } from "../../tools/package/readme-examples.js";
import {
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
  struct,
} from "../support/contract-parts.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "date",
  runtime: "import",
  importExtension: ".js",
};

/** Returns code that creates a sample request with these fields. */
function sampleOf(
  fields: readonly Field[],
  types: readonly TypeDeclaration[] = [],
): string {
  const request = message(fields);
  const send = method("Api", "Send", { request, response: message([]) });
  const created = createPlan(
    contract(types, [host("api", [service("Api", [send])])]),
    options,
  );
  const [plan] = created.hosts[0]?.services[0]?.methods ?? [];
  const planned = plan?.request.object.fields ?? [];
  return render(objectOf(sampleEntries(created, planned)));
}

function example(type: Field["type"], text: string): Field {
  return field("a", type, { constraints: { example: text } });
}

describe("a sample", () => {
  it.each([
    [field("a", scalar("string")), '"amber"'],
    [field("a", scalar("uint8")), "1"],
    [field("a", scalar("float64"), { constraints: { minimum: 2.5 } }), "2.5"],
    [field("a", scalar("uint64")), "1n"],
    [field("a", scalar("bool")), "true"],
    [field("a", scalar("any")), '"amber"'],
    [field("a", scalar("timestamp")), 'new Date("2026-01-31T12:00:00Z")'],
    [field("a", list(scalar("byte"))), "new Uint8Array(1)"],
    [field("a", list(list(scalar("string")))), '[["amber"]]'],
    [field("a", map(scalar("string"), scalar("string"))), '{ amber: "amber" }'],
    [field("a", reference("Side")), '"offer"'],
    [example(scalar("string"), "0x12"), '"0x12"'],
    [example(scalar("int8"), "-3"), "-3"],
    [example(scalar("int8"), "three"), "1"],
    [example(scalar("int8"), "03"), "1"],
    [example(scalar("int8"), "1e2"), "100"],
    [example(scalar("uint64"), "7"), "7n"],
    [example(scalar("bigint"), "007"), "7n"],
    [example(scalar("timestamp"), "today"), 'new Date("2026-01-31T12:00:00Z")'],
    [example(scalar("bool"), "false"), "false"],
    // Without an example, the value is one that mocks could return.
    [field("a", scalar("int8"), { constraints: { maximum: 100 } }), "1"],
    [field("a", scalar("uint64"), { constraints: { minimum: 7 } }), "7n"],
    [
      field("a", scalar("string"), { constraints: { pattern: "^[0-9]{2}$" } }),
      '"46"',
    ],
    [
      field("a", scalar("string"), { constraints: { format: "uri" } }),
      '"https://example.com/amber"',
    ],
    [
      field("a", scalar("string"), { constraints: { minLength: 8 } }),
      '"amber birch"',
    ],
  ])("shows %j as %s", (given, code) => {
    const side = enumeration("Side", ["offer", "listing"]);
    expect(sampleOf([given], [side])).toBe(`{ a: ${code} }`);
  });

  it("omits optional fields", () => {
    const given = field("a", scalar("string"), { isOptional: true });
    expect(sampleOf([given])).toBe("{}");
  });

  it("ends where a struct contains itself", () => {
    const node = struct("Node", [
      field("parent", reference("Node"), { isNullable: true }),
      field("children", list(reference("Node"))),
    ]);
    expect(sampleOf([field("node", reference("Node"))], [node])).toBe(
      "{ node: { parent: null, children: [] } }",
    );
  });

  it("stays short if each struct contains the next one twice", () => {
    const structs = Array.from({ length: 40 }, (_, at) =>
      struct(
        `S${at}`,
        at === 39
          ? []
          : ["a", "b"].map((name) => field(name, reference(`S${at + 1}`))),
      ),
    );
    const code = sampleOf([field("a", reference("S0"))], structs);
    expect(code.length).toBeLessThan(1_000);
  });
});
