import { metadataKeys } from "../notation/notation.js";
import { locate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Some keys mean something on fields only, some on aliases only. */
export const misplacedKey: Rule = ({ nodes }) =>
  nodes.metadata.flatMap(({ syntax: { key }, document, owner }) => {
    const meaning = metadataKeys.get(key.text);
    if (meaning === undefined || meaning.on.includes(owner.kind)) return [];
    const [place = ""] = meaning.on;
    return reportWarning(
      "misplaced-key",
      locate(document, key),
      `\`${key.text}\` has no effect on ${owner.kind === "alias" ? "an alias" : "a field"}`,
      { help: `it belongs on ${place === "alias" ? "an alias" : "a field"}` },
    );
  });
