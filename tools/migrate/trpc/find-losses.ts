import type { ts } from "ts-morph";
import type { SymbolLookup } from "../change/uses.js";
import { canBeNull } from "./message-form.js";

/** What values of a type contain that messages of the contract lack. */
export interface Losses {
  /** A class of JavaScript, e.g. `Map`, or null. */
  readonly className: string | null;
  /** The names of properties that can be null or absent. */
  readonly absentNulls: readonly string[];
}

const lost =
  /^(?:Map|Set|RegExp|ArrayBuffer|\w+Array|Error|Blob|File|FormData)$/u;

const results = new WeakMap<ts.Type, Losses>();

/** Types can be recursive and very large. */
const maxTypes = 5000;

/** Finds what a message cannot contain, or contains in another form. */
export function lossesIn(type: ts.Type, lookup: SymbolLookup): Losses {
  const known = results.get(type);
  if (known !== undefined) return known;
  let className: string | null = null;
  const absentNulls: string[] = [];
  const types = new Set([type]);
  for (const each of types) {
    if (types.size > maxTypes) break;
    const builtIn = builtInName(each);
    if (builtIn !== null && lost.test(builtIn)) className ??= builtIn;
    for (const part of partsOf(each, builtIn, lookup)) types.add(part);
    if (builtIn !== null || each.isUnionOrIntersection()) continue;
    absentNulls.push(...absentNullsIn(each, lookup));
  }
  const losses = { className, absentNulls };
  results.set(type, losses);
  return losses;
}

/** Returns the name of a type that JavaScript or a platform declares, or null. */
function builtInName(type: ts.Type): string | null {
  // Primitive types lack a symbol, which the compiler's declarations hide.
  const symbol = type.symbol as ts.Symbol | undefined;
  const isBuiltIn = symbol?.declarations?.some((declaration) => {
    const { fileName } = declaration.getSourceFile();
    return /\/(?:lib\.[\w.]+\.d\.ts$|@types\/node\/)/u.test(fileName);
  });
  return symbol !== undefined && isBuiltIn === true ? symbol.name : null;
}

/** Returns the types that a type consists of. */
function partsOf(
  type: ts.Type,
  builtIn: string | null,
  { checker, compiler }: SymbolLookup,
): readonly ts.Type[] {
  if (type.isUnionOrIntersection()) return type.types;
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    return checker.getTypeArguments(type as ts.TypeReference);
  }
  const isObject = (type.flags & compiler.TypeFlags.Object) !== 0;
  if (builtIn !== null || !isObject) return [];
  const index = type.getStringIndexType();
  return [
    ...type.getProperties().map((each) => checker.getTypeOfSymbol(each)),
    ...(index === undefined ? [] : [index]),
  ];
}

function absentNullsIn(type: ts.Type, lookup: SymbolLookup): readonly string[] {
  const { checker, compiler } = lookup;
  if ((type.flags & compiler.TypeFlags.Object) === 0) return [];
  return type
    .getProperties()
    .filter(
      (each) =>
        (each.flags & compiler.SymbolFlags.Optional) !== 0 &&
        canBeNull(checker.getTypeOfSymbol(each), lookup),
    )
    .map(({ name }) => name);
}
