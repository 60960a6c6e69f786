import { describe, expect, test } from "vitest";
import type { DocumentEdit } from "../../tools/editor/service/model/results.js";
import { checkAll, cursor, openMarked } from "./support/marked.js";
import { applyEdits } from "./support/apply-edits.js";
import { shopAt } from "./support/shop.js";

function renameAt(
  before: string,
  name: string,
): { texts: ReadonlyMap<string, string>; message: string | null } {
  const { service, path, offset, texts } = openMarked(
    shopAt("api.ridl", before),
  );
  const result = service.rename(path, offset, name);
  const edits: readonly DocumentEdit[] =
    result.kind === "edits" ? result.edits : [];
  const message = result.kind === "refused" ? result.message : null;
  return { texts: applyEdits(texts, edits), message };
}

describe("references", () => {
  test.each([
    ["a type", "Address", ["common.ridl", "api.ridl"]],
    ["an error", "Unauthorized", ["common.ridl", "common.ridl", "api.ridl"]],
    ["an argument and its path", "id: uint32)", ["api.ridl", "api.ridl"]],
    ["a credential", 'X-Api-Key"', ["common.ridl", "api.ridl"]],
  ])("finds all uses of %s", (_, before, paths) => {
    const { service, path, offset } = openMarked(shopAt("api.ridl", before));
    const found = service.references(path, offset, true);
    expect(found.map((each) => each.path)).toEqual(paths);
    const others = service.references(path, offset, false);
    expect(others).toHaveLength(paths.length - 1);
  });
});

test("refuses to rename one of two declarations that an import names together", () => {
  const { service, path, offset } = openMarked({
    "common.ridl": 'webrpc = v1\nstruct §Same\nerror 1 Same "same"\n',
    "api.ridl":
      "webrpc = v1\nname = a\nversion = v1\nimport common.ridl\n  - Same\nstruct A\n  - a: Same\n",
  });
  expect(service.rename(path, offset, "Other")).toEqual({
    kind: "refused",
    message:
      "`api.ridl` imports several declarations with this name in one line",
  });
});

/** A stream whose cursor is a field of a struct. */
const stream = `webrpc = v1
name = a
version = v1
struct Tick
  - id: uint32
service Ticks
  @resume:"after=tick.id"
  - Watch(after?: uint32) => stream (tick: Tick)
`;

test.each([
  ["the argument", "after?:", "zz=tick.id"],
  ["the argument in the annotation", "after=", "zz=tick.id"],
  ["the item", "tick: Tick", "after=zz.id"],
  ["the cursor", "id: uint32", "after=tick.zz"],
  ["the cursor in the annotation", 'id"', "after=tick.zz"],
])("renames %s of a resumed stream", (_, at, after) => {
  const { service, path, offset, texts } = openMarked({
    "a.ridl": stream.replace(at, `${cursor}${at}`),
  });
  const result = service.rename(path, offset, "zz");
  const edits = result.kind === "edits" ? result.edits : [];
  const renamed = applyEdits(texts, edits);
  expect(renamed.get("a.ridl")).toContain(after);
  expect(checkAll(renamed)).toEqual([]);
});

test.each([
  ["the field", "code: string"],
  ["its name in the metadata", "code\n  - note"],
])("renames %s that is the tag beside the data of a union", (_, at) => {
  const text = `webrpc = v1
name = a
version = v1
struct Intent
  - code: string
  - data: any
    + oneOf = done:null|lost:string
    + tag = code
  - note: string
service Intents
  - Get() => (intent: Intent)
`;
  const { service, path, offset, texts } = openMarked({
    "a.ridl": text.replace(at, `${cursor}${at}`),
  });
  const result = service.rename(path, offset, "zz");
  const edits = result.kind === "edits" ? result.edits : [];
  const renamed = applyEdits(texts, edits);
  expect(renamed.get("a.ridl")).toContain("+ tag = zz");
  expect(checkAll(renamed)).toEqual([]);
});

/** Members of an enum as listed values, and as tags of both kinds. */
const tagged = `webrpc = v1
name = a
version = v1
enum Kind: string
  - Paid = paid
  - Lost
struct A
  - kind: Kind
    + enum = paid
struct B
  - kind: Kind
    + enum = Lost
type Event: any
  + oneOf = A|B
  + tag = kind
struct Intent
  - code: Kind
  - data: any
    + oneOf = paid:A|Lost:B
    + tag = code
service S
  - Get() => (event: Event, intent: Intent)
`;

test.each([
  ["a member with the value of its name", "Lost\n", ["enum = Zz", "|Zz:B"]],
  ["its use as a value", "Lost\ntype", ["- Zz", "|Zz:B"]],
  ["its use as a tag", "Lost:B", ["- Zz", "enum = Zz"]],
  ["a member with another value", "Paid", ["Zz = paid", "enum = paid"]],
])("renames %s", (_, at, after) => {
  const { service, path, offset, texts } = openMarked({
    "a.ridl": tagged.replace(at, `${cursor}${at}`),
  });
  const result = service.rename(path, offset, "Zz");
  const edits = result.kind === "edits" ? result.edits : [];
  const renamed = applyEdits(texts, edits);
  for (const part of after) expect(renamed.get("a.ridl")).toContain(part);
  expect(checkAll(renamed)).toEqual(checkAll(texts));
});

