import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

import { isRecord } from "@ridlkit/runtime/validation";
import { type Abi, type AbiParameter, isHex } from "viem";

import { copySeaport } from "./copy-seaport.js";

/** Where the contracts are, from the root of the repository. */
const contractFolder = "platform/chain/contracts";

/** Keep what the compiler makes of a contract the same everywhere. */
const settings = {
  evmVersion: "cancun",
  // Gas is free on chains of our own; compiling takes a third of the time.
  optimizer: { enabled: false },
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

/**
 * Makes the artifacts of `platform/chain/artifacts`: compiles the contracts of
 * `platform/chain/contracts`, one in each file, and copies those of others.
 *
 * Input: the root of the repository.
 * Output: the text of each file, by its name.
 * Errors: Error with what the compiler has against them, warnings included.
 */
export function makeArtifacts(root: string): ReadonlyMap<string, string> {
  return new Map([...compileContracts(root), ...copySeaport()]);
}

function compileContracts(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(`${root}/${contractFolder}`).sort();
  const sources = Object.fromEntries(
    files.map((file) => [
      file,
      { content: readFileSync(`${root}/${contractFolder}/${file}`, "utf8") },
    ]),
  );
  const output = compile({ language: "Solidity", sources, settings });
  return new Map(
    files.map((file) => {
      const name = basename(file, ".sol");
      const contract = memberOf(memberOf(output["contracts"], file), name);
      return [`${fileNameOf(name)}.ts`, printArtifact(file, name, contract)];
    }),
  );
}

function compile(input: object): Record<string, unknown> {
  const require = createRequire(import.meta.url);
  const solc: typeof import("solc") = require("solc");
  // Imports look like `@openzeppelin/contracts/access/Ownable.sol`.
  const read = (path: string): { readonly contents: string } => ({
    contents: readFileSync(require.resolve(path), "utf8"),
  });
  const output: unknown = JSON.parse(
    solc.compile(JSON.stringify(input), { import: read }),
  );
  if (!isRecord(output)) throw new Error("solc answers something else");
  if (output["errors"] === undefined) return output;
  throw new Error(JSON.stringify(output["errors"], null, 2));
}

function memberOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** The text of a module with the ABI, as people write it, and the code. */
function printArtifact(file: string, name: string, contract: unknown): string {
  const abi = memberOf(contract, "abi");
  const code = memberOf(
    memberOf(memberOf(contract, "evm"), "bytecode"),
    "object",
  );
  const bytecode = `0x${String(code)}`;
  if (!isAbi(abi) || !isHex(bytecode)) throw new Error(`${file}: no ${name}`);
  const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const items = abi.map((item) => JSON.stringify(printItem(item)));
  return (
    `// Compiled from contracts/${file}. Do not edit.\n` +
    `import { parseAbi } from "viem";\n\n` +
    `/** The contract \`${name}\`. */\n` +
    `export const ${constant} = {\n` +
    `  abi: parseAbi(${printList(items)}),\n` +
    `  bytecode:\n    "${bytecode}",\n` +
    `} as const;\n`
  );
}

/** On one line if there is but one. */
function printList(items: readonly string[]): string {
  const lines = items.map((item) => `    ${item},\n`);
  return items.length > 1 ? `[\n${lines.join("")}  ]` : `[${items.join("")}]`;
}

function isAbi(value: unknown): value is Abi {
  return Array.isArray(value);
}

function printItem(item: Abi[number]): string {
  switch (item.type) {
    case "constructor":
      return `constructor(${printInputs(item.inputs)})${payable(item)}`;
    case "fallback":
      return `fallback() external${payable(item)}`;
    case "receive":
      return "receive() external payable";
    case "error":
    case "event":
      return `${item.type} ${item.name}(${printInputs(item.inputs)})`;
    case "function": {
      const { name, inputs, outputs, stateMutability } = item;
      const can = stateMutability === "nonpayable" ? "" : ` ${stateMutability}`;
      const answers =
        outputs.length === 0 ? "" : ` returns (${printInputs(outputs)})`;
      return `function ${name}(${printInputs(inputs)})${can}${answers}`;
    }
  }
}

function payable(item: { readonly stateMutability: string }): string {
  return item.stateMutability === "payable" ? " payable" : "";
}

function printInputs(inputs: readonly AbiParameter[]): string {
  return inputs.map(printInput).join(", ");
}

function printInput(input: AbiParameter): string {
  const isIndexed = "indexed" in input && input.indexed === true;
  const type =
    "components" in input
      ? input.type.replace("tuple", `(${printInputs(input.components)})`)
      : input.type;
  return [type, isIndexed ? "indexed" : "", input.name ?? ""]
    .filter((word) => word !== "")
    .join(" ");
}

/** `FixtureCoin` → `fixture-coin`. */
function fileNameOf(name: string): string {
  return name.replaceAll(/(?<=.)[A-Z]/gu, "-$&").toLowerCase();
}
