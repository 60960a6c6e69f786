import type { AliasDeclaration } from "../1-parse/ast.js";
import type { CheckedContract } from "../2-check/index.js";
import { metadataValue } from "../2-check/notation/metadata.js";
import type { Credential } from "../ir/contract.js";
import { lowerDocs } from "./docs.js";

/** The aliases that declare a header, in the order of the types. */
export function lowerCredentials(
  checked: CheckedContract,
): readonly Credential[] {
  return checked.types.flatMap(({ syntax }) =>
    syntax.kind === "alias" ? lowerCredential(syntax) : [],
  );
}

function lowerCredential(alias: AliasDeclaration): readonly Credential[] {
  const header = metadataValue(alias, "header");
  if (header === undefined) return [];
  return [
    {
      name: alias.name.text,
      docs: lowerDocs(alias.docs),
      header,
      scheme: metadataValue(alias, "scheme") ?? null,
      error: metadataValue(alias, "error") ?? "",
    },
  ];
}
