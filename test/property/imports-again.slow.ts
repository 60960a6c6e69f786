import fc from "fast-check";
import { expect, it } from "vitest";
import { lowerContract } from "../../generator/3-lower/index.js";
import { findChanges } from "../../tools/breaking/diff/index.js";
import { updateDocuments } from "../../tools/import/merge/update-documents.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import { checkDocuments } from "../support/check-documents.js";
import * as drawn from "../support/fast-check.js";

type Texts = ReadonlyMap<string, string>;
type Draw = (below: number) => number;

const schemaNames = ["Apple", "Brick", "Cloud", "Drum", "Eagle"];
const fieldNames = ["first_name", "second_item", "third_part", "kind"];
const addresses = [
  ["get", "/apples"],
  ["post", "/apples"],
  ["get", "/apples/{id}"],
  ["put", "/apples/{id}"],
  ["delete", "/bricks/{id}"],
  ["get", "/bricks"],
  ["patch", "/clouds/{id}"],
] as const;

/** Draws numbers from a seed (a linear congruential generator). */
function createDraw(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

function pick<Item>(items: readonly Item[], draw: Draw): Item {
  const item = items[draw(items.length)];
  if (item === undefined) throw new Error("there are no items");
  return item;
}

/** Draws a schema. Those that are not shared can contain objects. */
function drawSchema(draw: Draw, names: readonly string[], depth = 1): object {
  const ref = () => ({ $ref: `#/components/schemas/${pick(names, draw)}` });
  switch (draw(depth === 0 ? 6 : 8)) {
    case 0:
      return { type: "string", maxLength: 1 + draw(3) };
    case 1:
      return { type: "integer", minimum: draw(2) };
    case 2:
      return { type: "string", enum: ["red", "green", "blue"].slice(draw(2)) };
    case 3:
      return { type: "array", items: ref() };
    case 4:
      return ref();
    case 5:
      return { type: "string", format: "date-time" };
    case 6:
      return drawObject(draw, names, depth - 1);
    default:
      return { type: "array", items: drawObject(draw, names, depth - 1) };
  }
}

function drawObject(draw: Draw, names: readonly string[], depth = 1): object {
  const used = fieldNames.filter(() => draw(3) > 0);
  const properties = used.map((name) => {
    const schema = drawSchema(draw, names, depth);
    const text = draw(3) === 0 ? { description: `Field ${draw(3)}.` } : {};
    return [name, "$ref" in schema ? schema : { ...schema, ...text }] as const;
  });
  return {
    type: "object",
    ...(draw(2) === 0 && { description: `About ${draw(3)}.` }),
    required: used.filter(() => draw(3) === 0),
    properties: Object.fromEntries(properties),
  };
}

function drawOperation(
  [verb, path]: (typeof addresses)[number],
  draw: Draw,
  names: readonly string[],
): object {
  const content = () => ({
    content: { "application/json": { schema: drawSchema(draw, names) } },
  });
  const id = { name: "id", in: "path", required: true };
  const hasBody = verb === "post" || verb === "put" || verb === "patch";
  const query = ["page-size", "filter"].filter(() => draw(2) === 0);
  const parameters = [
    ...(path.includes("{") ? [{ ...id, schema: { type: "string" } }] : []),
    ...query.map((name) => ({
      ...{ name, in: "query" },
      schema: { type: pick(["string", "integer"], draw) },
    })),
  ];
  const words = path.match(/[a-z]+/gu) ?? [];
  return {
    tags: [pick(["fruit", "walls"], draw)],
    ...(draw(3) > 0 && { operationId: [verb, ...words, draw(2)].join("-") }),
    ...(draw(2) === 0 && { summary: `Does ${draw(3)}.` }),
    ...(draw(5) === 0 && { servers: [{ url: "https://b.example.com" }] }),
    parameters,
    ...(hasBody && { requestBody: { required: true, ...content() } }),
    responses: {
      200: { description: "OK", ...content() },
      ...(draw(3) === 0 && {
        404: {
          description: "None.",
          content: { "application/json": { schema: errorSchema } },
        },
      }),
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["code"],
  properties: { code: { type: "string" }, message: { type: "string" } },
};

type Drawn = ReadonlyMap<string, object>;

function drawParts(draw: Draw): { schemas: Drawn; operations: Drawn } {
  const object = (name: string) =>
    [name, drawObject(draw, schemaNames, 1)] as const;
  const operations = addresses
    .filter(() => draw(4) > 0)
    .map((address) => {
      const operation = drawOperation(address, draw, schemaNames);
      return [address.join(" "), operation] as const;
    });
  return {
    schemas: new Map(schemaNames.map(object)),
    operations: new Map(operations),
  };
}

/** Takes most parts of the first, and some of the other. */
function mix(one: Drawn, other: Drawn, draw: Draw): Drawn {
  const keys = [...new Set([...one.keys(), ...other.keys()])];
  return new Map(
    keys.flatMap((key) => {
      const part = draw(3) > 0 ? one.get(key) : other.get(key);
      return part === undefined ? [] : [[key, part] as const];
    }),
  );
}

function toDocument(schemas: Drawn, operations: Drawn, version: string) {
  const paths: Record<string, Record<string, object>> = {
    "/ping": { get: { responses: { 204: { description: "OK" } } } },
  };
  for (const [address, operation] of operations) {
    const [verb = "", path = ""] = address.split(" ");
    paths[path] = { ...paths[path], [verb]: operation };
  }
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Shop", version },
    servers: [{ url: "https://a.example.com" }],
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  });
}

function importText(text: string): Texts {
  const { documents, diagnostics } = importOpenapi(
    "openapi.json",
    () => ({ text }),
    "shop",
  );
  if (documents === null) throw new Error(diagnostics[0]?.message);
  return documents;
}

/** A person's edits: RIDL, and what must be in it or in a report later. */
function edit(base: Texts, draw: Draw): { current: Texts; marks: string[] } {
  const marks: string[] = [];
  const all = [...base.values()].join("\n");
  const types = [...all.matchAll(/^(?:struct|enum|type) (\w+)/gmu)]
    .map(([, name = ""]) => name)
    .filter(() => draw(3) === 0);
  const methods = [...all.matchAll(/^ {2}- (\w+)\(/gmu)]
    .map(([, name = ""]) => name)
    .filter(() => draw(3) === 0);
  const isRenamingFields = draw(2) === 0;
  const isMoving = draw(2) === 0;
  const current = [...base].map(([path, text], index) => {
    let edited = text;
    for (const name of types) {
      edited = edited.replaceAll(
        new RegExp(`(?<![/{?&=-])\\b${name}\\b(?!\\()`, "gu"),
        `My${name}`,
      );
    }
    for (const name of methods) {
      edited = edited.replaceAll(`  - ${name}(`, `  - My${name}(`);
    }
    if (isRenamingFields) {
      edited = edited.replaceAll(
        /^ {2}- second_item(\??: .*)$/gmu,
        "  - secondThing$1\n    + jsonName = second_item",
      );
    }
    edited = edited.replaceAll(
      /^(?:struct|service| {2}- \w+\??:).*$/gmu,
      (line) => {
        if (draw(6) > 0) return line;
        const margin = line.startsWith(" ") ? "  " : "";
        marks.push(`# mark ${marks.length}!`);
        return `${margin}${marks.at(-1)}\n${line}`;
      },
    );
    if (isMoving) edited = moveTypes(edited, draw);
    const [name] = types;
    const isOwn = index === 0 && name !== undefined && draw(2) === 0;
    if (isOwn && edited.includes(`struct My${name}\n`)) {
      edited += `\nstruct Mine\n  - own?: My${name}\n`;
      marks.push("struct Mine");
    }
    return [path, edited] as const;
  });
  return { current: new Map(current), marks };
}

/** Changes the order of structs. */
function moveTypes(text: string, draw: Draw): string {
  const blocks = text.trimEnd().split("\n\n");
  const isStruct = (block: string): boolean =>
    /^struct /mu.test(block) && !/^(?:error|webrpc|service)/mu.test(block);
  const structs = blocks.filter(isStruct).map((block) => [draw(99), block]);
  structs.sort(([a = 0], [b = 0]) => Number(a) - Number(b));
  const ordered = structs.map(([, block]) => String(block)).values();
  return `${blocks
    .map((block) => (isStruct(block) ? (ordered.next().value ?? "") : block))
    .join("\n\n")}\n`;
}

function lower(texts: Texts) {
  const { diagnostics, value } = checkDocuments([...texts.keys()], {
    read: (path) => texts.get(path) ?? null,
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return lowerContract(value);
}

/** Lists what differs on the wire between two contracts. */
function wireChanges(before: Texts, after: Texts): readonly string[] {
  return findChanges(lower(before), lower(after))
    .filter(({ effects }) => effects.wire ?? effects["wire-strict"])
    .map(({ message }) => message);
}

const runs = { numRuns: 500 };

it("keeps edits, and has the wire of the newer document", () => {
  let updates = 0;
  let reports = 0;
  drawn.assert(
    fc.property(fc.nat(1_000_000), (seed) => {
      const draw = createDraw(seed);
      const [one, other] = [drawParts(draw), drawParts(draw)];
      const base = importText(toDocument(one.schemas, one.operations, "1"));
      const schemas = mix(one.schemas, other.schemas, draw);
      const operations = mix(one.operations, other.operations, draw);
      const incoming = importText(toDocument(schemas, operations, "2"));
      const { marks, current } = edit(base, draw);
      expect(wireChanges(base, current)).toEqual([]);
      const read = () => null;
      const input = { base, current, incoming, read, isStrict: false };
      expect(updateDocuments({ ...input, incoming: base }).changes.size).toBe(
        0,
      );
      const { changes, diagnostics } = updateDocuments(input);
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      expect(errors).toEqual([]);
      const after = new Map(current);
      for (const [path, text] of changes) {
        if (text === null) after.delete(path);
        else after.set(path, text);
      }
      updates += changes.size;
      reports += diagnostics.length;
      expect(wireChanges(incoming, after)).toEqual([]);
      expect(wireChanges(after, incoming)).toEqual([]);
      const found = [
        ...after.values(),
        ...diagnostics.flatMap(({ notes = [] }) => notes),
      ].join("\n");
      expect(marks.filter((mark) => !found.includes(mark))).toEqual([]);
      const again = { ...input, base: incoming, current: after };
      expect(updateDocuments(again)).toEqual({
        changes: new Map(),
        diagnostics: [],
      });
    }),
    runs,
  );
  expect(updates).toBeGreaterThan(10);
  expect(reports).toBeGreaterThan(0);
}, 300_000);
