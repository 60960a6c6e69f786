import {
  metadataKeys,
  type KeyMeaning,
} from "../../2-check/notation/notation.js";
import { keyDocs } from "../hover/language-docs.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import { completeErrors } from "./errors.js";
import type { CompletionScope } from "./line-context.js";
import { spanBefore, type LineContext } from "./line-context.js";

/** Completes built-in keys for the declaration above. */
export function completeMetadataKey(line: LineContext): readonly Completion[] {
  const owner = line.block === "type" ? "alias" : "field";
  return [...metadataKeys]
    .filter(([, { on }]) => on.includes(owner))
    .map(([key, meaning]) =>
      createCompletion(key, "metadata-key", spanBefore(line, /[\w.]*$/), {
        text: `${key} = $0`,
        detail: describe(meaning),
        docs: keyDocs(key) ?? "",
      }),
    );
}

function describe({ limits }: KeyMeaning): string {
  switch (limits) {
    case null:
      return "";
    case "number":
      return "limits numbers";
    case "text":
      return "limits strings";
    case "list":
      return "limits lists";
    case "map":
      return "limits maps";
  }
}

/** Completes the value of a key that has only a few possible values. */
export function completeMetadataValue(
  line: LineContext,
  surroundings: CompletionScope,
): readonly Completion[] {
  const [, key = ""] = /\+\s*([\w.]+)\s*=/.exec(line.before) ?? [];
  const span = spanBefore(line, /[^\s="]*$/);
  const values = (texts: readonly string[]): readonly Completion[] =>
    texts.map((text) => createCompletion(text, "value", span));
  if (metadataKeys.get(key)?.form === "flag") return values(["true", "false"]);
  switch (key) {
    case "accept":
      return values(["integer"]);
    case "error":
      return completeErrors(line, surroundings);
    case "format":
      return values(["uri"]);
    case "known":
      return values(stringEnums(line, surroundings));
    default:
      return [];
  }
}

function stringEnums(
  { document }: LineContext,
  { program }: CompletionScope,
): readonly string[] {
  const types = program.scopes.get(document.path)?.types ?? [];
  return types.flatMap(({ syntax }) =>
    syntax.kind === "enum" && syntax.base.text === "string"
      ? syntax.name.text
      : [],
  );
}
