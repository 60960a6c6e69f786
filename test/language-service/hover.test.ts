import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cursor, openMarked } from "./support/marked.js";
import { shopAt } from "./support/shop.js";

test.each([
  [
    "a struct",
    "Item)",
    [
      "struct Item",
      "What is for sale.",
      "export interface Item {",
      "owned_by: Address;",
    ],
  ],
  [
    "a field",
    "owner:",
    [
      "- owner: Address",
      "Who has it.",
      '`"owned_by"`, a string',
      "owned_by: Address;",
    ],
  ],
  [
    "an optional field",
    "tags",
    ["tags?: string[];", "+ maxItems = 5", "an array"],
  ],
  ["a field with a map", "colors", ["Partial<Record<Color, number>>"]],
  [
    "an alias in another document",
    "Address",
    [
      '+ pattern = "^0x[0-9a-fA-F]{40}$"',
      "A checksummed address.",
      "export type Address = string;",
    ],
  ],
  [
    "a method",
    "GetItem",
    [
      "One item.",
      "GET /items/{id}",
      "getItem(request: GetItemRequest): Promise<GetItemResponse>",
    ],
  ],
  ["an argument", "item: Item", ["item: Item", "an object", "item: Item;"]],
  ["an error", "Unauthorized", ["Nobody knows this key.", "HTTP status 401"]],
  ["a credential", 'X-Api-Key"', ["type ApiKey: string"]],
  ["a parameter of a path", "id}", ["id: uint32"]],
  ["a core type", "uint8", ["from 0 to 255", "On the wire: a number."]],
  ["a metadata key", "maxProperties", ["maximum number of entries in a map"]],
  ["an annotation", "auth", ["The credentials that the method requires"]],
  ["a header", "version", ["The version of the contract"]],
])("shows %s", (_, before, expected) => {
  const { service, path, offset } = openMarked(shopAt("api.ridl", before));
  const hover = service.hover(path, offset);
  for (const text of expected) expect(hover?.markdown).toContain(text);
});

const clinic = `webrpc = v1
name = clinic
version = v1.0.0
basepath = /api

enum Species: string
  - Dog = "dog"
  - Cat

enum Size: uint8
  - Small = 1

error 1001 NotFound "not found"
error 1002 Lost "lost"
struct Place
type LostData: Place
  + dataOf = Lost

struct Pet
  - species: Species
  - size?: Size
  - photo: string
    + deprecated = "use photos"
  - owner: string
    + deprecated = false
  - chip: string
    + json = -
  - home: Home

struct Home
  - city: string

struct FindRequest
  - species: Species

service Clinic
  @deprecated:"use Search"
  - Find(FindRequest) => (Pet) errors NotFound
  - Watch(species: Species) => stream (pet: Pet)
  - Ping()
  @get:"/pets/{name}" @body:pet
  - Get(name: string) => (pet: Pet)
  @http:"PUT /pets/{name}?dryRun&owner={keeper} 201"
  - Put(name: string, dryRun?: bool, keeper: string, chip: string)

service Events
  @webhook
  - Adopted(pet: Pet)
`;

