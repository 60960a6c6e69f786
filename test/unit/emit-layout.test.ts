import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter.js";
import { clientEmitter } from "../../generator/4-emit/typescript/client/client.js";
import { indexEmitter } from "../../generator/4-emit/typescript/client/index-file.js";
import { serverEmitter } from "../../generator/4-emit/typescript/server/server.js";
import { contractArbitrary } from "./emit-layout-contracts.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "date",
  runtime: "import",
  importExtension: ".js",
};

for (const emitter of [clientEmitter, serverEmitter, indexEmitter]) {
  test(`${emitter.name}: Prettier changes nothing, however long the names`, async () => {
    await fc.assert(
      fc.asyncProperty(contractArbitrary, async (contract) => {
        for (const { path, text } of emitter.emit(contract, options)) {
          expect(text).toBe(await format(text, { filepath: path }));
        }
      }),
      { numRuns: 30, seed: 20250101 },
    );
  });
}
