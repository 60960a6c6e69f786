import { describe, expect, test } from "vitest";
import { applyEdits } from "./support/apply-edits.js";
import { cursor, diagnoseAll, openMarked } from "./support/marked.js";

const common = `webrpc = v1
name = common
version = v1.0.0

struct Created
  - kind: string
    + enum = created
  - id: uint64

struct Deleted
  - kind: string
    + enum = deleted
`;

const events = `webrpc = v1
name = events
version = v1.0.0

import "common.ridl"

# What happened.
type Event: any
  + oneOf = Created|Deleted
  + tag = kind
  + open = true

type Filter: any
  + oneOf = "string | []Filter | map<string, Event>"

struct Reply
  - code: string
  - data: any
    + oneOf = created,made:Created|filtered:[]Filter
    + tag = code

service Events
  - List(filter: Filter) => (event: Event, reply: Reply)
`;

/** Opens the documents with the cursor before some text of \`events.ridl\`. */
function openAt(before: string): ReturnType<typeof openMarked> {
  expect(events).toContain(before);
  return openMarked({
    "events.ridl": events.replace(before, cursor + before),
    "common.ridl": common,
  });
}

test.each([
  [
    "a union",
    "Event: any",
    [
      "+ oneOf = Created|Deleted",
      "What happened.",
      "On the wire: a value of one of the variants.",
      'export type Event = Created | Deleted | UnknownVariant<"kind">;',
    ],
  ],
  ["a variant", "Deleted\n", ["struct Deleted", "export interface Deleted {"]],
  [
    "a union without a tag",
    "Filter: any",
    ["export type Filter = string | Filter[] | Record<string, Event>;"],
  ],
  [
    "a struct that is a union",
    "Reply)",
    [
      "created,made:Created",
      "export type Reply = ReplyCreated | ReplyFiltered;",
    ],
  ],
  ["the key of variants", "oneOf = Created", ["Makes this `any` a union"]],
  ["the key of the tag", "tag = kind", ["tells the variants of a union apart"]],
  ["the key of open unions", "open = true", ["does not know"]],
])("hovering shows %s", (_, before, expected) => {
  const { service, path, offset } = openAt(before);
  const hover = service.hover(path, offset);
  for (const text of expected) expect(hover?.markdown).toContain(text);
});

test("hovering a choice shows its meaning", () => {
  const { service, path, offset } = openMarked({
    "a.ridl": `webrpc = v1\nname = a\nversion = v1\nstruct Payment\n  - card?: string\n    + §choice = method\n`,
  });
  expect(service.hover(path, offset)?.markdown).toContain("Exactly one");
});

test.each([
  ["Created|", "Created", "common.ridl"],
  ["Deleted\n", "Deleted", "common.ridl"],
  ["Filter | map", "Filter", "events.ridl"],
  ["Event>", "Event", "events.ridl"],
  ["Created|filtered", "Created", "common.ridl"],
])("goes to the definition of the variant at %j", (before, name, document) => {
  const { service, path, offset, textAt } = openAt(before);
  const [target] = service.definition(path, offset);
  expect(target?.path).toBe(document);
  expect(target && textAt({ ...target, span: target.nameSpan })).toBe(name);
});

test("finds and renames the variants of unions", () => {
  const { service, path, offset, texts } = openAt("Created|filtered");
  expect(service.references(path, offset, true)).toHaveLength(3);
  const renamed = service.rename(path, offset, "Added");
  const after = applyEdits(
    texts,
    renamed.kind === "edits" ? renamed.edits : [],
  );
  expect(after.get("events.ridl")).toBe(events.replaceAll("Created", "Added"));
  expect(after.get("common.ridl")).toBe(common.replaceAll("Created", "Added"));
});

test("colors the types of variants", () => {
  const { service, path, textAt } = openAt("Reply\n");
  const types = service
    .semanticTokens(path)
    .filter(({ type }) => type === "struct" || type === "type")
    .map(({ span }) => textAt({ path, span }));
  expect(types.filter((text) => text === "Created")).toHaveLength(2);
  expect(types).toContain("Deleted");
});

describe("completions", () => {
  const head =
    'webrpc = v1\nname = new\nversion = v1.0.0\n\nimport "common.ridl"\n\n';
  test.each([
    [
      "keys of a union",
      "type A: any\n  + §",
      ["oneOf", "tag", "open"],
      ["choice"],
    ],
    [
      "another list of variants",
      "type A: any\n  + oneOf = Created\n  + §",
      ["oneOf"],
      [],
    ],
    [
      "keys of a field",
      "struct A\n  - a?: any\n    + §",
      ["oneOf", "tag", "choice"],
      [],
    ],
    [
      "types of variants",
      "type A: any\n  + oneOf = §",
      ["Created", "string"],
      ["kind"],
    ],
    [
      "another type",
      "type A: any\n  + oneOf = Created|§",
      ["Created", "Deleted"],
      [],
    ],
    [
      "types in quotes",
      'type A: any\n  + oneOf = "Created | []D§',
      ["Deleted"],
      [],
    ],
    [
      "types after a tag",
      "struct A\n  - code: string\n  - data: any\n    + oneOf = created:§",
      ["Created"],
      ["code"],
    ],
    [
      "the tags of variants",
      "type A: any\n  + oneOf = Created|Deleted\n  + tag = §",
      ["kind"],
      ["id"],
    ],
    [
      "tags beside",
      "struct A\n  - code: string\n  - data: any\n    + tag = §",
      ["code"],
      ["data"],
    ],
    [
      "whether a union is open",
      "type A: any\n  + oneOf = Created|Deleted\n  + open = §",
      ["true", "false"],
      [],
    ],
  ])("offer %s", (_, text, included, excluded) => {
    const { service, path, offset } = openMarked({
      "new.ridl": head + text,
      "common.ridl": common,
    });
    const labels = service.complete(path, offset).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(included));
    for (const each of excluded) expect(labels).not.toContain(each);
  });
});

test("follows edits above a union", () => {
  const { service } = openAt("Reply\n");
  const edited = events
    .replace("# What happened.", "# What happened to an item.")
    .replace("|Deleted", "|Nothing");
  service.setDocument("events.ridl", edited);
  service.setDocument("events.ridl", edited.replace("# What", "#  What"));
  const found = edited.replace("# What", "#  What").indexOf("Nothing");
  expect(diagnoseAll(service)).toContain(
    `events.ridl ${found}-${found + 7} unknown-type`,
  );
});
