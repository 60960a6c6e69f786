import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { isRecord } from "@ridlkit/runtime/validation";

import { copyContracts } from "./copy-contracts.js";
import { printArtifact } from "./print-artifact.js";

/** The folder of the contracts, relative to the root of the repository. */
const contractFolder = "platform/chain/contracts";

/** Compiler settings that give the same output on every machine. */
const settings = {
  evmVersion: "cancun",
  // Gas is free on embedded chains, and compiling is three times as fast
  // without optimization.
  optimizer: { enabled: false },
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

/** The compiler. */
interface Solc {
  compile(
    input: string,
    options: {
      readonly import: (path: string) => { readonly contents: string };
    },
  ): string;
}

/**
 * Creates the content of `platform/chain/artifacts`. It compiles the contracts
 * in `platform/chain/contracts`, one per file, and copies contracts from the
 * packages of that folder.
 *
 * Input: the root of the repository.
 * Returns the content of each file by name.
 * Errors: Error with the compiler's errors and warnings.
 */
export function makeArtifacts(root: string): ReadonlyMap<string, string> {
  const folder = pathToFileURL(resolve(root, contractFolder));
  const require = createRequire(`${folder}/`);
  return new Map([
    ...compileContracts(root, require),
    ...copyContracts(require),
  ]);
}

function compileContracts(
  root: string,
  require: NodeJS.Require,
): ReadonlyMap<string, string> {
  const files = readdirSync(`${root}/${contractFolder}`)
    .filter((file) => file.endsWith(".sol"))
    .sort();
  const sources = Object.fromEntries(
    files.map((file) => [
      file,
      { content: readFileSync(`${root}/${contractFolder}/${file}`, "utf8") },
    ]),
  );
  const input = { language: "Solidity", sources, settings };
  const output = compile(input, require);
  return new Map(
    files.map((file) => {
      const name = basename(file, ".sol");
      const contract = memberOf(memberOf(output["contracts"], file), name);
      const bytecode = memberOf(
        memberOf(memberOf(contract, "evm"), "bytecode"),
        "object",
      );
      const text = printArtifact({
        origin: `Compiled from contracts/${file}`,
        name,
        abi: memberOf(contract, "abi"),
        bytecode: `0x${String(bytecode)}`,
      });
      return [`${fileNameOf(name)}.ts`, text];
    }),
  );
}

function compile(
  input: object,
  require: NodeJS.Require,
): Record<string, unknown> {
  const solc: Solc = require("solc");
  // Resolves imports such as `@openzeppelin/contracts/access/Ownable.sol`.
  const read = (path: string): { readonly contents: string } => ({
    contents: readFileSync(require.resolve(path), "utf8"),
  });
  const output: unknown = JSON.parse(
    solc.compile(JSON.stringify(input), { import: read }),
  );
  if (!isRecord(output)) throw new Error("solc returned unexpected output");
  if (output["errors"] === undefined) return output;
  throw new Error(JSON.stringify(output["errors"], null, 2));
}

function memberOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** Returns a contract's file name, e.g. `fixture-coin` for `FixtureCoin`. */
function fileNameOf(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/gu, "-$&").toLowerCase();
}
