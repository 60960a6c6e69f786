import type { ContractInfo } from "../../../generated/metadata/types.js";
import { Batch } from "../../network/batch.js";
import {
  askInterface,
  askNumber,
  askText,
  readContractUri,
} from "./call-contract.js";
import { type Document, fetchDocument } from "./fetch-document.js";
import { toGateway } from "./ipfs.js";
import type { ContractPlace, DocumentSource, Reading } from "./reading.js";
import { textOf } from "./read-values.js";

/** The properties of a contract. */
export interface Contract {
  readonly info: ContractInfo;
  /** The decimals of tokens that do not specify their own. */
  readonly decimals: number;
}

/** Interface IDs of collections (ERC-165). */
export const interfaceIds = {
  ERC721: "0x80ac58cd",
  ERC1155: "0xd9b67a26",
} as const;

/**
 * Reads the properties of an existing contract, and the document that its
 * `contractURI` names (ERC-7572), if any.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function readContract(
  source: DocumentSource,
  place: ContractPlace,
): Promise<Reading<Contract>> {
  const batch = new Batch(place.network);
  const type = askType(batch, place);
  const name = askText(batch, place, "name");
  const symbol = askText(batch, place, "symbol");
  const decimals = askNumber(batch, place, "decimals");
  const [uri] = await Promise.all([readContractUri(place), batch.run()]);
  const { value, outcome, reason } = await fetchDocument(
    source,
    uri ?? "",
    null,
  );
  const info: ContractInfo = {
    chainId: place.network.chainId,
    address: place.contract,
    name: name() || textOf(value["name"]),
    type: type(),
    symbol: symbol() || textOf(value["symbol"]),
    logoURI: pictureOf(source, value, "image"),
    extensions: extensionsOf(source, value),
  };
  return {
    value: { info, decimals: toDecimals(decimals()) },
    // Most contracts have no document, so a missing one is not an error.
    outcome: outcome === "missing" ? "found" : outcome,
    reason: outcome === "missing" ? "" : reason,
  };
}

/**
 * Determines the standard of a contract.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function readType(place: ContractPlace): Promise<string> {
  const batch = new Batch(place.network);
  const type = askType(batch, place);
  await batch.run();
  return type();
}

function askType(batch: Batch, place: ContractPlace): () => string {
  const isErc721 = askInterface(batch, place, interfaceIds.ERC721);
  const isErc1155 = askInterface(batch, place, interfaceIds.ERC1155);
  const decimals = askNumber(batch, place, "decimals");
  const supply = askNumber(batch, place, "totalSupply");
  return () => {
    if (isErc721()) return "ERC721";
    if (isErc1155()) return "ERC1155";
    const isErc20 = decimals() !== null && supply() !== null;
    return isErc20 ? "ERC20" : "UNKNOWN";
  };
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

/** Converts decimals, which have the type uint8. The default is 0. */
function toDecimals(decimals: bigint | null): number {
  return decimals !== null && decimals <= 255n ? Number(decimals) : 0;
}
