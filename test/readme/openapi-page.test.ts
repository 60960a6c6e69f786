import { expect, test } from "vitest";
import { parse } from "yaml";
import { compileSchema } from "../support/compile-schema.js";
import { generate, textOf } from "./program.js";

const page = "docs/openapi.md";

test("docs/openapi.md shows part of the generated document", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const text = sandbox.read("generated/openapi.yaml");
  expect(text).toContain(textOf(page, "openapi.yaml"));
  expect(parse(text)).toMatchObject({
    servers: [{ url: "https://shop.example.com" }],
  });
  const schema = JSON.parse(sandbox.read("generated/schema.json"));
  const isRequest = compileSchema(schema, "GetBookRequest");
  expect(isRequest({ isbn: "1" })).toBe(true);
  expect(isRequest({ isbn: 1 })).toBe(false);
});
