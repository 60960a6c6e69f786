import type { ts } from "ts-morph";
import type { SpreadOption } from "../change/arguments.js";
import {
  type NamedProperty,
  propertiesOf,
  readProperty,
} from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { SymbolLookup } from "../change/uses.js";

/** The options of a call, without those that later ones replace. */
export interface CallOptions {
  readonly written: readonly NamedProperty[];
  readonly spread: readonly SpreadOption[];
}

/** Options that a spread value can have. Others change how a call behaves. */
const known: ReadonlySet<string> = new Set([
  "body",
  "headers",
  "path",
  "query",
  "signal",
]);

/**
 * Reads the options of a call, in which values can be spread whose types say
 * which options they have.
 *
 * Errors: {@link UnsupportedCode} for other values, and if it is not known which of two
 * values an option has.
 */
export function readOptions(
  init: ts.Expression | undefined,
  lookup: SymbolLookup,
): CallOptions {
  const { compiler } = lookup;
  if (init === undefined || !compiler.isObjectLiteralExpression(init)) {
    return { written: propertiesOf(init, compiler), spread: [] };
  }
  const written: NamedProperty[] = [];
  const spread: SpreadOption[] = [];
  // What is written after a spread value replaces its options.
  for (const node of init.properties.toReversed()) {
    if (!compiler.isSpreadAssignment(node)) {
      const read = readProperty(node, compiler);
      refuseTwice(read.name, node, spread);
      written.unshift(read);
      continue;
    }
    const replaced = new Set(written.map(({ name }) => name));
    for (const each of optionsIn(node, lookup)) {
      if (replaced.has(each.name)) continue;
      refuseTwice(each.name, node, spread);
      spread.unshift(each);
    }
  }
  return { written, spread };
}

function refuseTwice(
  name: string,
  node: ts.Node,
  spread: readonly SpreadOption[],
): void {
  if (!spread.some((each) => each.name === name)) return;
  throw new UnsupportedCode(
    node,
    `a value that is spread can replace \`${name}\``,
  );
}

/** Returns the options that a spread value has by its type. */
function optionsIn(
  { expression }: ts.SpreadAssignment,
  lookup: SymbolLookup,
): readonly SpreadOption[] {
  const { checker, compiler } = lookup;
  const whole = checker.getTypeAtLocation(expression);
  const type = checker.getNonNullableType(whole);
  const isObject = (type.flags & compiler.TypeFlags.Object) !== 0;
  const isOpen =
    !isObject || checker.getIndexInfosOfType(type).length > 0 || isEmpty(type);
  if (isOpen || !isPath(expression, lookup)) {
    throw new UnsupportedCode(
      expression,
      "it is not known which options the value has that is spread",
    );
  }
  return type.getProperties().map((member) => {
    if (!known.has(member.name)) {
      throw new UnsupportedCode(
        expression,
        `the value that is spread can have the option \`${member.name}\``,
      );
    }
    const { Optional } = compiler.SymbolFlags;
    const own = checker.getTypeOfSymbol(member);
    const canLack = checker.getNonNullableType(whole) !== whole;
    return {
      name: member.name,
      source: expression,
      type: own,
      canLack,
      isOptional:
        canLack ||
        (member.flags & Optional) !== 0 ||
        checker.getNonNullableType(own) !== own,
    };
  });
}

/** Every value is of a type without properties, such as `object`. */
function isEmpty(type: ts.Type): boolean {
  return type.getProperties().length === 0;
}

/** Whether some code can run twice: a name, or members of one. */
function isPath(node: ts.Expression, lookup: SymbolLookup): boolean {
  const { compiler } = lookup;
  return compiler.isPropertyAccessExpression(node)
    ? isPath(node.expression, lookup)
    : compiler.isIdentifier(node);
}
