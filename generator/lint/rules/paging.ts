import { findAnnotation } from "../../2-check/notation/annotations.js";
import { jsonNameOf, metadataValue } from "../../2-check/notation/metadata.js";
import { fieldsOf, type MessageField } from "../../2-check/program/messages.js";
import type { DeclaredType, Program } from "../../2-check/program/program.js";
import {
  isByteType,
  isNullableType,
  resolveType,
  type ResolvedType,
} from "../../2-check/program/resolve-type.js";
import { inNodes, relate } from "../../2-check/report/finding.js";
import type { Constraints } from "../../ir/contract.js";
import { isWideInteger } from "../../ir/scalars.js";
import { isBoundToSafe } from "../../values/limits.js";
import {
  findPaging,
  kindOfScalar,
  type PagedField,
  type PagedKind,
} from "../../values/paging.js";
import { followType, type TypeChain } from "../facts/type-places.js";
import type { LintRules, LintSettings } from "./rule.js";

/** The rule about methods that return pages. */
export const pagingRules = {
  "paging-incomplete": (program, settings) =>
    inNodes(["methods"], ({ syntax, document }) => {
      const { input, name, output } = syntax;
      if (output.isStream || findAnnotation(syntax, "webhook")) return false;
      const headers = findAnnotation(syntax, "responseHeaders");
      // Links to the next page are enough.
      if (/\blink=/iu.test(headers?.value?.text ?? "")) return false;
      const read = createReader(program, settings);
      const request = fieldsOf(program, document, input).flatMap(read);
      const response = fieldsOf(program, document, output).flatMap(read);
      const { problem } = findPaging(request, response, null);
      if (problem === null || [...request, ...response].some(isFile))
        return false;
      const { node } = problem.field;
      const field = `\`${node.syntax.name.text}\``;
      return {
        at: name,
        message: `\`${name.text}\` seems to return pages, but ${field} ${problem.problem}`,
        related: [relate(node, node.syntax.name, "this field")],
        help: problem.help,
      };
    })(program),
} satisfies LintRules;

/** A field or argument, as {@link findPaging} needs it. */
interface PagedNode extends PagedField<PagedNode> {
  readonly node: MessageField;
  readonly type: ResolvedType | null;
}

/** Returns a function that reads a field, or nothing if it is not sent. */
function createReader(
  program: Program,
  settings: LintSettings,
): (node: MessageField) => readonly PagedNode[] {
  const read = (node: MessageField): readonly PagedNode[] => {
    const { document, syntax } = node;
    const jsonName = jsonNameOf(syntax);
    if (jsonName === null) return [];
    const type = resolveType(program, document, syntax.type);
    const struct = type?.kind === "struct" ? type.declared : null;
    return [
      {
        node,
        type,
        jsonName,
        isOptional: syntax.isOptional,
        // Few fields need this, and a chain of aliases can be long.
        get isNullable() {
          return (
            metadataValue(syntax, "nullable") === "true" ||
            isNullableType(program, document, syntax.type)
          );
        },
        kind: kindOf(program, settings, node, type),
        struct,
        fields: () => fieldsIn(struct).flatMap(read),
      },
    ];
  };
  return read;
}

function fieldsIn(struct: DeclaredType | null): readonly MessageField[] {
  if (struct?.syntax.kind !== "struct") return [];
  const { document } = struct;
  return struct.syntax.fields.map((syntax) => ({ syntax, document }));
}

function kindOf(
  program: Program,
  { int64 }: LintSettings,
  { document, syntax }: MessageField,
  type: ResolvedType | null,
): PagedKind {
  switch (type?.kind) {
    case "scalar": {
      const isSafe =
        int64 === "bigint" &&
        isWideInteger(type.name) &&
        isBoundToSafe(
          type.name,
          limitsOf(followType(program, document, syntax)),
        );
      const settings = { int64, timestamp: "string" } as const;
      return kindOfScalar(type.name, isSafe, settings);
    }
    case "list":
      return isByteType(program, type.document, type.element)
        ? "other"
        : "list";
    case "struct":
      return "struct";
    case "enum":
    case "map":
    case "union":
    case undefined:
      return "other";
  }
}

function limitsOf({
  place: { limits },
}: TypeChain): Pick<Constraints, "maximum" | "minimum"> {
  const [maximum, minimum] = [limits.get("maximum"), limits.get("minimum")];
  return {
    ...(maximum !== undefined && { maximum }),
    ...(minimum !== undefined && { minimum }),
  };
}

function isFile({ type }: PagedNode): boolean {
  return type?.kind === "scalar" && type.name === "file";
}
