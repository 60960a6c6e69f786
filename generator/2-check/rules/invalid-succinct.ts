import type { Message, Word } from "../../1-parse/ast.js";
import { isScalarName } from "../core-types.js";
import { lookUpLoosely } from "../reach.js";
import { locate, reportError } from "../report.js";
import type { Rule } from "./rule.js";

/** `Name(Request) => (Response)`: both are structs, the bodies themselves. */
export const invalidSuccinct: Rule = ({ nodes, scopes }) =>
  nodes.methods.flatMap(({ syntax: { input, output }, document }) => {
    const scope = scopes.get(document.path);
    const isStruct = (name: Word): boolean => {
      const type = scope && lookUpLoosely(scope, name.text);
      if (type) return type.syntax.kind === "struct";
      // A name that is not declared is `unknown-type`.
      return !isScalarName(name.text);
    };
    // `=> (file)` is a download: the body is the file itself.
    const isDownload = output.succinct?.text === "file";
    const response = isDownload ? undefined : output.succinct;
    const bodies = [input.succinct, response].flatMap((name) =>
      name && !isStruct(name)
        ? reportError(
            "invalid-succinct",
            locate(document, name),
            `\`${name.text}\` is not a struct`,
            { help: `give it a name: \`(value: ${name.text})\`` },
          )
        : [],
    );
    const mixed = isMixed(input, output) ? output : input;
    if (mixed === input && !isMixed(output, input)) return bodies;
    return [
      ...bodies,
      reportError(
        "invalid-succinct",
        locate(document, mixed),
        "one side of the method is a struct, the other lists arguments",
        { help: "use a struct on both sides, or arguments on both" },
      ),
    ];
  });

function isMixed(succinct: Message, other: Message): boolean {
  return succinct.succinct !== undefined && other.arguments.length > 0;
}
