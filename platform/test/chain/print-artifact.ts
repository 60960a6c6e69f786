import { formatAbi } from "abitype";
import { isHex } from "viem";

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
  if (!Array.isArray(abi) || !isHex(bytecode))
    throw new Error(`${origin}: no ${name}`);
  const items = formatAbi(abi).map((item) => JSON.stringify(item));
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
