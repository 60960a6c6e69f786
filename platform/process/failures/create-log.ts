import { isString } from "@ridlkit/runtime/validation";
import { type Logger, pino } from "pino";

import { reasonOf } from "./error-facts.js";
import { toLogText } from "./to-log-text.js";

/** The maximum number of causes and of stack frames that a line shows. */
const maxCauses = 3;
const maxFrames = 10;

/** How deep the values of a line may be nested. */
const maxDepth = 5;

/**
 * Creates the log of the platform. Errors and texts in its lines can come from
 * nodes, receivers and tenants, so each one passes `toLogText`. Of an error, a line
 * shows its type, message and code, where it was thrown and what caused it, but no
 * other property, which can contain a key.
 */
export function createLog(
  level: string,
  write: (line: string) => void,
): Logger {
  const options = {
    level,
    formatters: { log: (facts: object) => mapFacts(facts) },
    // pino's own serializer would look for a type in what `mapFacts` returns.
    serializers: { err: (error: unknown) => error },
  };
  return pino(options, { write });
}

function mapFacts(facts: object, depth = maxDepth): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      toLogged(value, depth),
    ]),
  );
}

/** Returns a value as a line shows it. */
export function toLogged(value: unknown, depth = maxDepth): unknown {
  if (isString(value) || value instanceof URL) return toLogText(String(value));
  if (value instanceof Error) return describe(value, maxCauses);
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return value;
  if (depth === 0) return "…";
  return isList
    ? value.map((each) => toLogged(each, depth - 1))
    : mapFacts(value, depth - 1);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** An error as a line shows it. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** The code of an error of PostgreSQL, Node.js or a chain. */
  readonly code?: unknown;
  readonly stack: string;
  readonly cause?: LoggedError;
}

function describe(error: Error, depth: number): LoggedError {
  const { cause, message, name, stack = "" } = error;
  // A message can contain lines that look like frames.
  const frames = stack
    .replace(message, "")
    .split("\n")
    .filter((line) => /^\s+at /u.test(line))
    .slice(0, maxFrames)
    .map(toLogText);
  return {
    type: toLogText(name),
    message: reasonOf(error),
    ...("code" in error && { code: toLogged(error.code) }),
    stack: frames.join("\n"),
    ...(cause instanceof Error &&
      depth > 0 && { cause: describe(cause, depth - 1) }),
  };
}
