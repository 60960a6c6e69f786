import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createExplorerData } from "../../generator/4-emit/docs/create-data.js";
import { httpFileEmitter } from "../../generator/4-emit/http-file/http-file.js";
import { openapiEmitter } from "../../generator/4-emit/openapi/openapi.js";
import { codecsEmitter } from "../../generator/4-emit/typescript/codecs/codecs.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { render } from "../../generator/4-emit/typescript/text/format.js";
import { objectOf } from "../../generator/4-emit/typescript/text/shapes.js";
import { validatorsEmitter } from "../../generator/4-emit/typescript/validators/validators.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type {
  Contract,
  Constraints,
  Field,
} from "../../generator/ir/contract.js";
import { scalarNames } from "../../generator/ir/scalars.js";
import { methodsOf } from "../../generator/ir/methods-of.js";
import { sampleEntries } from "../../tools/package/readme-examples.js";
import { extremesOf } from "../../generator/values/extremes.js";
import { type Json, writeJson } from "../../generator/values/json.js";
import { Sampler } from "../../generator/values/sampler.js";
import { valuesOf } from "../../generator/values/value.js";
import {
  parseJson,
  stringifyJson,
} from "../../runtime/typescript/wire/json.js";
import { FailureReport } from "../../runtime/typescript/values/validation.js";
import { readPlatformContract } from "../contract/platform-contract.js";
import { arbitraryContract } from "../support/arbitrary-types.js";
import { compileSchema } from "../support/compile-schema.js";
import {
  alias,
  contract,
  enumeration,
  field,
  host,
  list,
  message,
  method,
  reference,
  scalar,
  service,
} from "../support/contract-parts.js";
import { goldenCases } from "../support/golden-cases.js";
import { exportedFunction, runEmitted } from "../support/run-emitted.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const choices: readonly EmitOptions[] = [
  options,
  { ...options, int64: "number", timestamp: "date" },
];

/** Returns the failures of the request `Send`. Input: JSON text. */
function failuresIn(
  subject: Contract,
  text: string,
  chosen = options,
): readonly unknown[] {
  const code = validatorsEmitter.emit(subject, chosen)[0]?.text ?? "";
  const check = exportedFunction(runEmitted(code), "checkSendRequest");
  const report = new FailureReport();
  check(parseJson(text), report);
  return report.failures;
}

function requestOf(subject: Contract): readonly Field[] {
  return subject.hosts[0]?.services[0]?.methods[0]?.request.fields ?? [];
}

/** Returns a contract whose request has one field. */
function withField(subject: Field): Contract {
  const request = message([subject]);
  const send = method("Arbitrary", "Send", {
    request,
    response: message([]),
  });
  return contract([], [host("arbitrary", [service("Arbitrary", [send])])]);
}

