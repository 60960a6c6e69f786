import { expect, test } from "vitest";
import { openMarked } from "./support/marked.js";
import { shopAt } from "./support/shop.js";

test.each([
  ["the request", "id: uint32)", "id: uint32"],
  ["the response", "item: Item)", "item: Item"],
])(
  "shows the method and marks the argument at the cursor in %s",
  (_, before, active) => {
    const { service, path, offset } = openMarked(shopAt("api.ridl", before));
    const help = service.signatureHelp(path, offset + 1);
    expect(help?.label).toBe("GetItem(id: uint32) => (item: Item)");
    const { start = 0, end = 0 } =
      help?.parameters[help.active ?? -1]?.span ?? {};
    expect(help?.label.slice(start, end)).toBe(active);
  },
);

test("marks the argument that is being typed before the `)` is typed", () => {
  const text = "webrpc = v1\nname = a\nversion = v1\n\nservice Books\n";
  const { service, path, offset } = openMarked({
    "api.ridl": `${text}  - FindBook(tags: map<string,bool>, isbn:§\n`,
  });
  const help = service.signatureHelp(path, offset);
  expect(help?.label).toBe("FindBook(tags: map<string,bool>, isbn:)");
  const { start = 0, end = 0 } =
    help?.parameters[help.active ?? -1]?.span ?? {};
  expect(help?.label.slice(start, end)).toBe("isbn:");
  expect(service.signatureHelp(path, text.length + 3)).toBeNull();
});

test("shows the structs of a method with succinct messages", () => {
  const { service, path, offset } = openMarked({
    "api.ridl":
      "webrpc = v1\n\nstruct Key\n  - id: uint32\n\nservice Books\n  - Find(§Key) => (Book)\n",
  });
  const help = service.signatureHelp(path, offset + 1);
  expect(help?.label).toBe("Find(Key) => (Book)");
  expect(help?.active).toBe(0);
  expect(help?.parameters.map(({ docs }) => docs)).toEqual([
    "```ridl\nstruct Key\n  - id: uint32\n```",
    "",
  ]);
});

test("marks the second of two arguments", () => {
  const { service, path, offset } = openMarked({
    "api.ridl":
      "webrpc = v1\n\nservice Books\n  - Find(id: uint32, §tag?: string)\n",
  });
  const help = service.signatureHelp(path, offset + 1);
  expect(help?.label).toBe("Find(id: uint32, tag?: string) => ()");
  const { start = 0, end = 0 } =
    help?.parameters[help.active ?? -1]?.span ?? {};
  expect(help?.label.slice(start, end)).toBe("tag?: string");
  // The cursor is in the name.
  expect(service.signatureHelp(path, offset - 16)).toBeNull();
});

test("shows the value that an annotation takes", () => {
  const { service, path, offset } = openMarked(shopAt("api.ridl", "items/{"));
  expect(service.signatureHelp(path, offset)?.label).toBe(
    '@get:"/path/{field}?field"',
  );
  expect(service.signatureHelp(path, 0)).toBeNull();
});
