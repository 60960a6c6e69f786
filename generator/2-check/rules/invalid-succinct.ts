import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { isScalarName } from "../../ir/scalars.js";
import type { Program } from "../program/program.js";
import { lookUpLoosely } from "../program/reach.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** `Name(Request) => (Response)`: both are structs, the bodies themselves. */
export const invalidSuccinct: Rule = (program) =>
  program.nodes.methods.flatMap(({ syntax: { input, output }, document }) => {
    // `=> (file)` is a download: the body is the file itself.
    const isDownload = output.succinct?.text === "file";
    const request = input.succinct;
    const response = isDownload ? undefined : output.succinct;
    const bodies = [request, response].flatMap((name) =>
      name ? checkBody(name, document, program) : [],
    );
    if (request && output.arguments.length > 0) {
      return [...bodies, reportMixed(document, output)];
    }
    if (response && input.arguments.length > 0) {
      return [...bodies, reportMixed(document, input)];
    }
    return bodies;
  });

function checkBody(
  name: Word,
  document: LoadedDocument,
  { scopes }: Program,
): readonly Diagnostic[] {
  const scope = scopes.get(document.path);
  const type = scope && lookUpLoosely(scope, name.text);
  // A name that is not declared is `unknown-type`.
  const isStruct = type?.syntax.kind === "struct";
  if (isStruct || (type === undefined && !isScalarName(name.text))) return [];
  return [
    reportError(
      "invalid-succinct",
      locate(document, name),
      `\`${name.text}\` is not a struct`,
      { help: `give it a name: \`(value: ${name.text})\`` },
    ),
  ];
}

function reportMixed(
  document: LoadedDocument,
  side: Parameters<typeof locate>[1],
): Diagnostic {
  return reportError(
    "invalid-succinct",
    locate(document, side),
    "one side of the method is a struct, the other lists arguments",
    { help: "use a struct on both sides, or arguments on both" },
  );
}