describe("samples of random contracts", () => {
  it("are valid requests, whether they contain optional fields or not", () => {
    const verdicts = { valid: 0, none: 0 };
    const property = fc.property(
      arbitraryContract,
      fc.boolean(),
      fc.constantFrom(...choices),
      (subject, isWhole, chosen) => {
        const sampler = new Sampler(subject, chosen, () => isWhole);
        const { isValid, json } = sampler.message(requestOf(subject));
        verdicts[isValid ? "valid" : "none"] += 1;
        if (!isValid) return;
        const text = writeJson(json);
        expect(failuresIn(subject, text, chosen), text).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: 300 });
    expect(verdicts.valid).toBeGreaterThan(9 * verdicts.none);
  });

  it("are what the README, request files and explorer show", () => {
    const property = fc.property(arbitraryContract, (subject) => {
      const fields = requestOf(subject);
      const { isValid, json } = new Sampler(
        subject,
        options,
        () => false,
      ).message(fields);
      fc.pre(isValid);
      const [file] = httpFileEmitter.emit(subject, options);
      const [, body = ""] = file?.text.split("application/json\n\n") ?? [];
      expect(parseJson(body)).toEqual(parseJson(writeJson(json)));

      const data = createExplorerData(subject, options, {});
      const [shown] = data.hosts[0]?.services[0]?.methods ?? [];
      expect(shown?.request?.example ?? "{}").toBe(writeJson(json));

      // The README's code, as the client sends it.
      const plan = createPlan(subject, options);
      const [call] = methodsOf(plan.hosts[0]?.services ?? []);
      const planned = call?.request.object.fields ?? [];
      const code = render(objectOf(sampleEntries(plan, planned)));
      const codecs = runEmitted(
        codecsEmitter.emit(subject, options)[0]?.text ?? "",
      );
      const value: unknown = new Function(`return ${code};`)();
      const encoded =
        "encodeSendRequest" in codecs
          ? exportedFunction(codecs, "encodeSendRequest")(value)
          : value;
      expect(failuresIn(subject, stringifyJson(encoded)), code).toEqual([]);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe("extremes", () => {
  const limits: fc.Arbitrary<readonly [Constraints, Constraints]> = fc.tuple(
    fc.constantFrom<Constraints>(
      {},
      { minimum: 2 },
      { minimum: -3, maximum: 7 },
      { maximum: 1e15 },
    ),
    fc.constantFrom<Constraints>(
      {},
      { minLength: 3, maxLength: 12 },
      { minLength: 1, pattern: "^[a-f]*$" },
      { maxLength: 6, pattern: "^\\d{2,}$" },
      { format: "uri" },
      { format: "uri", maxLength: 30 },
    ),
  );

  it.each(scalarNames.filter((name) => name !== "file"))(
    "of %s are valid at the limits and invalid beyond them",
    (name) => {
      const property = fc.property(limits, ([numbers, texts]) => {
        const isText = name === "string";
        const hasNumbers = !["any", "bool", "null", "timestamp"].includes(name);
        const constraints = isText ? texts : hasNumbers ? numbers : {};
        const subject = withField(field("a", scalar(name), { constraints }));
        const value = valuesOf(subject).valueOf(
          requestOf(subject)[0] ?? scalar(name),
        );
        if (value.kind !== "scalar") return expect.unreachable();
        const { beyond, edges, odd } = extremesOf(value);
        const isValid = (each: Json): boolean =>
          failuresIn(subject, writeJson({ a: each })).length === 0;
        expect([...edges, ...odd].filter((each) => !isValid(each))).toEqual([]);
        expect(beyond.filter(isValid)).toEqual([]);
      });
      fc.assert(property, { numRuns: 40 });
    },
  );

  it("are the least, the greatest and the values just beyond", () => {
    const extremesIn = (
      name: "bigint" | "string" | "uint8",
      constraints: Constraints,
    ) => extremesOf({ scalar: name, layers: [constraints] });
    expect(extremesIn("uint8", { maximum: 9 })).toEqual({
      edges: [0n, 9n],
      odd: [],
      beyond: [-1n, 10n, 0.5],
    });
    expect(extremesIn("bigint", { minimum: 5 })).toMatchObject({
      edges: ["5"],
      beyond: expect.arrayContaining(["4", "1.5"]),
    });
    expect(extremesIn("string", { minLength: 2, maxLength: 3 })).toEqual({
      edges: ["aa", "aaa"],
      odd: [],
      beyond: ["a", "aaaa"],
    });
  });
});

describe("a sample", () => {
  const sampleOf = (subject: Field): string | undefined => {
    const sampler = new Sampler(withField(subject), options, () => true);
    const { isValid, json } = sampler.value(subject);
    return isValid ? writeJson(json) : undefined;
  };
  const constraints = (limits: Constraints) => ({ constraints: limits });

  it.each<readonly [Field, unknown]>([
    [
      field("a", scalar("int8"), constraints({ minimum: -9, maximum: -2 })),
      "-2",
    ],
    [field("a", scalar("int8"), constraints({ example: "7" })), "7"],
    [field("a", scalar("int8"), constraints({ example: "700" })), "1"],
    [field("a", scalar("bigint"), constraints({ minimum: 5 })), '"5"'],
    [field("a", list(scalar("uint8")), constraints({ minItems: 3 })), '"AAAA"'],
    [
      field("a", list(scalar("string")), constraints({ minItems: 2 })),
      '["amber","birch"]',
    ],
    [
      field(
        "a",
        list(scalar("bool")),
        constraints({ minItems: 2, uniqueItems: true }),
      ),
      "[true,false]",
    ],
    // There are no such values.
    [
      field(
        "a",
        list(scalar("bool")),
        constraints({ minItems: 3, uniqueItems: true }),
      ),
      undefined,
    ],
    [
      field(
        "a",
        scalar("string"),
        constraints({ pattern: "^a$", minLength: 2 }),
      ),
      undefined,
    ],
    [
      field("a", scalar("int8"), constraints({ minimum: 5, maximum: 4 })),
      undefined,
    ],
    // A regular expression would need hours for this example.
    [
      field(
        "a",
        scalar("string"),
        constraints({ pattern: "^(a+)+$", example: `${"a".repeat(60)}!` }),
      ),
      expect.stringMatching(/^"a+"$/u),
    ],
  ])("of %j is %j", (subject, expected) => {
    expect(sampleOf(subject)).toEqual(expected);
  });

  it("is the example of an enum or an open enum, as in mocks", () => {
    const constraints = { example: "b" };
    const closed = enumeration("Closed", ["a", "b"]);
    const open = alias("Open", scalar("string"), constraints, {
      known: "Closed",
    });
    const subject = contract([closed, open], []);
    const sampler = new Sampler(subject, options, () => true);
    expect(sampler.value(reference("Open")).json).toBe("b");
    const example = field("a", reference("Closed"), { constraints });
    expect(sampler.value(example).json).toBe("b");
    expect(sampler.value(reference("Closed")).json).toBe("a");
  });
});

/** A media type of an OpenAPI document with its example. */
interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

/** Returns the media types in an OpenAPI document, at any depth. */
function mediaIn(value: unknown): readonly Media[] {
  if (typeof value !== "object" || value === null) return [];
  const found = Object.entries(value).flatMap(([key, member]) =>
    key === "content" ? Object.values<Media>(Object(member)) : mediaIn(member),
  );
  return found;
}

/** Returns the items without repetitions of the same JSON. */
function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [
    ...new Map(items.map((each) => [JSON.stringify(each), each])).values(),
  ];
}

/**
 * Checks that the examples of a document match their schemas. Output: the
 * number of different examples.
 */
function checkExamples(subject: Contract, chosen: EmitOptions): number {
  const files = openapiEmitter.with({ format: "json" }).emit(subject, chosen);
  const counts = files.map(({ text }) => {
    const { components, paths, webhooks } = asJsonSchema(text);
    // Many methods have the same error responses.
    const shown = distinct(
      mediaIn([paths, webhooks]).filter(({ example }) => example !== undefined),
    );
    const own = shown.map(({ schema }, at) => [`media-${at}`, schema]);
    const $defs = { ...components.schemas, ...Object.fromEntries(own) };
    const document = { $defs };
    for (const [at, { example }] of shown.entries()) {
      const fits = compileSchema(document, `media-${at}`);
      expect(fits(example), JSON.stringify(example)).toBe(true);
    }
    return shown.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Parses a document without the keywords and formats that ajv does not know. */
function asJsonSchema(text: string) {
  return JSON.parse(
    text.replaceAll("#/components/schemas/", "#/$defs/"),
    (key, value: unknown) => {
      const isFormat = key === "format" && typeof value === "string";
      const isKnown = value === "date-time" || value === "uri";
      const isExtension = key === "x-enum-varnames" && Array.isArray(value);
      const isDiscriminator =
        key === "discriminator" && Object.hasOwn(Object(value), "propertyName");
      const isUnknown = isExtension || isDiscriminator;
      return isUnknown || (isFormat && !isKnown) ? undefined : value;
    },
  );
}

describe("examples in OpenAPI documents", () => {
  it("match their schemas for the platform", () => {
    const count = checkExamples(readPlatformContract(), options);
    expect(count).toBeGreaterThan(40);
  });

  it.each(goldenCases().map(({ name }) => name))(
    "match their schemas for %s",
    (name) => {
      const golden = goldenCases().find((each) => each.name === name);
      if (golden === undefined) return expect.unreachable();
      checkExamples(golden.contract, golden.options);
    },
  );

  it("match their schemas for random contracts", () => {
    fc.assert(
      fc.property(arbitraryContract, (subject) => {
        fc.pre(!stringifyJson(subject).includes('"jsonName":"__proto__"'));
        checkExamples(subject, options);
      }),
      { numRuns: 100 },
    );
  });
});
