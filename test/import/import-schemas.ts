import { importOpenapi } from "../../tools/import/import-openapi.js";

/** Imports schemas, of which some are the responses of operations. */
export function importSchemas(schemas: string, used: readonly string[]) {
  const paths = used.map(
    (name) => `
  /${name}:
    get:
      responses:
        "200":
          description: OK
          content: { application/json: { schema: { $ref: "#/components/schemas/${name}" } } }`,
  );
  const text = `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:${paths.join("")}
components:
  schemas:${schemas}`;
  return readImport(importOpenapi("a.yaml", () => ({ text }), "a"));
}

/** Returns the RIDL and the notes of an import. */
export function readImport({
  diagnostics,
  documents,
}: ReturnType<typeof importOpenapi>) {
  return {
    ridl: documents?.get("a.ridl") ?? "",
    notes: diagnostics.map(
      ({ code, message, notes = [] }) =>
        `${code} ${/`(#.*)`/u.exec(notes[0] ?? "")?.[1]}: ${message}`,
    ),
  };
}

/** Returns the variants of a union with the values of a field. */
export function tagsIn(
  ridl: string,
  union: string,
  tag: string,
): readonly string[] {
  const pattern = `^type ${union}: any\n  \\+ oneOf = (.*)`;
  const names = new RegExp(pattern, "mu").exec(ridl)?.[1] ?? "";
  return names.split("|").map((name) => {
    const body = new RegExp(`^struct ${name}\n((?: .*\n)*)`, "mu").exec(ridl);
    const field = `- ${tag}: string\n(?:    \\+ .*\n)*?    \\+ enum = (.*)`;
    return new RegExp(field, "u").exec(body?.[1] ?? "")?.[1] ?? "any";
  });
}
