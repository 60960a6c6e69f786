import { existsSync, readFileSync } from "node:fs";

import { lowerContract } from "../../generator/3-lower/index.js";
import type {
  Contract,
  Field,
  TypeDeclaration,
  TypeReference,
} from "../../generator/ir/contract.js";
import { checkDocuments } from "../support/check-documents.js";

/** The platform's entry documents, in the order of section 1. */
export const entries: readonly string[] = [
  "schema/api.ridl",
  "schema/metadata.ridl",
  "schema/relayer.ridl",
  "schema/marketplace.ridl",
  "schema/indexer.ridl",
];

/** Reads the platform's contract. Throws if it has diagnostics. */
export function readPlatformContract(): Contract {
  const outcome = checkDocuments(entries, {
    read: (path) => (existsSync(path) ? readFileSync(path, "utf8") : null),
  });
  if (outcome.diagnostics.length > 0) {
    const lines = outcome.diagnostics.map(
      ({ code, message, location }) =>
        `${location?.source.path ?? ""}: ${code}: ${message}`,
    );
    throw new Error(lines.join("\n"));
  }
  return lowerContract(outcome.value);
}

/** Finds the declaration of a type. Throws if there is none. */
export function findType(contract: Contract, name: string): TypeDeclaration {
  const found = contract.types.find((type) => type.name === name);
  if (!found) throw new Error(`the schema has no type ${name}`);
  return found;
}

/**
 * Prints a field in the notation of the interface table, such as
 * `tokenId? string`.
 */
export function printField(contract: Contract, field: Field): string {
  const mark = field.isOptional ? "?" : "";
  const nullable = field.isNullable ? "|null" : "";
  return `${field.jsonName}${mark} ${printType(contract, field.type)}${nullable}`;
}

/** Prints a type in the notation of the interface document. */
function printType(contract: Contract, type: TypeReference): string {
  switch (type.kind) {
    case "list":
      return `${printType(contract, type.element)}[]`;
    case "map":
      return `map<${printType(contract, type.value)}>`;
    case "scalar":
      return printScalar(type.name);
    case "reference": {
      const declaration = findType(contract, type.name);
      if (declaration.kind === "struct") return declaration.name;
      if (declaration.kind === "enum") return "string";
      if (declaration.kind === "union") return declaration.name;
      return printType(contract, declaration.type);
    }
  }
}

function printScalar(name: string): string {
  if (/^u?int(8|16|32|64)?$|^float/.test(name)) return "number";
  if (name === "bool") return "boolean";
  return name === "timestamp" ? "string" : name;
}
