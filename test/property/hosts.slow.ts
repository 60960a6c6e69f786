import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { schemasEmitter } from "../../generator/4-emit/typescript/schemas/schemas.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { Contract } from "../../generator/ir/contract.js";
import { omitUnused } from "../../generator/values/filter-contract.js";
import { FailureReport } from "../../runtime/typescript/values/validation.js";
import type { Schema } from "../../runtime/typescript/wire/schema.js";
import { arbitraryHosts } from "../support/arbitrary-hosts.js";
import { valueFor } from "../support/arbitrary-types.js";
import { connectEmitted } from "../support/connect-emitted.js";
import { domainOf } from "../support/domain-value.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";
import { stringifyJson } from "../../runtime/typescript/wire/json.js";

const plain: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

const choices: readonly EmitOptions[] = [
  plain,
  { ...plain, int64: "bigint", timestamp: "date", language: "javascript" },
];

function emit(contract: Contract, options: EmitOptions): readonly OutputFile[] {
  return emitContract(contract, [...emitters, schemasEmitter], options, {
    runtimeSources: new Map(),
  });
}

/** Hosts with values in wire form for each of their methods. */
const contractAndValues = arbitraryHosts.chain((contract) =>
  fc.record({
    contract: fc.constant(contract),
    calls: fc.tuple(
      ...methodsOf(contract).map(({ request }) =>
        fc.array(valueFor(contract, request.fields), {
          minLength: 4,
          maxLength: 4,
        }),
      ),
    ),
  }),
);

function methodsOf({ hosts }: Contract) {
  return hosts.flatMap(({ services }) =>
    services.flatMap(({ methods }) => methods),
  );
}

const echo = (request: unknown): unknown => request;

/** Handlers that return their argument. */
const handler = {
  ...{ send: echo, hold: echo, holdAgain: echo },
  askWhetherSomebodyIsThereAndAnswersAtAll: echo,
};

function exportedSchema(exports: Exports, name: string) {
  const schema = exports[name] as Schema<unknown>;
  return schema["~standard"];
}

describe("hosts that share structs", () => {
  it.each(choices)(
    "exchange values with their clients without changing them: %o",
    async (chosen) => {
      let answered = 0;
      const property = fc.asyncProperty(
        contractAndValues,
        async ({ contract, calls }) => {
          const files = emit(contract, chosen);
          const modules = files.filter(({ path }) =>
            /(?:client|schemas|server|validators)\.[jt]s$/u.test(path),
          );
          const exports = await importEmitted(
            files,
            modules.map(({ path }) => `export * from "/${path}";`),
          );
          const hasAny = stringifyJson(omitUnused(contract)).includes('"any"');
          const { names } = createPlan(contract, chosen);
          for (const [at, method] of methodsOf(contract).entries()) {
            const { service } = method;
            const handlers = { [service.toLowerCase()]: handler };
            const client = connectEmitted(exports, service, handlers);
            const { fields } = method.request;
            const { property, request } = names.method(method);
            const call = exportedFunction(client, property);
            if (fields.length === 0) continue;
            const check = exportedFunction(exports, `check${request}`);
            const schema = exportedSchema(exports, names.schema(request));
            for (const wire of calls[at] ?? []) {
              const report = new FailureReport({
                dropsNulls: true,
                isRequest: true,
              });
              check(structuredClone(wire), report);
              const text = JSON.stringify(wire);
              const result = schema.validate(wire);
              if (!result.issues)
                expect(schema.validate(result.value), text).toEqual(result);
              // In a value of type `any`, a large integer may be a bigint.
              const isVague = hasAny && /[0-9]{16}/u.test(text);
              if (report.failures.length > 0 || isVague) continue;
              const sent = domainOf(contract, chosen, fields, wire);
              expect(await call(sent), text).toEqual(sent);
              for (const form of [wire, sent]) {
                const given = structuredClone(form);
                expect(schema.validate(form), text).toEqual({ value: sent });
                expect(form).toEqual(given);
              }
              answered += 1;
            }
          }
        },
      );
      await fc.assert(property, { numRuns: 60 });

      expect(answered).toBeGreaterThan(12);
    },
  );

  it("have code in Prettier's format", async () => {
    const javascript: EmitOptions = { ...plain, language: "javascript" };
    const property = fc.asyncProperty(arbitraryHosts, async (contract) => {
      for (const chosen of [...choices, javascript]) {
        for (const { path, text } of emit(contract, chosen)) {
          if (!/\.[jt]s$/u.test(path)) continue;
          expect(text).toBe(await format(text, { filepath: path }));
        }
      }
    });
    await fc.assert(property, { numRuns: 8 });
  });
});
