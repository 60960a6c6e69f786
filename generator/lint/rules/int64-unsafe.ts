import { parseNumber } from "../../2-check/notation/numbers.js";
import { locate } from "../../2-check/report/report.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";
import type { TypePlace } from "../facts/type-places.js";
import { followType } from "../facts/type-places.js";

const wideIntegers: ReadonlySet<string> = new Set([
  "int",
  "int64",
  "uint",
  "uint64",
]);

/** A double holds every integer up to 2^53-1, and some of those beyond. */
export const int64Unsafe: LintRule = {
  code: "int64-unsafe",
  category: "security",
  find: (program, { int64 }) => {
    if (int64 === "bigint") return [];
    const { fields, arguments: given } = program.nodes;
    const innermost = [...fields, ...given].flatMap(({ syntax, document }) =>
      followType(program, document, syntax).places.slice(-1),
    );
    // An alias is met once for each of its uses.
    const byType = new Map(
      innermost.filter(isUnsafe).map((place) => [place.type, place]),
    );
    return [...byType.values()].map(explain);
  },
};

function isUnsafe({ type, limits }: TypePlace): boolean {
  if (type.kind !== "name" || !wideIntegers.has(type.name.text)) return false;
  const numbers = (key: string): readonly number[] =>
    limits
      .filter((limit) => limit.key.text === key)
      .map((limit) => Number(parseNumber(limit.value.text)));
  const hasUpper = numbers("maximum").some(
    (value) => value <= Number.MAX_SAFE_INTEGER,
  );
  const hasLower =
    type.name.text.startsWith("u") ||
    numbers("minimum").some((value) => value >= Number.MIN_SAFE_INTEGER);
  return !hasUpper || !hasLower;
}

function explain({ type, document, owner }: TypePlace): Finding {
  const name = type.kind === "name" ? type.name.text : "";
  const isOutermost = owner.type === type && owner.kind !== "argument";
  const limits = name.startsWith("u")
    ? "`+ maximum = 9007199254740991`"
    : "`+ minimum = -9007199254740991` and `+ maximum = 9007199254740991`";
  // The setting is about `int64` and `uint64`; the others stay numbers.
  const otherWay = name.endsWith("64")
    ? ", or set `int64: bigint` in the configuration"
    : "";
  return {
    location: locate(document, type),
    message: `\`${owner.name.text}\` has 64 bits, more than a JavaScript number can hold`,
    notes: ["values beyond 9007199254740991 are refused, not rounded"],
    help: `${isOutermost ? "add" : "declare a `type` for it with"} ${limits}${otherWay}`,
  };
}
