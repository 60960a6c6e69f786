import {
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToString,
  parseAbi,
  size,
} from "viem";

import { readChain } from "../../network/read-chain.js";
import type { ContractPlace } from "./reading.js";

/** What is asked of contracts. */
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

/** Whether a contract says that it has an interface (ERC-165). */
export async function hasInterface(
  place: ContractPlace,
  id: Hex,
): Promise<boolean> {
  const data = encodeFunctionData({
    abi,
    functionName: "supportsInterface",
    args: [id],
  });
  return toNumber(await call(place, data)) === 1n;
}

/** A number that a contract tells; null when it has none. */
export async function readNumber(
  place: ContractPlace,
  functionName: "decimals" | "totalSupply",
): Promise<bigint | null> {
  return toNumber(await call(place, encodeFunctionData({ abi, functionName })));
}

/** A text that a contract tells; null when it has none. */
export async function readText(
  place: ContractPlace,
  functionName: "name" | "symbol" | "contractURI",
): Promise<string | null> {
  return toText(await call(place, encodeFunctionData({ abi, functionName })));
}

/** The URI of a token; null when there is no such token. */
export async function readTokenUri(
  place: ContractPlace,
  functionName: "tokenURI" | "uri",
  tokenId: bigint,
): Promise<string | null> {
  const data = encodeFunctionData({ abi, functionName, args: [tokenId] });
  return toText(await call(place, data));
}

/**
 * Output: null when the contract refuses or has no such function. What it
 * answers is looked at here, for contracts answer anything.
 * Errors: `Unavailable`.
 */
async function call(place: ContractPlace, data: Hex): Promise<Hex | null> {
  const to = toHex(place.contract);
  const answer = await readChain(place.network, (client) =>
    client.call({ to, data }),
  );
  return answer?.data ?? null;
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
