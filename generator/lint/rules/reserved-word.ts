import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** Names that mean something else wherever JavaScript is written. */
export const globalNames: readonly string[] = [
  ..."Array AsyncIterable BigInt Boolean Date Error Infinity JSON Map Math NaN".split(
    " ",
  ),
  ..."Number Object Partial Promise Readonly Record RegExp Set".split(" "),
  ..."String Symbol TypeError URL Uint8Array".split(" "),
];

/** Members that every object has, and one that makes it a promise. */
export const memberNames: readonly string[] = [
  ..."constructor hasOwnProperty isPrototypeOf propertyIsEnumerable".split(" "),
  ..."prototype then toJSON toLocaleString toString valueOf".split(" "),
];

/** Generated code has to call such a thing otherwise. */
export const reservedWord: LintRule = {
  code: "reserved-word",
  category: "minimal",
  find: ({ nodes }) => {
    const types = [...nodes.aliases, ...nodes.enums, ...nodes.structs];
    const members = new Set(memberNames.map((name) => name.toLowerCase()));
    const taken = [
      ...types.filter(({ syntax }) => globalNames.includes(syntax.name.text)),
      ...nodes.methods.filter(({ syntax }) =>
        members.has(syntax.name.text.toLowerCase()),
      ),
    ];
    return taken.map(({ syntax: { name }, document }) => ({
      location: locate(document, name),
      message: `\`${name.text}\` has a meaning of its own in JavaScript`,
      notes: ["generated code calls it by another name"],
      help: "choose a name that says more",
    }));
  },
};
