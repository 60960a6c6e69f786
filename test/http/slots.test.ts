import fc from "fast-check";
import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import type { Method } from "../../generator/ir/contract.js";
import { allMethods } from "../../generator/ir/methods-of.js";
import { valuesOf } from "../../generator/values/value.js";
import { textFormOf } from "../../generator/http/slots.js";
import { wireOf } from "../../generator/http/wire-of.js";

function compile(lines: readonly string[]) {
  const text = ["webrpc = v1", "name = a", "version = v1.0.0", ...lines, ""];
  const { value, diagnostics } = compileContract(["a.ridl"], {
    read: () => text.join("\n"),
  });
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  const [method] = allMethods(value.hosts);
  if (method === undefined) throw new Error("no method");
  return { contract: value, method };
}

/** A field of a request, and where it is. */
const input = fc
  .record({
    place: fc.constantFrom(
      ...(["path", "query", "header", "member", "part"] as const),
    ),
    type: fc.constantFrom("string", "uint32", "bool", "timestamp"),
    isList: fc.boolean(),
    isJoined: fc.boolean(),
    isOptional: fc.boolean(),
  })
  .map(({ isJoined, isList, isOptional, place, type }) => {
    const item = place === "part" ? "file" : type;
    return {
      place,
      type: isList ? `[]${item}` : item,
      isList,
      isJoined: isJoined && isList && place === "query",
      isOptional: isOptional && place !== "path",
    };
  });

type Input = typeof input extends fc.Arbitrary<infer Each> ? Each : never;

const inputs = fc.record({
  fields: fc.array(input, { minLength: 1, maxLength: 8 }),
  format: fc.constantFrom("json", "form", "form:brackets"),
});

function methodWith(fields: readonly Input[], format: string): Method {
  const named = fields.map((each, index) => ({ ...each, name: `f${index}` }));
  const at = (place: Input["place"]) =>
    named.filter((each) => each.place === place);
  const path = at("path").map(({ name }) => `/{${name}}`);
  const query = at("query").map(({ isJoined, name }) =>
    isJoined ? `q-${name}={${name},}` : `q-${name}={${name}}`,
  );
  const headers = at("header").map(({ name }) => `X-${name}={${name}}`);
  // Only forms contain files.
  const isForm = at("part").length > 0 || format !== "json";
  const hasBody = at("part").length + at("member").length > 0;
  const form = format === "json" ? "form" : format;
  const args = named.map(
    ({ isOptional, name, type }) => `${name}${isOptional ? "?" : ""}: ${type}`,
  );
  return compile([
    "service A",
    `  @http:"POST /a${path.join("")}?fixed=1${query.map((each) => `&${each}`).join("")}"`,
    ...(headers.length === 0
      ? []
      : [`  @requestHeaders:"${headers.join(",")}"`]),
    ...(isForm && hasBody
      ? [form === "form" ? "  @form" : "  @form:brackets"]
      : []),
    `  - Send(${args.join(", ")})`,
  ]).method;
}

test("the slots of a request contain every field once, at its place", () => {
  fc.assert(
    fc.property(inputs, ({ fields, format }) => {
      const method = methodWith(fields, format);
      const { body, slots } = wireOf(method).request;
      const found = slots.flatMap((slot) =>
        slot.place === "fixed" ? [] : [[slot.field.name, slot.place] as const],
      );
      expect(found).toHaveLength(fields.length);
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          fields.map(({ place }, index) => [`f${index}`, place]),
        ),
      );
      expect(body.fields.map(({ name }) => name)).toEqual(
        fields.flatMap(({ place }, index) =>
          place === "member" || place === "part" ? `f${index}` : [],
        ),
      );
      for (const slot of slots) {
        if (slot.place === "fixed") continue;
        const given = fields[Number(slot.field.name.slice(1))];
        expect(slot.absent === "omitted").toBe(given?.isOptional);
        expect(slot.list === "joined").toBe(
          slot.place === "query"
            ? given?.isJoined
            : ["path", "header"].includes(slot.place),
        );
      }
    }),
    { numRuns: 300 },
  );
});

test("the slots of a response contain every output once, at its place", () => {
  const outputs = fc.record({
    headers: fc.nat({ max: 3 }),
    rest: fc.constantFrom("none", "members", "whole", "statuses", "status"),
  });
  fc.assert(
    fc.property(outputs, ({ headers, rest }) => {
      const inHeaders = Array.from({ length: headers }, (_, at) => `h${at}`);
      // With outputs in headers, only one other output can be a body.
      const bodies = {
        none: [],
        members: headers > 0 ? ["b0: string"] : ["b0: string", "b1: uint32"],
        whole: ["b0: string"],
        statuses: ["b0?: string", "b1?: uint32"],
        status: ["b0: string", "code: uint16"],
      }[rest];
      const statuses = {
        none: "",
        members: headers > 0 ? " 200={b0}" : "",
        whole: " 201={b0}",
        statuses: " 200={b0} 202={b1} 204",
        status: " 200={b0} 201={b0}",
      }[rest];
      const { method } = compile([
        "service A",
        `  @http:"POST /a${statuses}"`,
        ...(rest === "status" ? ["  @responseStatus:code"] : []),
        ...(headers === 0
          ? []
          : [
              `  @responseHeaders:"${inHeaders.map((each) => `X-${each}={${each}}`).join(",")}"`,
            ]),
        `  - Get() => (${[...inHeaders.map((each) => `${each}: string`), ...bodies].join(", ")})`,
      ]);
      const { response } = wireOf(method);
      const found = response.slots.map(({ field, place }) => [
        field.name,
        place,
      ]);
      expect(found).toHaveLength(method.response.fields.length);
      const whole = rest !== "members" || headers > 0 ? "whole" : "member";
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(
          method.response.fields.map(({ name }) => [
            name,
            name === "code"
              ? "status"
              : name.startsWith("h")
                ? "header"
                : whole,
          ]),
        ),
      );
      expect(response.members.length).toBe(
        rest === "members" && headers === 0 ? 2 : 0,
      );
      expect(response.isIgnored).toBe(bodies.length === 0);
    }),
    { numRuns: 200 },
  );
});

test("numbers, booleans and null are JSON where there is only text", () => {
  const { contract, method } = compile([
    "type Ids: []uint64",
    "type Flag: bool",
    "enum Kind: uint8",
    "  - ONE",
    "service A",
    '  @get:"/r/{ids}/{flag}/{big}/{name}/{at}/{rate}/{blob}/{kind}"',
    "  - Get(ids: Ids, flag: Flag, big: bigint, name: []string, at: timestamp, rate: float64, blob: []byte, kind: Kind)",
  ]);
  const forms = method.request.fields.map((field) => {
    const { isList, writing } = textFormOf(valuesOf(contract), field);
    return [field.name, `${writing}${isList ? "s" : ""}`];
  });
  expect(Object.fromEntries(forms)).toEqual({
    ids: "jsons",
    flag: "json",
    big: "text",
    name: "texts",
    at: "text",
    rate: "json",
    blob: "text",
    kind: "text",
  });
});

test("a method is read once", () => {
  const { method } = compile(["service A", "  - Get()"]);
  expect(wireOf(method)).toBe(wireOf(method));
  expect(wireOf(method).address?.target).toBe("/rpc/A/Get");
});
