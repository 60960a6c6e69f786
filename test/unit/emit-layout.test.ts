import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import type {
  EmitOptions,
  Emitter,
} from "../../generator/4-emit/emitter/emitter.js";
import { compatEmitter } from "../../generator/4-emit/typescript/compat/compat.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { clientEmitter } from "../../generator/4-emit/typescript/client/client.js";
import { indexEmitter } from "../../generator/4-emit/typescript/index/index-file.js";
import { serverEmitter } from "../../generator/4-emit/typescript/server/server.js";
import { contractArbitrary } from "./emit-layout-contracts.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "date",
  runtime: "import",
  importExtension: ".js",
};

const javascript: EmitOptions = {
  ...options,
  language: "javascript",
  nullAsEmpty: true,
};

async function expectCanonical(
  emitters: readonly Emitter[],
  chosen: EmitOptions,
  numRuns = 30,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(contractArbitrary, async (contract) => {
      for (const emitter of emitters) {
        for (const { path, text } of emitter.emit(contract, chosen)) {
          expect(text).toBe(await format(text, { filepath: path }));
        }
      }
    }),
    { numRuns },
  );
}

for (const emitter of [clientEmitter, serverEmitter, indexEmitter]) {
  test(`${emitter.name}: Prettier changes nothing, whatever the lengths of names`, () =>
    expectCanonical([emitter], options));
}

test("JavaScript and declarations: Prettier changes nothing", () =>
  expectCanonical([...emitters, compatEmitter], javascript, 10));
