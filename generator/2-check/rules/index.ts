import type { Rule } from "./rule.js";

/** Every rule, in the order in which they are applied. */
export const rules: readonly Rule[] = [];
