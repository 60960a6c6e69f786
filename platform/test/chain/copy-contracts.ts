import { readFileSync } from "node:fs";

import { isRecord } from "@ridlkit/runtime/validation";
import { isHex } from "viem";

import { printArtifact } from "./print-artifact.js";

/** The package with the compiled marketplace contract, Seaport 1.6. */
const packageName = "@opensea/seaport-js";

const forwarderPath =
  "@openzeppelin/contracts/build/contracts/ERC2771Forwarder.json";

/**
 * The parts of Seaport to copy: the name of the constant and the path of the
 * code.
 */
const seaportContracts = {
  seaport: "Seaport.sol/Seaport.json",
  conduitController:
    "conduit/ConduitController.sol/LocalConduitController.json",
};

/**
 * Copies contracts as compiled by their authors.
 *
 * Input: loads modules from installed packages. Returns the content of each file
 * by name.
 */
export function copyContracts(
  load: NodeJS.Require,
): ReadonlyMap<string, string> {
  return new Map([...copySeaport(load), ["forwarder.ts", copyForwarder(load)]]);
}

/** Copies Seaport along with its license. */
function copySeaport(load: NodeJS.Require): ReadonlyMap<string, string> {
  const read = (path: string): string =>
    readFileSync(load.resolve(`${packageName}/${path}`), "utf8");
  const codes = Object.entries(seaportContracts).map(([name, path]) => {
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

/** Copies the ERC-2771 forwarder. */
function copyForwarder(load: NodeJS.Require): string {
  const artifact: unknown = load(forwarderPath);
  const { abi, bytecode } = isRecord(artifact) ? artifact : {};
  const origin = "Copied from @openzeppelin/contracts (MIT license)";
  const names = { name: "ERC2771Forwarder", constant: "forwarder" };
  return printArtifact({ origin, ...names, abi, bytecode });
}
