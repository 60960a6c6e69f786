import type { NamedProcedure } from "./name-procedures.js";
import {
  acceptsAbsence,
  describeParser,
  isVoid,
  type ParserContext,
} from "./parsers.js";
import type { RouterProcedure } from "./read-router.js";
import { type LinkedSchema, linkSchema } from "./schemas/link-schema.js";
import type { ParserSide, SchemaNote } from "./schemas/schema-note.js";
import {
  isMissing,
  type MissingTypes,
  type ProcedureDocs,
  type RouterTypes,
  type TypedMessage,
} from "./types/typed-procedure.js";

/** A procedure whose input and output are JSON Schema. */
export interface DescribedProcedure {
  readonly procedure: RouterProcedure;
  readonly named: NamedProcedure;
  readonly kind: RouterProcedure["kind"];
  readonly docs: ProcedureDocs;
  readonly input: LinkedSchema | null;
  readonly output: LinkedSchema | null;
  readonly isOptional: boolean;
  readonly notes: readonly SchemaNote[];
}

/** How to read the parsers and the types of procedures. */
export interface DescriptionContext extends ParserContext {
  readonly types: RouterTypes | MissingTypes;
}

/** Describes a procedure by its parsers, and by its types where it has none. */
export function describeProcedure(
  procedure: RouterProcedure,
  named: NamedProcedure,
  context: DescriptionContext,
): DescribedProcedure {
  const { kind, output, path } = procedure;
  const notes: SchemaNote[] = [];
  const describer = new MessageDescriber(path, context, notes);
  const parsers = procedure.inputs.filter((parser) => !isVoid(parser));
  const input = describer.input(parsers);
  const result = output === null ? describer.typed() : describer.output(output);
  return {
    procedure,
    named,
    kind: result.isStream ? "subscription" : kind,
    docs: docsOf(procedure, context),
    input,
    output: result.schema,
    isOptional: parsers.length > 0 && parsers.every(acceptsAbsence),
    notes,
  };
}

/** What a procedure says about itself, or else the comment above it. */
function docsOf(
  { description, isDeprecated, path }: RouterProcedure,
  { types }: DescriptionContext,
): ProcedureDocs {
  if (isMissing(types)) return { description, isDeprecated };
  const docs = types.docsOf(path);
  return {
    description: description ?? docs.description,
    isDeprecated: isDeprecated || docs.isDeprecated,
  };
}

class MessageDescriber {
  readonly #path: string;
  readonly #context: DescriptionContext;
  readonly #notes: SchemaNote[];

  constructor(path: string, context: DescriptionContext, notes: SchemaNote[]) {
    this.#path = path;
    this.#context = context;
    this.#notes = notes;
  }

  /** Returns the schema of an input, which can have several parsers. */
  input(parsers: readonly unknown[]): LinkedSchema | null {
    const schemas = parsers.map((each) => this.#parse(each, "input"));
    if (schemas.includes(null)) {
      const typed = this.#typeOf("input");
      if (typed !== null) return typed.schema;
    }
    const [first, ...others] = schemas.map((each) => each ?? {});
    if (first === undefined) return null;
    return others.length === 0 ? first : { allOf: [first, ...others] };
  }

  output(parser: unknown): TypedMessage {
    if (isVoid(parser)) return { schema: null, isStream: false };
    const schema = this.#parse(parser, "output");
    if (schema !== null) return { schema, isStream: false };
    return this.#typeOf("output") ?? { schema: {}, isStream: false };
  }

  /** Returns the output of a procedure without a parser. */
  typed(): TypedMessage {
    const { types } = this.#context;
    const found = this.#typeOf("output");
    if (found !== null) return found;
    this.#notes.push(
      isMissing(types)
        ? ["value", types.fault, types.help]
        : ["value", unknownOutput.fault, unknownOutput.help],
    );
    return { schema: {}, isStream: false };
  }

  /** Returns null if a parser cannot be converted. */
  #parse(parser: unknown, side: ParserSide): LinkedSchema | null {
    const found = describeParser(parser, side, this.#context);
    if ("fault" in found) {
      const help =
        this.#typeOf(side) === null
          ? found.help
          : "its TypeScript type, without limits";
      this.#notes.push(["value", found.fault, help]);
      return null;
    }
    if (found.isPartial) {
      const message = `the ${side} parser may do more than its JSON Schema says`;
      this.#notes.push(["advice", message, "compare them by hand"]);
    }
    return linkSchema(found.schema, side);
  }

  #typeOf(side: ParserSide): TypedMessage | null {
    const { types } = this.#context;
    return isMissing(types) ? null : types.typeOf(this.#path, side);
  }
}

/** An output about which neither a parser nor a type says anything. */
export const unknownOutput: MissingTypes = {
  fault: "the output has no parser, so its type is not known",
  help: "`any`; add `.output(…)` to the procedure",
};
