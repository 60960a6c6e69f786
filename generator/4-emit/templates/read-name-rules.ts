import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggestHelp } from "../../diagnostics/suggest.js";
import { isRecord } from "../../ir/is-record.js";
import { readStringRules } from "./read-string-rules.js";
import type { Source, Span } from "../../source/source.js";
import {
  cases,
  defaultNameRules,
  type NameRules,
  type Role,
  type RoleRules,
  roles,
} from "../names/name-rules.js";

/**
 * Reads `names.json` of a template set. What it does not say has a default.
 *
 * Input: the file, or undefined if there is none. Errors: `invalid-template`.
 */
export function readNameRules(
  source: Source | undefined,
): Diagnosed<NameRules> {
  if (source === undefined) return { value: defaultNameRules, diagnostics: [] };
  const reader = new Reader(source);
  const value = reader.read();
  return { value, diagnostics: reader.faults };
}

/** Whether a value is a list of texts such as `New{}Client`. */
function isListOfForms(value: unknown): value is readonly string[] {
  const isForm = (each: unknown): boolean =>
    typeof each === "string" && /^\w*\{(?:Pascal)?\}\w*$/u.test(each);
  return Array.isArray(value) && value.length > 0 && value.every(isForm);
}

class Reader {
  readonly faults: Diagnostic[] = [];
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  read(): NameRules {
    let written: unknown;
    try {
      written = JSON.parse(this.#source.text);
    } catch (error) {
      this.#refuse("", String(error), undefined, positionIn(String(error)));
      return defaultNameRules;
    }
    const given = this.#record(written, "the file", [
      "words",
      "initialisms",
      "start",
      "roles",
      "strings",
    ]);
    const words = Object.fromEntries(
      Object.entries(this.#record(given["words"] ?? {}, "words", null)).map(
        ([name, list]) => [name, this.#texts(list, `words.${name}`)],
      ),
    );
    const byRole = this.#record(given["roles"] ?? {}, "roles", roles);
    const entries = roles.map((role) => [
      role,
      this.#roleOf(role, byRole[role] ?? {}, Object.keys(words)),
    ]);
    return {
      words,
      initialisms: this.#texts(given["initialisms"] ?? [], "initialisms"),
      start: this.#text(given["start"] ?? defaultNameRules.start, "start"),
      roles: { ...defaultNameRules.roles, ...Object.fromEntries(entries) },
      strings: readStringRules(given["strings"] ?? {}, (fault) =>
        this.#refuse("strings", fault),
      ),
    };
  }

  #roleOf(role: Role, written: unknown, lists: readonly string[]): RoleRules {
    const path = `roles.${role}`;
    const defaults = defaultNameRules.roles[role];
    const given = this.#record(written, path, Object.keys(defaults));
    const form = this.#text(given["case"] ?? defaults.case, `${path}.case`);
    const found = cases.find((each) => each === form);
    if (found === undefined) {
      this.#refuse(`${path}.case`, `must be one of ${cases.join(", ")}`);
    }
    const reserved = this.#texts(given["reserved"] ?? [], `${path}.reserved`);
    const [unknown] = reserved.filter((list) => !lists.includes(list));
    if (unknown !== undefined) {
      const { help } = suggestHelp(unknown, lists);
      this.#refuse(
        `${path}.reserved`,
        `\`words\` has no list \`${unknown}\``,
        help,
      );
    }
    const isQualified = given["isQualified"] ?? false;
    if (typeof isQualified !== "boolean") {
      this.#refuse(`${path}.isQualified`, "must be true or false");
    }
    const declares = given["declares"] ?? defaults.declares;
    if (!isListOfForms(declares)) {
      this.#refuse(`${path}.declares`, "must be a list of texts with `{}`");
    }
    const { scope } = given;
    return {
      case: found ?? defaults.case,
      scope: scope === undefined ? null : this.#text(scope, `${path}.scope`),
      declares: isListOfForms(declares) ? declares : defaults.declares,
      prefix: this.#text(given["prefix"] ?? "", `${path}.prefix`),
      suffix: this.#text(given["suffix"] ?? "", `${path}.suffix`),
      isQualified: isQualified === true,
      reserved,
    };
  }

  #record(
    value: unknown,
    path: string,
    known: readonly string[] | null,
  ): Readonly<Record<string, unknown>> {
    if (!isRecord(value)) {
      this.#refuse(path, "must be an object");
      return {};
    }
    const [unknown] = Object.keys(value).filter(
      (key) => known?.includes(key) === false,
    );
    if (unknown !== undefined && known !== null) {
      const { help } = suggestHelp(unknown, known);
      const at = spanOf(this.#source.text, [...keysOf(path), unknown]);
      this.#refuse(path, `has no property \`${unknown}\``, help, at);
    }
    return value;
  }

  #texts(value: unknown, path: string): readonly string[] {
    if (Array.isArray(value)) {
      return value.map((each) => this.#text(each, path));
    }
    this.#refuse(path, "must be a list");
    return [];
  }

  /** Reads text that identifiers can contain. */
  #text(value: unknown, path: string): string {
    if (typeof value === "string" && /^\w*$/u.test(value)) return value;
    this.#refuse(path, "must be text of letters, digits and `_`");
    return "";
  }

  #refuse(
    path: string,
    fault: string,
    help?: string,
    span = spanOf(this.#source.text, keysOf(path)),
  ): void {
    this.faults.push({
      code: "invalid-template",
      severity: "error",
      message: path === "" ? fault : `\`${path}\` ${fault}`,
      location: { source: this.#source, span },
      ...(help !== undefined && { help }),
    });
  }
}

/** Returns the keys that lead to a value. Those of the whole file are none. */
function keysOf(path: string): readonly string[] {
  return path === "" || path === "the file" ? [] : path.split(".");
}

/** Returns the place of the last of some keys that exists in a JSON object. */
function spanOf(text: string, keys: readonly string[]): Span {
  let found: Span = { start: 0, end: 0 };
  let depth = 0;
  let matched = 0;
  for (const { 0: token, 1: key, index } of text.matchAll(jsonToken)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth < matched) break;
    if (key === undefined || depth !== matched + 1) continue;
    if (key !== JSON.stringify(keys[matched])) continue;
    found = { start: index, end: index + key.length };
    matched += 1;
  }
  return found;
}

const jsonToken = /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/gu;

/** Returns the place that a message of `JSON.parse` names. */
function positionIn(message: string): Span {
  const start = Number(/position (\d+)/u.exec(message)?.[1] ?? 0);
  return { start, end: start };
}
