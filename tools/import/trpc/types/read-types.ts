import type { ts } from "ts-morph";
import type { ParserSide } from "../schemas/schema-note.js";
import { TypeConverter } from "./type-converter.js";
import { docsOf } from "./type-docs.js";
import type {
  ProcedureDocs,
  RouterTypes,
  TypedMessage,
} from "./typed-procedure.js";

/** The program that contains a router. */
export interface RouterProgram {
  readonly compiler: typeof ts;
  readonly program: ts.Program;
  /** The absolute path of the router's module. */
  readonly file: string;
  /** The name of the router's export. */
  readonly name: string;
  readonly hasTransformer: boolean;
}

/** The members of `_def` with the types of a procedure: of tRPC 11, and of 10. */
const members: Readonly<Record<ParserSide, readonly (readonly string[])[]>> = {
  input: [["$types", "input"], ["_input_in"]],
  output: [["$types", "output"], ["_output_out"]],
};

/** Types whose first argument is the type of each value of a stream. */
const streams: ReadonlySet<string> = new Set([
  ..."AsyncGenerator AsyncIterable AsyncIterableIterator".split(" "),
  ..."AsyncIterator AsyncIteratorObject Observable".split(" "),
]);

/**
 * Reads the types of the procedures of a router. Returns null if the compiler
 * does not find the router. Errors in the types of the project do not matter.
 */
export function readTypes(router: RouterProgram): RouterTypes | null {
  const { compiler, file, name, program } = router;
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const found =
    module &&
    checker.getExportsOfModule(module).find((each) => each.name === name);
  if (source === undefined || found === undefined) return null;
  const isAlias = (found.flags & compiler.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(found) : found;
  return new CheckedTypes(router, source, checker, symbol);
}

class CheckedTypes implements RouterTypes {
  readonly #router: RouterProgram;
  readonly #source: ts.SourceFile;
  readonly #checker: ts.TypeChecker;
  readonly #symbol: ts.Symbol;
  readonly #converters: Readonly<Record<ParserSide, TypeConverter>>;

  constructor(
    router: RouterProgram,
    source: ts.SourceFile,
    checker: ts.TypeChecker,
    symbol: ts.Symbol,
  ) {
    this.#router = router;
    this.#source = source;
    this.#checker = checker;
    this.#symbol = symbol;
    const create = (side: ParserSide): TypeConverter =>
      new TypeConverter({ ...router, checker, source, side });
    this.#converters = { input: create("input"), output: create("output") };
  }

  typeOf(path: string, side: ParserSide): TypedMessage | null {
    const procedure = this.#procedure(path);
    const definition = procedure && this.#member(procedure, "_def");
    if (!definition) return null;
    for (const names of members[side]) {
      const type = this.#follow(definition, names);
      if (type === null) continue;
      return this.#read(this.#typeOf(type), side);
    }
    return null;
  }

  docsOf(path: string): ProcedureDocs {
    const procedure = this.#procedure(path);
    if (procedure === null) return { description: null, isDeprecated: false };
    return docsOf(procedure, this.#router.compiler, this.#checker);
  }

  #read(type: ts.Type, side: ParserSide): TypedMessage {
    const converter = this.#converters[side];
    const name = type.getSymbol()?.name ?? "";
    const [value] = streams.has(name)
      ? converter.argumentsOf(type)
      : [undefined];
    const schema = converter.convertMessage(value ?? type);
    return { schema, isStream: value !== undefined };
  }

  /** Returns the property of the router that is a procedure. */
  #procedure(path: string): ts.Symbol | null {
    return path
      .split(".")
      .reduce<ts.Symbol | null>(
        (router, name) => router && this.#procedureIn(router, name),
        this.#symbol,
      );
  }

  #procedureIn(router: ts.Symbol, name: string): ts.Symbol | null {
    return (
      this.#follow(router, ["_def", "record", name]) ??
      this.#member(router, name)
    );
  }

  #follow(holder: ts.Symbol, names: readonly string[]): ts.Symbol | null {
    return names.reduce<ts.Symbol | null>(
      (symbol, name) => symbol && this.#member(symbol, name),
      holder,
    );
  }

  #member(holder: ts.Symbol, name: string): ts.Symbol | null {
    return this.#typeOf(holder).getProperty(name) ?? null;
  }

  #typeOf(symbol: ts.Symbol): ts.Type {
    return this.#checker.getTypeOfSymbolAtLocation(symbol, this.#source);
  }
}
