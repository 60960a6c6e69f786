import { expect, test } from "vitest";
import { loadDocuments } from "../../generator/1-parse/load/load-documents.js";
import { compileContract } from "../../generator/compile.js";

const texts = new Map([
  ["schema/api.ridl", 'webrpc = v1\nimport "types.ridl"\nimport "gone.ridl"\n'],
  ["schema/types.ridl", "webrpc = v1\nstruct User\n  - id: uint64\n"],
]);

/** Loads the documents and records the reads. */
function load(known?: ReturnType<typeof loadDocuments>) {
  const reads: string[] = [];
  const read = (path: string): string | null => {
    reads.push(path);
    return texts.get(path) ?? null;
  };
  return {
    documents: loadDocuments(["./schema/api.ridl"], { read }, known),
    reads,
  };
}

test("loads imported documents, and null for missing ones", () => {
  const { documents, reads } = load();
  expect(reads).toEqual([
    "schema/api.ridl",
    "schema/types.ridl",
    "schema/gone.ridl",
  ]);
  expect([...documents.keys()]).toEqual(reads);
  expect(documents.get("schema/gone.ridl")).toBeNull();
});

test("neither reads nor parses a known document", () => {
  const first = load().documents;
  const known = new Map(first);
  known.delete("schema/api.ridl");
  const { documents, reads } = load(known);
  expect(reads).not.toContain("schema/types.ridl");
  expect(reads).toContain("schema/api.ridl");
  expect(documents.get("schema/types.ridl")).toBe(
    first.get("schema/types.ridl"),
  );
});

test("does not read paths that can only be folders", () => {
  const reads: string[] = [];
  const read = (path: string): string => {
    reads.push(path);
    return 'webrpc = v1\nimport ""\nimport ".."\n';
  };
  loadDocuments(["a/b.ridl"], { read });
  expect(reads).toEqual(["a/b.ridl"]);
});

test("reports why a reader cannot read an import", () => {
  const { diagnostics } = compileContract(["schema/api.ridl"], {
    read: (path) => texts.get(path) ?? null,
    faultOf: (path) => (path === "schema/gone.ridl" ? "it is a folder" : null),
  });
  expect(diagnostics).toMatchObject([
    {
      code: "file-access",
      message:
        "imported file `schema/gone.ridl` cannot be read: it is a folder",
    },
  ]);
});
