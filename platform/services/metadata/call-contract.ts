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
import { orNull } from "../../process/failures/or-null.js";
import type { ContractPlace } from "./reading.js";

/** The functions to call. Contracts can return anything. */
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

/** Returns whether an address has a contract. Errors: `Unavailable`. */
export async function isContract(place: ContractPlace): Promise<boolean> {
  const address = toHex(place.contract);
  const code = await readChain(place.network, (client) =>
    client.getCode({ address }),
  );
  return code !== null && code !== undefined && code !== "0x";
}

/** Asks whether a contract claims to support an interface (ERC-165). */
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

/** Asks a contract for a number. The result is null if it has none. */
export function askNumber(
  batch: Batch,
  { contract }: ContractPlace,
  functionName: "decimals" | "totalSupply",
): () => bigint | null {
  const data = encodeFunctionData({ abi, functionName });
  const answer = batch.askBytes(toHex(contract), data);
  return () => toNumber(answer());
}

/**
 * Asks a contract for a string of at most 192 bytes. The result is null if it
 * has none.
 */
export function askText(
  batch: Batch,
  { contract }: ContractPlace,
  functionName: "name" | "symbol",
): () => string | null {
  const data = encodeFunctionData({ abi, functionName });
  const answer = batch.askBytes(toHex(contract), data);
  return () => toText(answer());
}

/**
 * Reads the URI of a contract's document. Returns null if the contract has
 * none.
 */
export function readContractUri(place: ContractPlace): Promise<string | null> {
  return readUri(
    place,
    encodeFunctionData({ abi, functionName: "contractURI" }),
  );
}

/**
 * Reads the URI of a token's document. Returns null if there is no such token.
 */
export function readTokenUri(
  place: ContractPlace,
  functionName: "tokenURI" | "uri",
  tokenId: bigint,
): Promise<string | null> {
  const data = encodeFunctionData({ abi, functionName, args: [tokenId] });
  return readUri(place, data);
}

/**
 * Reads a string that can be long, such as an embedded document, from a
 * contract.
 *
 * Returns null if the contract reverts, has no such function, or exceeds the
 * client's limit.
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

/** Decodes a number. Returns null unless the answer is exactly one word. */
function toNumber(answer: Hex | null): bigint | null {
  return answer === null || size(answer) !== 32 ? null : BigInt(answer);
}

/**
 * Decodes a string. Returns null if it is invalid. Some older tokens return a
 * single zero-padded word instead of a string.
 */
function toText(answer: Hex | null): string | null {
  if (answer === null) return null;
  if (size(answer) === 32) return hexToString(answer).replace(/\0+$/u, "");
  return orNull(() => decodeAbiParameters([{ type: "string" }], answer)[0]);
}
