import { findMisnamed } from "../facts/message-names.js";
import type { LintRule } from "./rule.js";

/** The request of `Get` is `GetRequest`, or `ShopGetRequest` in service `Shop`. */
export const requestStandardName: LintRule = {
  code: "request-standard-name",
  category: "standard",
  find: (program) => findMisnamed(program, "input", "Request"),
};
