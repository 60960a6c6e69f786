import { escapeInJson } from "../../generator/4-emit/emitter/invisible.js";

/**
 * Prints JSON with every `bigint` as a number. Invisible characters are
 * escaped, because a server could otherwise control the terminal.
 *
 * Input: the text before each level, or "" to print a single line.
 */
export function printResponse(value: unknown, indentation: string): string {
  return escapeInJson(print(value, indentation, ""));
}

function print(value: unknown, indentation: string, before: string): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value) ?? "null";
  }
  const inner = before + indentation;
  const space = indentation === "" ? "" : " ";
  const members = Array.isArray(value)
    ? value.map((item) => print(item, indentation, inner))
    : Object.entries(value).map(
        ([name, item]) =>
          `${JSON.stringify(name)}:${space}${print(item, indentation, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (members.length === 0) return `${open}${close}`;
  const line = indentation === "" ? "" : "\n";
  return `${open}${line}${inner}${members.join(`,${line}${inner}`)}${line}${before}${close}`;
}
