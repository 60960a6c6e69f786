import type { TypeExpression } from "../../1-parse/ast.js";
import { namesIn } from "../nodes.js";
import { locate, reportError } from "../report.js";
import type { Rule } from "./rule.js";

/** A file is uploaded or downloaded as it is; JSON does not hold it. */
export const misplacedFile: Rule = ({ nodes }) =>
  nodes.types.flatMap(({ syntax, document, owner }) => {
    if (owner.kind === "argument" && isFile(syntax)) return [];
    return namesIn(syntax)
      .filter(({ text }) => text === "file")
      .map((name) =>
        reportError(
          "misplaced-file",
          locate(document, name),
          "a `file` cannot be part of a JSON value",
          { help: "make it an argument of a method, or use `[]byte`" },
        ),
      );
  });

function isFile(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "file";
}
