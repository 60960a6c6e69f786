import {
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToString,
  parseAbi,
  size,
} from "viem";

import type { Batch } from "../../network/batch.js";
import { readChain } from "../../network/read-chain.js";
import type { ContractPlace } from "./reading.js";

/** What is asked of contracts, which answer anything. */
const abi = parseAbi([
  "function supportsInterface(bytes4 id) view returns (bool)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function totalSupply() view returns (uint256)",
  "function contractURI() view returns (string)",
  "function tokenURI(uint256 id) view returns (string)",
  "function uri(uint256 id) view returns (string)",
]);

/** Whether there is a contract. Errors: `Unavailable`. */
export async function isContract(place: ContractPlace): Promise<boolean> {
  const address = toHex(place.contract);
  const code = await readChain(place.network, (client) =>
    client.getCode({ address }),
  );
  return code !== null && code !== undefined && code !== "0x";
}

/** Asks whether a contract says that it has an interface (ERC-165). */
export function askInterface(
  batch: Batch,
  { contract }: ContractPlace,
  id: Hex,
): () => boolean {
  const functionName = "supportsInterface";
  const data = encodeFunctionData({ abi, functionName, args: [id] });
  const answer = batch.askBytes(toHex(contract), data);
  return () => toNumber(answer()) === 1n;
}

/** Asks for a number that a contract tells; null: it has none. */
export function askNumber(
  batch: Batch,
  { contract }: ContractPlace,
  functionName: "decimals" | "totalSupply",
): () => bigint | null {
  const data = encodeFunctionData({ abi, functionName });
  const answer = batch.askBytes(toHex(contract), data);
  return () => toNumber(answer());
}

/** Asks for a text of at most 192 bytes; null: it has none. */
export function askText(
  batch: Batch,
  { contract }: ContractPlace,
  functionName: "name" | "symbol",
): () => string | null {
  const data = encodeFunctionData({ abi, functionName });
  const answer = batch.askBytes(toHex(contract), data);
  return () => toText(answer());
}

/** The URI of a contract's document; null when it has none. */
export function readContractUri(place: ContractPlace): Promise<string | null> {
  return readUri(
    place,
    encodeFunctionData({ abi, functionName: "contractURI" }),
  );
}

/** The URI of a token's document; null when there is no such token. */
export function readTokenUri(
  place: ContractPlace,
  functionName: "tokenURI" | "uri",
  tokenId: bigint,
): Promise<string | null> {
  const data = encodeFunctionData({ abi, functionName, args: [tokenId] });
  return readUri(place, data);
}

/**
 * Asks a contract for a text that may be long: a document in itself.
 *
 * Output: null when the contract refuses, has no such function, or answers more
 * than the client takes.
 * Errors: `Unavailable`.
 */
async function readUri(
  place: ContractPlace,
  data: Hex,
): Promise<string | null> {
  const to = toHex(place.contract);
  const answer = await readChain(place.network, (client) =>
    client.call({ to, data }),
  );
  return toText(answer?.data ?? null);
}

function toHex(address: string): Hex {
  return `0x${address.slice(2)}`;
}

/** A number has exactly one word: a text that is taken for one has more. */
function toNumber(answer: Hex | null): bigint | null {
  return answer === null || size(answer) !== 32 ? null : BigInt(answer);
}

/** Some tokens are older than texts: theirs has one word, filled with zeros. */
function toText(answer: Hex | null): string | null {
  if (answer === null) return null;
  if (size(answer) === 32) return hexToString(answer).replace(/\0+$/u, "");
  try {
    const [text] = decodeAbiParameters([{ type: "string" }], answer);
    return text;
  } catch {
    return null;
  }
}
