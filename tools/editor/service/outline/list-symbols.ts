import type {
  Item,
  Message,
  Method,
} from "../../../../generator/1-parse/ast.js";
import { printType } from "../../../../generator/1-parse/print-lines.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { DocumentSymbol, WorkspaceSymbol } from "../model/results.js";
import { createMatcher } from "../names/matches-query.js";
import type { NamedSyntax } from "../names/mention.js";
import { isDeprecated } from "../../../../generator/2-check/notation/deprecation.js";
import type { Workspace } from "../workspace/workspace.js";

/** Lists the declarations of a document. */
export function listSymbols({
  syntax,
}: LoadedDocument): readonly DocumentSymbol[] {
  return syntax.items.flatMap(toSymbols);
}

/** Finds the declarations of a workspace whose names match a query. */
export function searchSymbols(
  { parts }: Workspace,
  query: string,
): readonly WorkspaceSymbol[] {
  const isMatch = createMatcher(query);
  const documents = new Set(parts.flatMap(({ program }) => program.documents));
  return [...documents].flatMap((document) =>
    listSymbols(document).flatMap((symbol) =>
      flatten(symbol, document.path, "").filter(({ name }) => isMatch(name)),
    ),
  );
}

function flatten(
  { name, kind, nameSpan, children }: DocumentSymbol,
  path: string,
  container: string,
): readonly WorkspaceSymbol[] {
  if (kind === "argument") return [];
  return [
    { name, kind, path, nameSpan, container },
    ...children.flatMap((each) => flatten(each, path, name)),
  ];
}

function toSymbols(item: Item): readonly DocumentSymbol[] {
  switch (item.kind) {
    case "header":
    case "import":
      return [];
    case "alias":
      return [toSymbol(item, printType(item.type))];
    case "enum":
      return [
        toSymbol(
          item,
          item.base.text,
          item.members.map((member) =>
            toSymbol(member, member.value?.text ?? ""),
          ),
        ),
      ];
    case "error":
      return [toSymbol(item, `${item.code.text} ${item.message.text}`)];
    case "service":
      return [toSymbol(item, "", item.methods.map(methodSymbol))];
    case "struct":
      return [
        toSymbol(
          item,
          "",
          item.fields.map((field) => toSymbol(field, printType(field.type))),
        ),
      ];
  }
}

function methodSymbol(method: Method): DocumentSymbol {
  const { input, output } = method;
  const list = [...input.arguments, ...output.arguments];
  const detail = `${printMessage(input)} => ${printMessage(output)}`;
  return toSymbol(
    method,
    detail,
    list.map((each) => toSymbol(each, printType(each.type))),
  );
}

function printMessage({ arguments: list, succinct }: Message): string {
  const names = list.map(
    ({ name, type }) => `${name.text}: ${printType(type)}`,
  );
  return `(${succinct?.text ?? names.join(", ")})`;
}

function toSymbol(
  syntax: NamedSyntax,
  detail: string,
  children: readonly DocumentSymbol[] = [],
): DocumentSymbol {
  return {
    name: syntax.name.text,
    kind: syntax.kind === "enum-member" ? "member" : syntax.kind,
    detail,
    span: syntax.span,
    nameSpan: syntax.name.span,
    isDeprecated: isDeprecated(syntax),
    children,
  };
}
