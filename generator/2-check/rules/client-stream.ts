import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Streams run from the server to the client; nothing implements the other way. */
export const clientStream: Rule = ({ nodes }) =>
  nodes.methods.flatMap(({ syntax, document }) => {
    if (!syntax.input.isStream) return [];
    return reportError(
      "client-stream",
      locate(document, syntax.name),
      `method \`${syntax.name.text}\` streams its request, which is not supported`,
      { help: "send a list, or call a method for each item" },
    );
  });
