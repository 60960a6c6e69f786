import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerContract } from "../../generator/3-lower/index.js";
import { catalog } from "../../generator/diagnostics/catalog.js";
import { createIndex } from "../../generator/values/resolve.js";
import { toSchemaJson } from "../../tools/schema-json/index.js";
import { mutatedDocument } from "../support/mutated-documents.js";
import { checkDocuments } from "../support/check-documents.js";

test("check never throws, and valid documents can be lowered", () => {
  fc.assert(
    fc.property(mutatedDocument, mutatedDocument, (a, b) => {
      const files: Record<string, string> = { "a.ridl": a, "common.ridl": b };
      const { value, diagnostics } = checkDocuments(["a.ridl"], {
        read: (path) => files[path] ?? null,
      });
      for (const { code } of diagnostics) expect(catalog).toHaveProperty(code);
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
    { numRuns: 1500 },
  );
});
