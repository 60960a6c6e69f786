import type { Annotation, Message, Method } from "../1-parse/ast.js";
import { lookUpIgnoringCase } from "../2-check/program/reach.js";
import type { DeclaredService, Scope } from "../2-check/program/program.js";
import type {
  AnnotationJson,
  ArgumentJson,
  MethodJson,
  ServiceJson,
} from "./schema-json.js";
import { printType } from "./types.js";

/** Converts a service. */
export function serviceToJson(
  { syntax }: DeclaredService,
  scope: Scope,
): ServiceJson {
  return {
    name: syntax.name.text,
    methods: syntax.methods.map((method) => methodToJson(method, scope)),
    comments: syntax.docs,
  };
}

function methodToJson(method: Method, scope: Scope): MethodJson {
  const { input, output, errors = [] } = method;
  const isSuccinct = Boolean(input.succinct ?? output.succinct);
  return {
    name: method.name.text,
    annotations: annotationsToJson(method.annotations),
    comments: method.docs,
    ...(isSuccinct && { succinct: true }),
    ...(input.isStream && { streamInput: true }),
    ...(output.isStream && { streamOutput: true }),
    inputs: messageToJson(input, scope),
    outputs: messageToJson(output, scope),
    ...(errors.length > 0 && { errors: errors.map(({ text }) => text) }),
  };
}

/** Sorts annotations by name, in byte order like Go. */
function annotationsToJson(
  annotations: readonly Annotation[],
): Readonly<Record<string, AnnotationJson>> {
  const entries = annotations.map(({ name, value }) => {
    const annotation = { annotationType: name.text, value: value?.text ?? "" };
    return [name.text, annotation] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function messageToJson(
  { succinct, arguments: list }: Message,
  scope: Scope,
): readonly ArgumentJson[] {
  if (succinct === undefined) {
    return list.map(({ name, type, isOptional }) => ({
      name: name.text,
      type: printType(type, scope),
      optional: isOptional,
    }));
  }
  const declared = lookUpIgnoringCase(scope, succinct.text)?.syntax.name.text;
  const type = declared ?? succinct.text;
  const name = type.slice(0, 1).toLowerCase() + type.slice(1);
  return [{ name, type, optional: false }];
}