test.each([
  ["a REST method", "Put(", ["`PUT /pets/{name}?dryRun&owner={keeper}`"]],
  [
    "a value of an enum",
    "Dog",
    ['enum Species: string\n  - Dog = "dog"\n```', '`"dog"`', "Species.Dog"],
  ],
  ["a member without a value", "Cat", ['On the wire: `"Cat"`.']],
  ["a member with a number", "Small", ['On the wire: `"Small"`.']],
  ["an error without a status", "NotFound", ["Code 1001, HTTP status 400."]],
  ["an error with data", "Lost ", ["HTTP status 400. Its data is `Place`."]],
  ["the name of an error with data", "Lost\n", ["error 1002 Lost"]],
  ["a field with the reason of its deprecation", "photo", ["ed**: use photos"]],
  ["a field that is not on the wire", "chip", ["Not sent on the wire."]],
  ["a field with a struct", "pet: Pet)\n  - Ping", ["pet: Pet;"]],
  [
    "a deprecated method",
    "Find(",
    ["**Deprecated**: use Search", "`POST /api/Clinic/Find`"],
  ],
  ["a struct that contains another one", "Pet\n", ["  home: Home;\n}"]],
  ["a request", "FindRequest)", ["struct FindRequest"]],
  ["a method with a stream", "Watch", ["AsyncIterable<WatchResponse>"]],
  ["a method without arguments", "Ping", ["ping(request?: PingRequest)"]],
  ["the output that is the body", "pet\n  - Get", ["pet: Pet"]],
  ["a webhook", "Adopted", ["A webhook."]],
])("describes %s", (_, before, expected) => {
  const text = clinic.replace(before, cursor + before);
  const { service, path, offset } = openMarked({ "clinic.ridl": text });
  const { markdown = "" } = service.hover(path, offset) ?? {};
  for (const each of expected) expect(markdown).toContain(each);
});

test("shows the default path of a method", () => {
  const text = clinic.replace("basepath = /api\n", "").replace("Ping", "§Ping");
  const { service, path, offset } = openMarked({ "clinic.ridl": text });
  const { markdown } = service.hover(path, offset) ?? {};
  expect(markdown).toContain("`POST /rpc/Clinic/Ping`");
});

test("shows no text in a different direction", () => {
  const { service, path, offset } = openMarked({
    "a.ridl": "# a\u202eb &#x202e; &amp\nstruct §A\n",
  });
  const { markdown = "" } = service.hover(path, offset) ?? {};
  expect(markdown).toContain("a b \\&#x202e; &amp");
});

test("does not warn of `deprecated = false`", () => {
  const text = clinic.replace("owner", `${cursor}owner`);
  const { service, path, offset } = openMarked({ "clinic.ridl": text });
  const { markdown = "" } = service.hover(path, offset) ?? {};
  expect(markdown).toContain('`"owner"`, a string');
  expect(markdown).not.toContain("**Deprecated**");
});

test("shows the first lines of a long declaration", () => {
  const fields = Array.from(
    { length: 30 },
    (_, index) => `  - f${index}: bool`,
  );
  const text = `webrpc = v1\n\nstruct ${cursor}Long\n${fields.join("\n")}\n`;
  const { service, path, offset } = openMarked({ "a.ridl": text });
  const { markdown = "" } = service.hover(path, offset) ?? {};
  expect(markdown).toContain("  - f22: bool\n  …\n```");
});

test("omits TypeScript if the contract has errors", () => {
  const documents = shopAt("api.ridl", "Item)");
  const { service, path, offset } = openMarked({
    ...documents,
    "api.ridl": documents["api.ridl"]?.replace("uint8", "uint9") ?? "",
  });
  const { markdown = "" } = service.hover(path, offset) ?? {};
  expect(markdown).toContain("struct Item");
  expect(markdown).not.toContain("```ts");
});

test("shows nothing between words", () => {
  const { service, path, offset } = openMarked(shopAt("api.ridl", "\n# What"));
  expect(service.hover(path, offset)).toBeNull();
  expect(service.hover("gone.ridl", 0)).toBeNull();
});

test("describes each method of a host whose errors have their own body", () => {
  const text = readFileSync("test/behavior/failures.ridl", "utf8");
  const { service } = openMarked({ "failures.ridl": `${cursor}${text}` });
  const methods = [...text.matchAll(/- (?:stream )?(\w+)\(/gu)];
  const hovers = methods.map(({ index }) =>
    service.hover("failures.ridl", index + 2),
  );
  expect(hovers).toHaveLength(5);
  expect(
    hovers.every(
      (hover) =>
        hover?.markdown.includes("Promise<") ||
        hover?.markdown.includes("AsyncIterable<"),
    ),
  ).toBe(true);
});
