import { expect, test } from "vitest";
import { DocumentStore } from "../../tools/editor/service/workspace/document-store.js";

const path = "types.ridl";
const types = ["A", "B", "C", "D", "E", "F"]
  .map((name) => `struct ${name}\n  - id: string\n`)
  .join("\n");

/** Creates a store of one document that is not open. */
function openClosed() {
  let text = `webrpc = v1\n\n${types}`;
  const store = new DocumentStore([path], { read: () => text });
  const read = () =>
    store.workspace.documentAt(path) ?? expect.unreachable(path);
  return {
    read,
    change: (from: string, to: string) => {
      text = text.replace(from, to);
      store.reload(path);
    },
  };
}

test("parses only the changed part of a document that is not open", () => {
  const { change, read } = openClosed();
  const { items } = read().syntax;
  change("struct F", "struct Last");
  const changed = read().syntax.items;
  expect(changed.at(-1)).toMatchObject({ name: { text: "Last" } });
  for (const at of [0, 1, 2, 3]) expect(changed[at]).toBe(items[at]);
});

test("keeps a document that is read again without a change", () => {
  const { change, read } = openClosed();
  const before = read();
  change("", "");
  expect(read()).toBe(before);
});
