import { findMisnamed } from "../facts/message-names.js";
import type { LintRule } from "./rule.js";

/** The response of `Get` is `GetResponse`, or `ShopGetResponse` in service `Shop`. */
export const responseStandardName: LintRule = {
  code: "response-standard-name",
  category: "standard",
  find: (program) => findMisnamed(program, "output", "Response"),
};
