import { expect, test } from "vitest";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import { countSteps } from "../support/count-steps.js";

/** Writes a document with two hosts, whose operations all have types of their own. */
function writeDocument(count: number): string {
  const reference = (name: string) => ({
    $ref: `#/components/schemas/${name}`,
  });
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) {
    const item = `Item${index}`;
    schemas[item] = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", maxLength: 10 },
        next: reference(`Item${(index * 7 + 1) % count}`),
        kind: { type: "string", enum: ["a", `kind-${index}`] },
      },
    };
    schemas[`Full${index}`] = {
      allOf: [reference(item), { properties: { note: { type: "string" } } }],
    };
    // The variants cannot be told apart, so the union is simplified.
    schemas[`Either${index}`] = {
      oneOf: [reference(item), reference(`Full${index}`)],
    };
    const content = (name: string) => ({
      content: { "application/json": { schema: reference(name) } },
    });
    const operation = {
      operationId: `change${index}`,
      tags: [`Tag${index % 5}`],
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
      ],
      requestBody: { required: true, ...content(`Either${index}`) },
      responses: {
        200: { description: "OK", ...content(`Full${index}`) },
        404: { description: "Not found", ...content("Item0") },
      },
    };
    const servers = [{ url: "https://other.example" }];
    paths[`/items${index}/{id}`] = {
      post: index % 2 === 0 ? operation : { ...operation, servers },
    };
  }
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Large", version: "1" },
    servers: [{ url: "https://main.example" }],
    paths,
    components: { schemas },
  });
}

test("an import of twice as many operations at most doubles the work", () => {
  const stepsOf = (count: number): number => {
    const text = writeDocument(count);
    return countSteps(() => {
      const { documents } = importOpenapi("a.json", () => ({ text }), "a");
      expect(documents?.size).toBe(3);
    });
  };
  const single = stepsOf(20);
  const double = stepsOf(40);
  expect(single).toBeGreaterThan(1000);
  expect(double).toBeLessThan(single * 2.2);
});
