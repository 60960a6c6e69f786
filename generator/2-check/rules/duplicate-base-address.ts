import { findDuplicates } from "../report/duplicates.js";
import { findMetadata } from "../notation/metadata.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A document has one base address. */
export const duplicateBaseAddress: Rule = ({ nodes }) => {
  const addresses = nodes.aliases.flatMap(({ syntax, document }) => {
    const base = findMetadata(syntax, "base");
    return base ? { base, document } : [];
  });
  return findDuplicates(addresses, ({ document }) => document.path).map(
    ({ first, again }) =>
      reportError(
        "duplicate-base-address",
        locate(again.document, again.base),
        "the document has two base addresses",
        {
          related: [relate(first.document, first.base, "first given here")],
          help: "move the services of one of them into a document of their own",
        },
      ),
  );
};
