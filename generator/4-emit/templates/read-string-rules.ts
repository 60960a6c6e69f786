import { isRecord } from "../../ir/is-record.js";
import { withoutInvisible } from "../emitter/invisible.js";
import {
  commonEscapes,
  defaultNameRules,
  type StringRules,
} from "../names/name-rules.js";

/**
 * Reads how a template set writes strings. What it does not say has a default.
 *
 * Input: the value of `strings`, and a function that reports a fault of it.
 */
export function readStringRules(
  written: unknown,
  refuse: (fault: string) => void,
): StringRules {
  const defaults = defaultNameRules.strings;
  const given = { ...defaults, escapes: {}, ...Object(written) } as Readonly<
    Record<string, unknown>
  >;
  const { digits, quote, unicode } = given;
  const own = given["escapes"];
  const unknown = Object.keys(given).find(
    (key) => !Object.hasOwn(defaults, key),
  );
  if (!isRecord(written) || !isRecord(own) || unknown !== undefined) {
    refuse("must be an object with `quote`, `escapes`, `unicode` and `digits`");
    return defaults;
  }
  if (quote !== '"' && quote !== "'" && quote !== "`") {
    refuse("must have a `quote` that is `\"`, `'` or a backtick");
    return defaults;
  }
  if (digits !== 0 && digits !== 4 && digits !== 8) {
    refuse("must have `digits` that are 0, 4 or 8");
    return defaults;
  }
  const escapes: Readonly<Record<string, unknown>> = {
    ...commonEscapes,
    [quote]: `\\${quote}`,
    ...own,
  };
  /** Whether a text can be told from characters that stand for themselves. */
  const isEscape = (text: unknown): text is string =>
    typeof text === "string" &&
    text.length > 1 &&
    withoutInvisible(text) === text &&
    Object.hasOwn(escapes, text.charAt(0));
  const found = Object.entries(escapes).flatMap(([letter, text]) =>
    Array.from(letter).length === 1 &&
    isEscape(text) &&
    (letter === quote || !text.includes(quote))
      ? [[letter, text] as const]
      : [],
  );
  const texts = new Set(found.map(([, text]) => text));
  if (texts.size < Object.keys(escapes).length) {
    refuse(
      "must have `escapes` with a different text for each character, which begins with a character that has an escape, and has neither quotes nor invisible characters",
    );
    return defaults;
  }
  if (!isEscape(unicode) || unicode.split("{}").length !== 2) {
    refuse(
      "must have a `unicode` with `{}` for the digits, which begins with a character that has an escape",
    );
    return defaults;
  }
  return { quote, escapes: Object.fromEntries(found), unicode, digits };
}
