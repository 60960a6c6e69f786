import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { isRecord } from "@ridlkit/runtime/validation";
import { isHex } from "viem";

/** The package with the compiled marketplace contract, Seaport 1.6. */
const packageName = "@opensea/seaport-js";

/** The contracts to copy: the name of the constant and the path of the code. */
const contracts = {
  seaport: "Seaport.sol/Seaport.json",
  conduitController:
    "conduit/ConduitController.sol/LocalConduitController.json",
};

/**
 * Copies Seaport as compiled by its authors, along with its license.
 *
 * Returns the content of each file by name.
 */
export function copySeaport(): ReadonlyMap<string, string> {
  const require = createRequire(import.meta.url);
  const read = (path: string): string =>
    readFileSync(require.resolve(`${packageName}/${path}`), "utf8");
  const codes = Object.entries(contracts).map(([name, path]) => {
    const artifact: unknown = JSON.parse(
      read(`src/artifacts/seaport/contracts/${path}`),
    );
    const code = isRecord(artifact) ? artifact["bytecode"] : null;
    if (!isHex(code)) throw new Error(`${packageName}: no ${path}`);
    return `/** Code of ${path}. */\nexport const ${name}Code =\n  "${code}";\n`;
  });
  return new Map([
    [
      "seaport.ts",
      `// Copied from ${packageName}, whose license is in seaport-license.txt. Do not edit.\n` +
        codes.join("\n"),
    ],
    ["seaport-license.txt", read("LICENSE")],
  ]);
}
