import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkContract } from "../../generator/2-check/index.js";
import { lowerContract } from "../../generator/3-lower/index.js";
import { catalogue } from "../../generator/diagnostics/catalogue.js";
import { createIndex } from "../../generator/ir/resolve.js";
import { toSchemaJson } from "../../generator/schema-json/index.js";

/** Fixed, so that a failure can be run again; fast-check prints it. */
const SEED = 20261120;

const folders = ["../diagnostics", "../../schema"].map((path) =>
  join(import.meta.dirname, path),
);
const texts = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ridl") && statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8")),
);

/** Words and marks of the documents: recombined, they nearly make sense. */
const tokens = texts.flatMap((text) =>
  text.split(/(\n|\s+|[()<>,:|"@])/).filter((token) => token !== ""),
);

/** A document in which some tokens are others, missing, or doubled. */
const mutated = fc
  .record({
    text: fc.constantFrom(...texts),
    edits: fc.array(
      fc.record({
        at: fc.nat(),
        take: fc.nat(3),
        put: fc.array(fc.constantFrom(...tokens), { maxLength: 3 }),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ text, edits }) => {
    const parts = text.split(/(\n|\s+|[()<>,:|"@])/);
    for (const { at, take, put } of edits) {
      parts.splice(at % (parts.length + 1), take, ...put);
    }
    return parts.join("");
  });

test("no document makes check throw, and what passes can be lowered", () => {
  fc.assert(
    fc.property(mutated, mutated, (a, b) => {
      const files: Record<string, string> = { "a.ridl": a, "common.ridl": b };
      const { value, diagnostics } = checkContract(["a.ridl"], {
        read: (path) => files[path] ?? null,
      });
      for (const { code } of diagnostics)
        expect(catalogue).toHaveProperty(code);
      if (diagnostics.some(({ severity }) => severity === "error")) return;
      const contract = lowerContract(value);
      const index = createIndex(contract);
      for (const type of contract.types) {
        const reference = { kind: "reference", name: type.name } as const;
        index.constraintsOf(reference);
        expect(index.resolve(reference)).toBeDefined();
      }
      for (const host of value.hosts) toSchemaJson(value, host);
    }),
    { seed: SEED, numRuns: 1500 },
  );
});
