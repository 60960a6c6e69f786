import { locate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/** `proxy` is read, and has no effect: the method has no arguments. */
export const proxyMethod: Rule = ({ nodes }) =>
  nodes.methods.flatMap(({ syntax, document }) => {
    if (!syntax.isProxy) return [];
    return reportWarning(
      "proxy-method",
      locate(document, syntax.name),
      `\`proxy ${syntax.name.text}\` becomes a method without arguments`,
      {
        notes: ["webrpc reads `proxy` and does not forward anything either"],
        help: "declare the method with its arguments",
      },
    );
  });