test("refuses to rename the tag of a union, which is a name on the wire", () => {
  const { service, path, offset } = openMarked({
    "a.ridl": tagged.replace("kind: Kind", `${cursor}kind: Kind`),
  });
  const message =
    "`kind` is the tag of `Event`, so it needs `+ json = kind` first";
  expect(service.rename(path, offset, "zz")).toEqual({
    kind: "refused",
    message,
  });
});

describe("rename", () => {
  test.each([
    ["a type", "Address", "Account"],
    ["a struct", "Item)", "Thing"],
    ["an enum that is the key of a map", "Color,", "Paint"],
    ["an error", "Unauthorized", "KeyMissing"],
    ["an argument in a path", "id: uint32)", "number"],
    ["a field", "tags", "labels"],
    ["a field to the name of a core type", "tags", "file"],
    ["a method", "GetItem", "FindItem"],
    ["a service", "Shop", "Store"],
  ])("changes %s everywhere", (_, before, name) => {
    const { texts, message } = renameAt(before, name);
    expect(message).toBeNull();
    expect([...texts.values()].join()).toContain(name);
    expect(checkAll(texts)).toEqual([]);
  });

  test.each([
    [
      "a name in use",
      "Address",
      "Color",
      "`Color` is already declared in `common.ridl`",
    ],
    [
      "an invalid type name",
      "Address",
      "address",
      "`address` cannot be the name of this alias",
    ],
    [
      "the name of a built-in error",
      "Unauthorized",
      "WebrpcLost",
      "`WebrpcLost` cannot be the name of this error",
    ],
    [
      "the name of another field",
      "tags",
      "Owner",
      "`owner` is already declared in `api.ridl`",
    ],
    [
      "the JSON name of another field",
      "tags",
      "owned_by",
      "`owner` already has the JSON name `owned_by`",
    ],
    ["a core type", "uint32", "Number", "there is no name to rename here"],
    [
      "the header of a credential",
      'X-Api-Key"',
      "X-Key",
      "there is no name to rename here",
    ],
  ])("rejects %s", (_, before, name, expected) => {
    expect(renameAt(before, name).message).toBe(expected);
  });

  test("keeps quotes, other strings, and headers and JSON names that differ", () => {
    const { service, path, offset, texts } = openMarked({
      "a.ridl": `webrpc = v1

error 1 Denied "denied"

type Key: string
  + header = X-Key
  + error = "Denied"
  + example = Key

struct Reason

type DeniedData: Reason
  + dataOf = "Denied|Gone"

error 2 Gone "gone"

struct Query
  - §id: string
    + json = item_id

service Shop
  @auth:"X-Key" @get:"/items/{item_id}" @deprecated:"ok"
  - Get(Query) => (ok: bool)
`,
    });
    expect(service.references(path, offset, true)).toHaveLength(2);
    const original = texts.get(path) ?? "";
    const renamed = (before: string, name: string): string | undefined => {
      const result = service.rename(path, original.indexOf(before), name);
      const edits = result.kind === "edits" ? result.edits : [];
      return applyEdits(texts, edits).get(path);
    };
    expect(renamed("Denied", "NoKey")).toBe(
      original.replaceAll("Denied", "NoKey").replace("NoKeyData", "DeniedData"),
    );
    expect(renamed("Key: string", "Token")).toBe(
      original.replace("type Key", "type Token"),
    );
    expect(renamed("ok: bool", "found")).toBe(
      original.replace("ok: bool", "found: bool"),
    );
    expect(renamed("id: string", "number")).toBe(
      original.replace("id: string", "number: string"),
    );
  });

  test("starts with the name at the cursor", () => {
    const { service, path, offset } = openMarked(shopAt("api.ridl", "owner:"));
    expect(service.prepareRename(path, offset)?.name).toBe("owner");
    expect(service.prepareRename(path, 0)).toBeNull();
  });

  test("is rejected in unknown documents", () => {
    const { service, path, offset } = openMarked({
      "a.ridl": "webrpc = v1\nstruct §A\n  - id: uint32\n",
    });
    expect(service.rename("gone.ridl", offset, "B").kind).toBe("refused");
    expect(service.rename(path, offset, "B").kind).toBe("edits");
  });
});

test("finds and changes a field in an address with a query", () => {
  const { service, path, offset, texts } = openMarked({
    "api.ridl": `webrpc = v1
name = a
version = v1

service A
  @http:"PUT /x/{id}?note&limit={size}&note=fixed 201"
  @requestBody:item
  - Put(id: uint32, §note?: string, size?: uint32, item: []string)
`,
  });
  expect(service.references(path, offset, true)).toHaveLength(2);
  const result = service.rename(path, offset, "remark");
  const edits = result.kind === "edits" ? result.edits : [];
  expect(applyEdits(texts, edits).get("api.ridl")).toContain(
    "?remark&limit={size}&note=fixed",
  );
});
