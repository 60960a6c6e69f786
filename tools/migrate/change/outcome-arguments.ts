import type { ts } from "ts-morph";
import type { OldCall, SymbolLookup } from "./uses.js";
import type { ContractOperation } from "./operations.js";
import type { WireResponse } from "../../../generator/http/wire-method.js";
import { UnsupportedCode } from "./unsupported-code.js";

/** The names in the old form of an outcome. */
export interface OutcomeForm {
  /** The member with the body of a success. */
  readonly data: string;
  /** The member that is the response. */
  readonly response?: string;
  /** The member that is the status, if there is no response. */
  readonly status?: string;
  /** A member that the new outcome lacks. */
  readonly missing?: string;
}

/** What a program reads from the outcome of a call. */
interface Reads {
  /** Whether it can read the data. */
  readonly data: boolean;
  /** Whether it can read the status. */
  readonly response: boolean;
}

/**
 * Returns the arguments after the result: the output that is the body, and the
 * status of a success if it is not 200, as far as the program reads them. If
 * there are several statuses, it is the output with the status.
 * `form` is null if the outcome is the data.
 *
 * Errors: {@link UnsupportedCode} if the program needs more of the response.
 */
export function outcomeArguments(
  call: OldCall,
  { method }: ContractOperation,
  form: OutcomeForm | null,
  lookup: SymbolLookup,
): readonly string[] {
  const reads = readsOf(call.node, form, lookup);
  const { response } = method.wire;
  const { byStatus, status: output, whole } = response;
  const isShared = byStatus.every(({ body }) => body === byStatus[0]?.body);
  const hasSeveral = byStatus.length > 1;
  const canRead = isShared && output !== null;
  if (hasSeveral && !canRead && (reads.data || reads.response)) {
    throw new UnsupportedCode(
      call.node,
      "a success of this method has several statuses, each with its own output",
      "read the output that the response has",
    );
  }
  const isEmpty = whole === null && response.members.length === 0;
  const [first] = byStatus;
  const named = first === undefined ? whole : first.body;
  const body = named || !isEmpty ? JSON.stringify(named?.jsonName) : "null";
  const key = reads.data ? (body ?? "undefined") : "undefined";
  const isNarrowing = form?.status !== undefined;
  const status = reads.response
    ? statusOf(response, hasSeveral, isNarrowing)
    : null;
  if (status !== null) return [key, status];
  return key === "undefined" ? [] : [key];
}

/**
 * Prints the status of a success, or the output that has it. If a test of the
 * status narrows a type, the possible statuses are listed, too.
 */
function statusOf(
  { byStatus, status: output, successes }: WireResponse,
  hasSeveral: boolean,
  isNarrowing: boolean,
): string | null {
  if (hasSeveral) {
    const name = JSON.stringify(output?.jsonName ?? null);
    const all = byStatus.map((each) => each.status).join(", ");
    return isNarrowing ? `{ output: ${name}, of: [${all}] }` : name;
  }
  const [{ status }] = successes;
  return status === 200 ? null : String(status);
}

function readsOf(
  call: ts.CallExpression,
  form: OutcomeForm | null,
  lookup: SymbolLookup,
): Reads {
  const { compiler } = lookup;
  const awaited = compiler.isAwaitExpression(call.parent) ? call.parent : null;
  if (awaited && compiler.isExpressionStatement(awaited.parent)) {
    return { data: false, response: false };
  }
  if (form === null) return { data: true, response: false };
  const parent = awaited?.parent;
  if (!parent || !compiler.isVariableDeclaration(parent)) {
    return { data: true, response: true };
  }
  const { name } = parent;
  if (compiler.isIdentifier(name)) {
    checkUses(name, lookup, (use) => {
      const member = memberOf(use, lookup);
      if (member === null) return;
      if (member.name.text === form.response) checkResponse(member, lookup);
      if (member.name.text === form.missing) throw missing(member);
    });
    return { data: true, response: true };
  }
  if (!compiler.isObjectBindingPattern(name)) {
    return { data: true, response: true };
  }
  const named = new Map(
    name.elements.map((each) => [
      (each.propertyName ?? each.name).getText(),
      each,
    ]),
  );
  const lacking = named.get(form.missing ?? "");
  if (lacking !== undefined) throw missing(lacking);
  const hasRest = name.elements.some(({ dotDotDotToken }) => dotDotDotToken);
  const response = named.get(form.response ?? "")?.name;
  if (response !== undefined) {
    if (compiler.isObjectBindingPattern(response)) {
      const other = response.elements.find(
        (each) => !isKnown((each.propertyName ?? each.name).getText()),
      );
      if (other !== undefined) throw unknownPart(other);
    } else if (compiler.isIdentifier(response)) {
      checkUses(response, lookup, (use) => checkResponse(use, lookup));
    }
  }
  return {
    data: hasRest || named.has(form.data),
    response: hasRest || response !== undefined || named.has(form.status ?? ""),
  };
}

/** Calls `check` with each use of a variable in its file. */
function checkUses(
  name: ts.Identifier,
  { checker, compiler }: SymbolLookup,
  check: (use: ts.Identifier) => void,
): void {
  const symbol = checker.getSymbolAtLocation(name);
  const visit = (node: ts.Node): void => {
    if (
      compiler.isIdentifier(node) &&
      node !== name &&
      node.text === name.text &&
      checker.getSymbolAtLocation(node) === symbol
    ) {
      check(node);
    }
    compiler.forEachChild(node, visit);
  };
  visit(name.getSourceFile());
}

function checkResponse(use: ts.Expression, lookup: SymbolLookup): void {
  const member = memberOf(use, lookup);
  if (member === null || !isKnown(member.name.text)) {
    throw unknownPart(member ?? use);
  }
}

function memberOf(
  node: ts.Node,
  { compiler }: SymbolLookup,
): ts.PropertyAccessExpression | null {
  const { parent } = node;
  return compiler.isPropertyAccessExpression(parent) &&
    parent.expression === node
    ? parent
    : null;
}

function isKnown(name: string): boolean {
  return name === "ok" || name === "status";
}

function missing(node: ts.Node): UnsupportedCode {
  return new UnsupportedCode(
    node,
    "outcomes have only the data and the status",
  );
}

function unknownPart(node: ts.Node): UnsupportedCode {
  return new UnsupportedCode(
    node,
    "responses have only `ok` and `status`",
    "declare the header as an output of the method",
  );
}
