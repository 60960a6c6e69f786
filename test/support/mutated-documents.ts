import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const folders = ["../diagnostics", "../../schema"].map((path) =>
  join(import.meta.dirname, path),
);
const texts = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".ridl") && statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8")),
);

/**
 * Words and punctuation from the documents. Random combinations of them are
 * often almost valid.
 */
const tokens = texts.flatMap((text) =>
  text.split(/(\n|\s+|[()<>,:|"@])/).filter((token) => token !== ""),
);

/**
 * A document from the repository with some tokens replaced, removed, or
 * inserted.
 */
export const mutatedDocument: fc.Arbitrary<string> = fc
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
