import type { ts } from "ts-morph";

/** Finds the names that types have in the source of a project. */
export class TypeNames {
  readonly #compiler: typeof ts;
  readonly #checker: ts.TypeChecker;

  constructor(compiler: typeof ts, checker: ts.TypeChecker) {
    this.#compiler = compiler;
    this.#checker = checker;
  }

  /** Returns the name of a type, such as `Post` or `PostPage`, or null. */
  nameOf(type: ts.Type): string | null {
    const { aliasSymbol, aliasTypeArguments = [] } = type;
    if (aliasSymbol !== undefined) {
      return this.#combine(aliasSymbol, aliasTypeArguments);
    }
    const symbol = type.getSymbol();
    if (symbol === undefined) return null;
    const { SymbolFlags } = this.#compiler;
    const named =
      SymbolFlags.Interface | SymbolFlags.Class | SymbolFlags.RegularEnum;
    return (symbol.flags & named) === 0
      ? null
      : this.#combine(symbol, this.#argumentsOf(type));
  }

  #argumentsOf(type: ts.Type): readonly ts.Type[] {
    const { ObjectFlags } = this.#compiler;
    const flags = "objectFlags" in type ? Number(type.objectFlags) : 0;
    if ((flags & ObjectFlags.Reference) === 0) return [];
    const { typeParameters = [] } = (type as ts.TypeReference).target;
    const all = this.#checker.getTypeArguments(type as ts.TypeReference);
    // The last argument of some types is the type of `this`.
    return all.slice(0, typeParameters.length);
  }

  /**
   * Types of a generic one are named after both. Helper types of packages, such
   * as `Omit`, say nothing about the value.
   */
  #combine(symbol: ts.Symbol, types: readonly ts.Type[]): string | null {
    const { name } = symbol;
    if (/^__|^default$/u.test(name)) return null;
    if (types.length === 0) return name;
    const isOwn = symbol.declarations?.every(
      (each) => !each.getSourceFile().isDeclarationFile,
    );
    const names = types.map((each) => this.nameOf(each));
    const isNamed = isOwn === true && names.every((each) => each !== null);
    return isNamed ? [...names, name].join("") : null;
  }
}
