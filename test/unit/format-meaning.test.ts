import { describe, expect, test } from "vitest";
import { dialects } from "../../generator/4-emit/json-schema/dialects.js";
import { DocumentSchemas } from "../../generator/4-emit/json-schema/document-schemas.js";
import { formats } from "../../generator/ir/text-rule.js";
import { isUrl } from "../../runtime/typescript/values/validation.js";
import { compileSchema } from "../support/compile-schema.js";
import {
  alias,
  contract,
  field,
  host,
  reference,
  scalar,
  struct,
} from "../support/contract-parts.js";

const link = alias("Link", scalar("string"), { format: "uri" });
const written = contract(
  [
    link,
    struct("InAlias", [field("value", reference("Link"))]),
    struct("InField", [
      field("value", scalar("string"), { constraints: { format: "uri" } }),
    ]),
    struct("WithPattern", [
      field("value", scalar("string"), {
        constraints: { format: "uri", pattern: "" },
      }),
    ]),
    struct("WithLength", [
      field("value", reference("Link"), { constraints: { maxLength: 99 } }),
    ]),
  ],
  [host("shop", [])],
);

const { faults, samples } = formats.uri;
const texts = [...samples, ...faults, "", "a", "http://", "ftp://a.io/"];

describe.each(Object.entries(dialects))("a URL in %s", (_, each) => {
  const dialect = { ...each, root: "#/$defs/" };
  const schemas = new DocumentSchemas(
    written,
    [],
    { int64: "bigint" },
    dialect,
  );
  const structs = ["InAlias", "InField", "WithPattern", "WithLength"];
  structs.forEach((name) => schemas.type(name));
  const document = { $defs: schemas.referred() };

  test.each(structs)("is what servers accept: %s", (name) => {
    const fits = compileSchema(document, name);
    expect(texts.filter((value) => fits({ value }))).toEqual(
      texts.filter(isUrl),
    );
    expect(texts.filter(isUrl)).toEqual(samples);
  });
});
