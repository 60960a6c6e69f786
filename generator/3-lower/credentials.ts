import type { CheckedContract } from "../2-check/index.js";
import { metadataValue } from "../2-check/notation/metadata.js";
import type { Credential } from "../ir/contract.js";
import { lowerDocs } from "./docs.js";

/** Lowers the aliases that declare a header, in the order of the types. */
export function lowerCredentials({
  types,
}: Pick<CheckedContract, "types">): readonly Credential[] {
  return types.flatMap(({ syntax }) => {
    if (syntax.kind !== "alias") return [];
    const header = metadataValue(syntax, "header");
    if (header === undefined) return [];
    return {
      name: syntax.name.text,
      docs: lowerDocs(syntax.docs),
      header,
      scheme: metadataValue(syntax, "scheme") ?? null,
      error: metadataValue(syntax, "error") ?? "",
    };
  });
}
