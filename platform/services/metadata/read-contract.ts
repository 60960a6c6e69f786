import type { ContractInfo } from "../../../generated/metadata/types.js";
import {
  hasInterface,
  isContract,
  readNumber,
  readText,
} from "./call-contract.js";
import { type Document, fetchDocument } from "./fetch-document.js";
import { toGateway } from "./ipfs.js";
import type { ContractPlace, DocumentSource, Reading } from "./reading.js";
import { textOf } from "./read-values.js";

/** What there is to know of a contract. */
export interface Contract {
  readonly info: ContractInfo;
  /** Of the amounts of its tokens, where those say nothing else. */
  readonly decimals: number;
}

/** Ids of interfaces (ERC-165). */
const interfaceIds = { ERC721: "0x80ac58cd", ERC1155: "0xd9b67a26" } as const;

/**
 * Asks a contract who it is, and reads the document that its `contractURI`
 * names (ERC-7572), if it has one.
 *
 * Output: null when there is no contract.
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function readContract(
  source: DocumentSource,
  place: ContractPlace,
): Promise<Reading<Contract> | null> {
  if (!(await isContract(place))) return null;
  const [type, name, symbol, decimals, uri] = await Promise.all([
    readType(place),
    readText(place, "name"),
    readText(place, "symbol"),
    readNumber(place, "decimals"),
    readText(place, "contractURI"),
  ]);
  const { value, outcome, reason } = await fetchDocument(
    source,
    uri ?? "",
    null,
  );
  const info: ContractInfo = {
    chainId: place.network.chainId,
    address: place.contract,
    name: toName(name) || textOf(value["name"]),
    type,
    symbol: toName(symbol) || textOf(value["symbol"]),
    logoURI: pictureOf(source, value, "image"),
    extensions: extensionsOf(source, value),
  };
  return {
    value: { info, decimals: toDecimals(decimals) },
    // Most contracts have no document: they are known without.
    outcome: outcome === "missing" ? "found" : outcome,
    reason: outcome === "missing" ? "" : reason,
  };
}

/**
 * Asks a contract which standard it follows.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function readType(place: ContractPlace): Promise<string> {
  const [isErc721, isErc1155, decimals, supply] = await Promise.all([
    hasInterface(place, interfaceIds.ERC721),
    hasInterface(place, interfaceIds.ERC1155),
    readNumber(place, "decimals"),
    readNumber(place, "totalSupply"),
  ]);
  if (isErc721) return "ERC721";
  if (isErc1155) return "ERC1155";
  return decimals !== null && supply !== null ? "ERC20" : "UNKNOWN";
}

function extensionsOf(
  source: DocumentSource,
  document: Document,
): ContractInfo["extensions"] {
  return {
    link: textOf(document["external_link"] ?? document["external_url"]),
    description: textOf(document["description"]),
    ogImage: pictureOf(source, document, "banner_image"),
    originAddress: "",
  };
}

function pictureOf(
  { ipfsGateway }: DocumentSource,
  document: Document,
  name: string,
): string {
  return toGateway(textOf(document[name]), ipfsGateway) ?? "";
}

/** Contracts answer texts of any length; a name has at most this one. */
const maxNameLength = 1000;

function toName(text: string | null): string {
  return text !== null && text.length <= maxNameLength ? text : "";
}

/** The type of `decimals` has 8 bits. */
function toDecimals(decimals: bigint | null): number {
  return decimals !== null && decimals <= 255n ? Number(decimals) : 0;
}
