import { expect, test } from "vitest";
import { importOpenapi } from "../../tools/import/import-openapi.js";

test("finds the server of a path in another file", () => {
  const path = `servers: [{ url: "https://api.example.com/v2" }]
get: { operationId: getA, responses: { "204": { description: OK } } }
`;
  const documentOf = (item: string): string => `openapi: 3.1.0
info: { title: a, version: 1.0.0 }
paths:
  /a: ${item}
  /b: { get: { operationId: getB, responses: { "204": { description: OK } } } }
`;
  const importFiles = (files: ReadonlyMap<string, string>) =>
    importOpenapi(
      "a.yaml",
      (name) => ({ text: files.get(name) ?? "" }),
      "a",
    ).documents?.get("a.ridl");
  const inline = documentOf(`{ ${path.trim().replace("\n", ", ")} }`);
  const imported = importFiles(new Map([["a.yaml", inline]]));
  expect(imported).toContain(`@http:"GET /v2/a 204"`);
  expect(imported).toContain(`@http:"GET /v2/b 204"`);
  const split = documentOf("{ $ref: path.yaml }");
  const files = new Map([
    ["a.yaml", split],
    ["path.yaml", path],
  ]);
  expect(importFiles(files)).toBe(imported);
});
