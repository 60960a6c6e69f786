import { isFileField } from "../../http/request.js";
import type { Contract, Method } from "../../ir/contract.js";
import { allMethods } from "../../ir/methods-of.js";
import { pascalCase } from "./casing.js";
import { NamePool } from "./name-pool.js";

/**
 * Returns the names of the methods that are tools. One server may expose the tools
 * of all hosts, so the names of all tools differ.
 *
 * Input: the setting of the target `mcp`, if it has one.
 */
export function nameTools(
  { hosts }: Contract,
  setting: unknown,
): ReadonlyMap<Method, string> {
  const names = new NamePool(new Set(), null, shortName);
  const answered = hosts.map(({ services }) => ({
    services: services.filter(({ direction }) => direction === "inbound"),
  }));
  return new Map(
    allMethods(answered)
      .filter((method) => isTool(method, setting === "annotated"))
      .map((method) => [method, names.claim(nameOf(method))]),
  );
}

/** Whether a method is a tool. Methods with files are not. */
function isTool(
  { annotations, request, response }: Method,
  needsAnnotation: boolean,
): boolean {
  const isAnnotated = annotations.some(({ name }) => name === "tool");
  const fields = [...request.fields, ...response.fields];
  return !fields.some(isFileField) && (isAnnotated || !needsAnnotation);
}

/** Returns a name that does not change if another service adds a method. */
function nameOf({ name, service }: Method): string {
  return `${pascalCase(service)}_${name}`;
}

/**
 * Agents allow 64 characters for a tool and the prefix that they give it, such as
 * `mcp__shop__`. A number can follow.
 */
const maxLength = 38;

/**
 * Keeps the characters that all clients allow. A long name keeps its method, or
 * the start of a method that is too long itself, and the hash of the name.
 */
function shortName(name: string): string {
  const text = name.replace(/[^\w-]/gu, "");
  if (text.length <= maxLength) return text;
  const method = text.slice(text.indexOf("_") + 1);
  const room = maxLength - method.length - 1;
  return room > 0
    ? `${text.slice(0, room)}_${method}`
    : `${method.slice(0, maxLength - 7)}_${hashOf(text)}`;
}

/**
 * Returns a hash with 6 hexadecimal digits. It names a tool, so it never changes.
 * Source: FNV-1a, the upper 24 of 32 bits.
 */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 8).toString(16).padStart(6, "0");
}
