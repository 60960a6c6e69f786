import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { readTokenUri } from "./call-contract.js";
import { type Document, fetchDocument } from "./fetch-document.js";
import { toGateway } from "./ipfs.js";
import type { Contract } from "./read-contract.js";
import { decimalsOf, recordOf, recordsOf, textOf } from "./read-values.js";
import type { ContractPlace, DocumentSource, Reading } from "./reading.js";

/**
 * Reads the URI of a token and its document. If there is no document,
 * only the ID, contract, and decimals are known.
 *
 * Input: `contract` is null if there is none.
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function readToken(
  source: DocumentSource,
  place: ContractPlace,
  contract: Contract | null,
  tokenId: string,
): Promise<Reading<TokenMetadata>> {
  const id = BigInt(tokenId);
  const type = contract?.info.type ?? null;
  const uri = await findUri(place, type, id);
  const idInText = type === "ERC1155" ? id : null;
  const read = await fetchDocument(source, uri ?? "", idInText);
  const { value: document, outcome, reason } = read;
  const value = describeToken(source, place, contract, tokenId, document);
  return { value, outcome, reason };
}

/** Returns whether the tokens of a contract can have documents. */
export function hasDocuments(contract: Contract | null): contract is Contract {
  return contract !== null && contract.info.type !== "ERC20";
}

/** Returns what is known of a token. Without a document, this is its ID. */
export function describeToken(
  { ipfsGateway }: DocumentSource,
  { contract: contractAddress }: ContractPlace,
  contract: Contract | null,
  tokenId: string,
  document: Document = {},
): TokenMetadata {
  return {
    tokenId,
    contractAddress,
    name: textOf(document["name"]),
    description: textOf(document["description"]),
    image: toGateway(imageOf(document), ipfsGateway) ?? "",
    decimals: decimalsOf(document["decimals"]) ?? contract?.decimals ?? 0,
    properties: recordOf(document["properties"]),
    attributes: recordsOf(document["attributes"]),
  };
}

function findUri(
  place: ContractPlace,
  type: string | null,
  tokenId: bigint,
): Promise<string | null> | string | null {
  switch (type) {
    case "ERC721":
      return readTokenUri(place, "tokenURI", tokenId);
    case "ERC1155":
      return readTokenUri(place, "uri", tokenId);
    case "UNKNOWN":
      return findAnyUri(place, tokenId);
    default:
      return null;
  }
}

/**
 * Tries `tokenURI` and `uri`, because contracts older than ERC-165 do not
 * report their interfaces.
 */
async function findAnyUri(
  place: ContractPlace,
  tokenId: bigint,
): Promise<string | null> {
  const uri = await readTokenUri(place, "tokenURI", tokenId);
  return uri ?? readTokenUri(place, "uri", tokenId);
}

function imageOf(document: Document): string {
  return textOf(document["image"]) || textOf(document["image_url"]);
}
