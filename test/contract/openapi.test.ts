import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";

import { jsonSchemaEmitter } from "../../generator/4-emit/json-schema/json-schema.js";
import { openapiEmitter } from "../../generator/4-emit/openapi/openapi.js";
import type { Method } from "../../generator/ir/contract.js";
import { methodsOf } from "../../generator/ir/methods-of.js";
import { compileSchema } from "../support/compile-schema.js";
import { readPlatformContract } from "./platform-contract.js";
import { samples } from "./samples.js";

const contract = readPlatformContract();
const methods = methodsOf(contract.hosts.flatMap(({ services }) => services));
const options = {
  int64: "bigint",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
} as const;

/** The parsed OpenAPI documents of all hosts, by the folder of the host. */
const documents = new Map(
  openapiEmitter
    .with({ format: "json" })
    .emit(contract, options)
    .map(({ path, text }) => [path.split("/")[0] ?? "", JSON.parse(text)]),
);

describe.each([...documents])("OpenAPI of %s", (folder, document) => {
  it("is valid", async () => {
    expect(await new Validator().validate(document)).toMatchObject({
      valid: true,
    });
  });

  it("contains every method", () => {
    const host = contract.hosts.find(({ name }) => name === folder);
    const described = [document.paths ?? {}, document.webhooks ?? {}]
      .flatMap((paths) => Object.values(Object(paths)))
      .flatMap((operations) => Object.values(Object(operations)))
      .flatMap((operation) => Object(operation).operationId ?? []);
    expect(described).toHaveLength(methodsOf(host?.services ?? []).length);
    expect(new Set(described).size).toBe(described.length);
  });
});

describe("OpenAPI 3.0", () => {
  const [file] = openapiEmitter
    .with({ format: "json", merge: true, version: "3.0" })
    .emit(contract, options);
  const document = JSON.parse(file?.text ?? "");

  it("is valid", async () => {
    expect(document.openapi).toBe("3.0.3");
    expect(await new Validator().validate(document)).toMatchObject({
      valid: true,
    });
  });

  it("contains no keywords of later versions", () => {
    const keys = new Set<string>();
    JSON.stringify(document.components.schemas, (key, value) => {
      keys.add(key);
      return value;
    });
    const later = ["const", "$defs", "propertyNames", "contentEncoding"];
    expect(later.filter((key) => keys.has(key))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('"null"');
  });
});

it("OpenAPI without webhooks leaves out their schemas", () => {
  const files = openapiEmitter
    .with({ format: "json", webhooks: false })
    .emit(contract, options);
  for (const { text } of files) {
    const { paths, tags, webhooks } = JSON.parse(text);
    expect(webhooks).toBeUndefined();
    expect(tags.length).toBeLessThanOrEqual(Object.keys(paths).length);
    expect(text).not.toContain("webhook-event");
  }
});

describe("JSON Schema of the platform", () => {
  const schemas = jsonSchemaEmitter
    .emit(contract, options)
    .map(({ text }) => JSON.parse(text));

  it.each(Object.entries(samples))(
    "accepts the sample of %s, and rejects a list",
    (title, sample) => {
      const method = methods.find((each) => title === fullName(each));
      const names = [
        method?.request.struct ?? `${method?.name}Request`,
        method?.response.struct ?? `${method?.name}Response`,
      ];
      const schema = schemas.find(({ $defs }) =>
        names.every((each) => Object.hasOwn($defs, each)),
      );
      const fits = compileSchema(schema, ...names);
      const values = [sample.request, sample.response, []].map(asNumbers);
      expect(values.map(fits)).toEqual([true, true, false]);
    },
  );
});

function fullName({ name, service }: Method): string {
  return `${service}.${name}`;
}

/** Returns JSON as ajv reads it, with large integers rounded. */
function asNumbers(value: unknown): unknown {
  const text = JSON.stringify(value, (_, each) =>
    typeof each === "bigint" ? Number(each) : each,
  );
  return JSON.parse(text);
}
