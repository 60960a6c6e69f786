import { createUnitEmitter } from "../plan/unit-emitter.js";
import { createScope } from "../plan/file-scope.js";
import { objectsOf } from "../plan/objects.js";
import { printFile } from "../text/print.js";
import { decoderStatement } from "./decode.js";
import { encoderStatement } from "./encode.js";
import { readerStatements } from "./read.js";

/**
 * `codecs.ts`: conversion between the wire and TypeScript, for messages in
 * which something has two forms.
 */
export const codecsEmitter = createUnitEmitter({
  name: "codecs",
  needs: ["types"],
  emitUnit(plan, unit) {
    const { imports } = createScope(plan, unit, "codecs");
    const objects = objectsOf(unit);
    const statements = [
      ...objects.flatMap((object) => [
        ...(object.needed.decoder ? [decoderStatement(imports, object)] : []),
        ...(object.needed.encoder ? [encoderStatement(imports, object)] : []),
      ]),
      ...readerStatements(
        imports,
        objects.filter(({ needed }) => needed.reader),
      ),
    ];
    return printFile(imports, statements);
  },
});
