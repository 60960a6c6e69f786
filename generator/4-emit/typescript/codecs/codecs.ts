import { createIndex } from "../../../ir/resolve.js";
import type { Emitter } from "../../emitter.js";
import {
  type CodecContext,
  type CodecSubject,
  subjectsOf,
} from "./codec-context.js";
import { decoderStatement } from "./codec-decode.js";
import { encoderStatement } from "./codec-encode.js";
import { readerStatements } from "./codec-read.js";
import { createConversions } from "./conversions.js";
import { createLayout } from "../names/layout.js";
import { printFile } from "../text/print.js";
import type { Declared } from "../text/declare.js";
import { createTypeContext } from "../types/type-text.js";
import { allWanted, createWanted, type Wanted } from "./wanted.js";

/**
 * `codecs.ts`: conversion between the wire and TypeScript, for messages in
 * which something has two forms.
 */
export const codecsEmitter: Emitter = {
  name: "codecs",
  isByHost: true,
  emit(contract, options) {
    const layout = createLayout(contract, options);
    const index = createIndex(contract);
    const wanted = allWanted(createWanted(contract, options));
    return layout.units.flatMap((unit) => {
      const types = createTypeContext(layout, unit, "codecs", index);
      const conversions = createConversions(contract, options, unit.host);
      const context = { ...types, unit, conversions };
      const subjects = subjectsOf(layout, unit);
      const read = subjects.filter(({ name }) => wanted.readers.has(name));
      const statements = [
        ...subjects.flatMap((subject) =>
          statementsOf(context, subject, wanted),
        ),
        ...readerStatements(context, read),
      ];
      return printFile(context.imports, statements);
    });
  },
};

function statementsOf(
  context: CodecContext,
  subject: CodecSubject,
  wanted: Wanted,
): readonly Declared[] {
  const { name } = subject;
  const statements: Declared[] = [];
  if (wanted.decoders.has(name)) {
    statements.push(decoderStatement(context, subject));
  }
  if (wanted.encoders.has(name)) {
    statements.push(encoderStatement(context, subject));
  }
  return statements;
}
