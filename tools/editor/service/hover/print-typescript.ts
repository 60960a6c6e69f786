import type {
  Argument,
  Field,
  Method,
} from "../../../../generator/1-parse/ast.js";
import { jsonNameOf } from "../../../../generator/2-check/notation/metadata.js";
import { namesUsedBy } from "../../../../generator/2-check/program/nodes.js";
import type {
  CheckedHost,
  Declared,
  DeclaredType,
  Program,
  TypeSyntax,
} from "../../../../generator/2-check/program/program.js";
import { findType } from "../../../../generator/2-check/program/reach.js";
import { lowerContract } from "../../../../generator/3-lower/index.js";
import { planContract } from "../../../../generator/4-emit/typescript/plan/create-plan.js";
import type {
  MethodPlan,
  Plan,
} from "../../../../generator/4-emit/typescript/plan/plan.js";
import {
  printField,
  printType,
} from "../../../../generator/4-emit/typescript/types/types.js";
import type { EmitOptions } from "../../../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../../../generator/ir/contract.js";
import type { NamedSymbol } from "../names/mention.js";
import { ownerOf } from "../names/owner-of.js";

/** Settings of a project that affect the types of values. */
export type ValueForms = Pick<EmitOptions, "int64" | "timestamp">;

/**
 * Prints the TypeScript that is generated for a declaration.
 * Input: a program without errors. Only the parts that the declaration needs
 * are planned.
 * Returns null if the declaration has no TypeScript form of its own.
 */
export function printTypescript(
  program: Program,
  symbol: NamedSymbol,
  forms: ValueForms,
): string | null {
  const { syntax, document } = symbol;
  switch (syntax.kind) {
    case "alias":
    case "enum":
    case "struct": {
      const plan = planPart(program, { syntax, document }, [], forms);
      const type = plan.types.get(syntax.name.text);
      return type ? printType(plan, type) : null;
    }
    case "method":
      return printMethod(program, { syntax, document }, forms);
    case "field":
    case "argument":
      return printMember(program, { syntax, document }, forms);
    case "enum-member": {
      const owner = ownerOf(symbol);
      return owner ? `${owner.name.text}.${syntax.name.text}` : null;
    }
    case "error":
    case "service":
      return null;
  }
}

function printMethod(
  program: Program,
  method: Declared<Method>,
  forms: ValueForms,
): string | null {
  const planned = planMethod(program, method, forms);
  if (planned === null) return null;
  const { names, request, response } = planned.method;
  const argument =
    request.object.fields.length > 0 ? "request: " : "request?: ";
  const result = response.message.isStream ? "AsyncIterable" : "Promise";
  return `${names.property}(${argument}${request.object.name}): ${result}<${response.object.name}>`;
}

function printMember(
  program: Program,
  member: Declared<Argument | Field>,
  forms: ValueForms,
): string | null {
  const { syntax, document } = member;
  const owner = ownerOf(member);
  if (owner === null) return null;
  const name = jsonNameOf(syntax);
  if (owner.kind === "struct") {
    const plan = planPart(program, { syntax: owner, document }, [], forms);
    const type = plan.types.get(owner.name.text);
    const fields = type?.kind === "struct" ? type.fields : [];
    const field = fields.find((each) => each.field.jsonName === name);
    return field ? printField(plan, field) : null;
  }
  if (owner.kind !== "method") return null;
  const planned = planMethod(program, { syntax: owner, document }, forms);
  if (planned === null || syntax.kind !== "argument") return null;
  const { request, response } = planned.method;
  const isInput = owner.input.arguments.includes(syntax);
  const { fields } = (isInput ? request : response).object;
  const field = fields.find((each) => each.field.jsonName === name);
  return field ? printField(planned.plan, field) : null;
}

function planMethod(
  program: Program,
  { syntax, document }: Declared<Method>,
  forms: ValueForms,
): { readonly plan: Plan; readonly method: MethodPlan } | null {
  const owner = ownerOf({ syntax, document });
  if (owner?.kind !== "service") return null;
  const host = program.hosts.find(({ services }) =>
    services.some((each) => each.syntax === owner),
  );
  if (host === undefined) return null;
  const service = { syntax: { ...owner, methods: [syntax] }, document };
  const hosts = [{ ...host, services: [service] }];
  const plan = planPart(program, { syntax, document }, hosts, forms);
  const method = plan.hosts[0]?.services[0]?.methods[0];
  return method ? { plan, method } : null;
}

/** Plans a declaration and everything that its text depends on. */
function planPart(
  program: Program,
  start: Declared<TypeSyntax | Method>,
  hosts: readonly CheckedHost[],
  forms: ValueForms,
): Plan {
  const { importedPaths, scopes } = program;
  const types = typesWithin(program, start);
  const errors = hosts.length > 0 ? program.errors : [];
  const part = { errors, hosts, importedPaths, scopes, types };
  return planContract(withoutErrorData(lowerContract(part)), {
    ...forms,
    runtime: "import",
    importExtension: ".js",
  });
}

/** Omits the data of errors, which no text has, and whose types are not listed. */
function withoutErrorData(contract: Contract): Contract {
  return {
    ...contract,
    errors: contract.errors.map((error) => ({ ...error, data: null })),
    hosts: contract.hosts.map((host) => ({ ...host, errorBody: null })),
  };
}

/**
 * Lists the types that a declaration mentions, directly or through aliases.
 * A type's text mentions other structs only by name, so those structs are listed
 * without fields.
 */
function typesWithin(
  program: Program,
  { syntax, document }: Declared<TypeSyntax | Method>,
): readonly DeclaredType[] {
  const found = new Set<DeclaredType>();
  const addMentioned = (each: Declared<TypeSyntax | Method>): void => {
    for (const { text } of namesUsedBy(each.syntax)) {
      const type = findType(program, each.document, text);
      if (type) found.add(type);
    }
  };
  const own =
    syntax.kind === "method"
      ? undefined
      : findType(program, document, syntax.name.text);
  if (own) found.add(own);
  else addMentioned({ syntax, document });
  const types: DeclaredType[] = [];
  // The loop also visits types that it adds to the set.
  for (const type of found) {
    const isOther = type !== own && syntax.kind !== "method";
    if (type.syntax.kind === "struct" && isOther) {
      types.push({ ...type, syntax: { ...type.syntax, fields: [] } });
    } else {
      types.push(type);
      addMentioned(type);
    }
  }
  return types;
}
