import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { printOpenapi } from "../../generator/4-emit/openapi/openapi.js";
import { compileContract } from "../../generator/compile.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";

const schema = join(
  import.meta.dirname,
  "../golden/fixtures/event-streams/schema.ridl",
);

function print(version: "3.1" | "3.2"): string {
  const text = readFileSync(schema, "utf8");
  const { value } = compileContract(["a.ridl"], { read: () => text });
  if (value === null) throw new Error("the contract has errors");
  const options = {
    ...({ int64: "number", timestamp: "string" } as const),
    ...({ runtime: "import", importExtension: ".js" } as const),
  };
  const setting = { format: "json", version } as const;
  return printOpenapi(value, value.hosts, options, setting);
}

/** Returns the media type of the successful response of an operation. */
function mediaOf(text: string, verb: string, path: string): unknown {
  const { responses } = JSON.parse(text).paths[path][verb];
  const [media] = Object.values(
    Object(responses["201"] ?? responses["200"]).content,
  );
  return media;
}

test("OpenAPI 3.2 is valid, and describes the items of streams", async () => {
  const text = print("3.2");
  const document = JSON.parse(text);
  expect(document.openapi).toBe("3.2.0");
  expect(await new Validator().validate(document)).toMatchObject({
    valid: true,
  });
  expect(mediaOf(text, "post", "/answers")).toEqual({
    itemSchema: {
      type: "object",
      properties: {
        data: {
          type: "string",
          contentMediaType: "application/json",
          contentSchema: { $ref: "#/components/schemas/AskResponse" },
        },
        event: { type: "string" },
      },
      required: ["data"],
    },
  });
  const lines = Object(mediaOf(print("3.1"), "post", "/rpc/Prices/Follow"));
  expect(mediaOf(text, "post", "/rpc/Prices/Follow")).toEqual({
    itemSchema: lines.schema,
  });
});

test("OpenAPI 3.2 differs from 3.1 only in streams", () => {
  const streams = /^(?:application\/x-ndjson|text\/event-stream)$/u;
  const contentOf = (text: string): string =>
    JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      streams.test(key) || key === "openapi" ? null : value,
    );
  const text = contentOf(print("3.2"));
  expect(text).not.toContain("itemSchema");
  expect(text).toBe(contentOf(print("3.1")));
});

test("an import of OpenAPI 3.2 has the same streams as one of 3.1", () => {
  const ridlOf = (text: string): string | undefined =>
    importOpenapi("a.json", () => ({ text }), "a").documents?.get("a.ridl");
  const ridl = ridlOf(print("3.2"));
  expect(ridl).toBe(ridlOf(print("3.1")));
  expect(ridl?.match(/=> stream/gu)).toHaveLength(2);
});
