import type { TypeExpression } from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { findAnnotation } from "../../../../generator/2-check/notation/annotations.js";
import {
  findMetadata,
  isExtra,
  isUnion,
  jsonNameOf,
} from "../../../../generator/2-check/notation/metadata.js";
import { basePathOf } from "../../../../generator/2-check/notation/base-path.js";
import {
  bindingOf,
  type RestBinding,
  verbOf,
} from "../../../../generator/2-check/notation/rest-binding.js";
import type {
  DeclaredError,
  Program,
} from "../../../../generator/2-check/program/program.js";
import { dataTypesOf } from "../../../../generator/2-check/program/reach.js";
import { resolveType } from "../../../../generator/2-check/program/resolve-type.js";
import { isByteName, scalars } from "../../../../generator/ir/scalars.js";
import type { ScalarName } from "../../../../generator/ir/contract.js";
import type { NamedSymbol } from "../names/mention.js";
import { ownerOf } from "../names/owner-of.js";

/**
 * Describes the form of a declaration on the wire. Returns "" if it has none.
 */
export function describeWire(program: Program, symbol: NamedSymbol): string {
  const { syntax, document } = symbol;
  switch (syntax.kind) {
    case "alias": {
      // The name stands for a union, whose own type is `any`.
      const { name } = syntax;
      const type: TypeExpression = isUnion(syntax)
        ? { kind: "name", span: name.span, name }
        : syntax.type;
      return sentence(describeType(program, document, type));
    }
    case "argument":
    case "field": {
      const type = describeType(program, document, syntax.type);
      if (isExtra(syntax))
        return sentence("all members that no other field declares");
      const header = findMetadata(syntax, "header")?.value.text;
      if (header !== undefined)
        return sentence(`the header \`${header}\` of an error, ${type}`);
      return `On the wire: \`"${jsonNameOf(syntax) ?? ""}"\`, ${type}.`;
    }
    case "enum":
      return sentence("a string that is one of the members");
    case "enum-member": {
      const owner = ownerOf(symbol);
      const isText = owner?.kind === "enum" && owner.base.text === "string";
      const value = isText ? syntax.value?.text : undefined;
      return sentence(`\`"${value ?? syntax.name.text}"\``);
    }
    case "error":
      return describeError(program, { syntax, document });
    case "method":
      return describeRoute(program, symbol);
    case "service":
    case "struct":
      return "";
  }
}

function describeError(program: Program, error: DeclaredError): string {
  const { code, status } = error.syntax;
  const facts = `Code ${code.text}, HTTP status ${status?.text ?? "400"}.`;
  const types = dataTypesOf(error, program.scopes).flatMap(({ syntax }) =>
    syntax.kind === "alias" && syntax.type.kind === "name"
      ? `Its data is \`${syntax.type.name.text}\`.`
      : [],
  );
  return [facts, ...types].join(" ");
}

/** Describes a core type. */
export function describeScalar(name: ScalarName): string {
  const { json, range, title } = scalars[name];
  const limits = range ? ` from ${range[0]} to ${range[1]}` : "";
  return `\`${name}\`: ${title}${limits}. ${sentence(json)}`;
}

function sentence(form: string): string {
  return `On the wire: ${form}.`;
}

function describeType(
  program: Program,
  document: LoadedDocument,
  written: TypeExpression,
): string {
  const type = resolveType(program, document, written);
  switch (type?.kind) {
    case undefined:
      return "an unknown type";
    case "scalar":
      return scalars[type.name].json;
    case "enum":
      return "a string";
    case "union":
      return "a value of one of the variants";
    case "map":
    case "struct":
      return "an object";
    case "list": {
      const element = resolveType(program, type.document, type.element);
      const isBytes = element?.kind === "scalar" && isByteName(element.name);
      return isBytes ? "a base64 string" : "an array";
    }
  }
}

/** Returns the path and the query, as written. */
function addressOf({ path, query }: RestBinding): string {
  const parts = query.map(({ text }) => text).join("&");
  return parts === "" ? path.text : `${path.text}?${parts}`;
}

function describeRoute(program: Program, symbol: NamedSymbol): string {
  const { syntax, document } = symbol;
  if (syntax.kind !== "method") return "";
  if (findAnnotation(syntax, "webhook")) return "A webhook.";
  const binding = bindingOf(syntax);
  if (binding !== null) return `\`${verbOf(binding)} ${addressOf(binding)}\``;
  const owner = ownerOf(symbol);
  const host = program.hosts.find(({ services }) =>
    services.some((each) => each.syntax === owner),
  );
  const base = basePathOf(host?.document ?? document);
  return `\`POST ${base}${owner?.name.text ?? ""}/${syntax.name.text}\``;
}
