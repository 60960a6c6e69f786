import { type Abi, type AbiParameter, isHex } from "viem";

/** A compiled contract. */
export interface Artifact {
  /** The origin, e.g. `Compiled from contracts/FixtureCoin.sol`. */
  readonly origin: string;
  readonly name: string;
  /**
   * The name of the exported constant. The default is the contract's name in
   * camel case.
   */
  readonly constant?: string;
  /** The ABI as the compiler writes it. */
  readonly abi: unknown;
  /** The code in hex, with the `0x` prefix. */
  readonly bytecode: unknown;
}

/**
 * Prints a module with the human-readable ABI and the code of a contract.
 *
 * Errors: Error if there is no ABI or no code.
 */
export function printArtifact({
  origin,
  name,
  constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
  abi,
  bytecode,
}: Artifact): string {
  if (!isAbi(abi) || !isHex(bytecode)) throw new Error(`${origin}: no ${name}`);
  const items = abi.map((item) => JSON.stringify(printItem(item)));
  return (
    `// ${origin}. Do not edit.\n` +
    `import { parseAbi } from "viem";\n\n` +
    `/** The contract \`${name}\`. */\n` +
    `export const ${constant} = {\n` +
    `  abi: parseAbi(${printList(items)}),\n` +
    `  bytecode:\n    "${bytecode}",\n` +
    `} as const;\n`
  );
}

/** Prints a list, on one line if it has only one item. */
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
