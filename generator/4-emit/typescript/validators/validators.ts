import { isBytes } from "../../../ir/bytes.js";
import type { Host, Method, TypeDeclaration } from "../../../ir/contract.js";
import { createIndex } from "../../../ir/resolve.js";
import type { Emitter, OutputFile } from "../../emitter.js";
import { buildConstant } from "../text/build.js";
import { routePath } from "../calls/call-routes.js";
import { inboundServices } from "../calls/call-scope.js";
import { createLayout, type Unit } from "../names/layout.js";
import { checkOf } from "./message-functions.js";
import { printFile } from "../text/print.js";
import { quoteProperty } from "../text/quote.js";
import { reachableFrom } from "./reachable.js";
import { entryOf, genericOf, linesObjectOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";
import { writeAliasCheck } from "./validator-containers.js";
import {
  createValidatorContext,
  type ValidatorContext,
} from "./validator-context.js";
import { enumPredicate } from "./validator-enums.js";
import { objectCheck } from "./validator-fields.js";
import { aliasPredicate } from "./validator-scalars.js";

/**
 * `validators.ts`: a check for every message and for every type in one; plain
 * code without `eval`. Messages are judged as they are on the wire.
 */
export const validatorsEmitter: Emitter = {
  name: "validators",
  isByHost: true,
  emit(contract, options) {
    const layout = createLayout(contract, options);
    const index = createIndex(contract);
    const reachable = new Set(
      contract.hosts.flatMap((host) => [...reachableFrom(host, index)]),
    );
    return layout.units.flatMap((unit) => {
      const context = createValidatorContext(layout, unit, index);
      return validatorFile(context, unit, reachable);
    });
  },
};

function validatorFile(
  context: ValidatorContext,
  unit: Unit,
  reachable: ReadonlySet<string>,
): readonly OutputFile[] {
  const statements = [
    ...unit.types
      .filter((type) => reachable.has(type.name))
      .flatMap((type) => typeValidators(context, type)),
    ...messageChecks(context, unit),
    ...responseChecks(context, unit),
  ];
  return printFile(context.imports, [
    ...context.constants,
    ...context.containers,
    ...context.predicates,
    ...statements,
  ]);
}

function typeValidators(
  context: ValidatorContext,
  type: TypeDeclaration,
): readonly Declared[] {
  const { index, layout } = context;
  if (type.kind === "enum") return [enumPredicate(context, type)];
  if (type.kind === "struct") {
    return [objectCheck(context, layout.names.type(type.name), type.fields)];
  }
  const resolved = index.resolve(type.type);
  const isScalar = resolved.kind === "scalar" && resolved.name !== "any";
  if (isScalar || isBytes(index, resolved)) {
    return [aliasPredicate(context, type)];
  }
  // It goes where other lists and maps can be made of it.
  writeAliasCheck(context, type);
  return [];
}

/** Checks of messages that list arguments; the others are those of structs. */
function messageChecks(
  context: ValidatorContext,
  unit: Unit,
): readonly Declared[] {
  const services = unit.host?.services ?? [];
  return services.flatMap((service) =>
    service.methods.flatMap((method) =>
      (["request", "response"] as const).flatMap((side) => {
        const { struct, fields } = method[side];
        if (struct !== null || fields.length === 0) return [];
        const name = context.layout.names.method(method)[side];
        return objectCheck(context, name, fields);
      }),
    ),
  );
}

/** One table for each host, which clients hand to `checkResponses`. */
function responseChecks(
  context: ValidatorContext,
  { host }: Unit,
): readonly Declared[] {
  if (host === null) return [];
  const { imports, layout } = context;
  const entries = inboundServices(host).flatMap((service) =>
    service.methods.flatMap((method) => {
      const check = responseCheck(context, host, method);
      return check === null
        ? []
        : [entryOf(quoteProperty(routePath(method)), check)];
    }),
  );
  if (entries.length === 0) return [];
  const name = layout.names.host(host).responseChecks;
  const type = imports.runtimeType("validation", "Check");
  return [
    buildConstant(
      imports,
      ["Checks of responses by path, for `checkResponses`."],
      name,
      genericOf("Readonly", [genericOf("Record", ["string", type])]),
      linesObjectOf(entries),
    ),
  ];
}

/** Null where there is nothing to check, and for streams. */
function responseCheck(
  { imports, layout }: ValidatorContext,
  host: Host,
  method: Method,
): string | null {
  const check = checkOf({ layout, host }, method, "response");
  return check === null || method.response.isStream
    ? null
    : imports.generated(check.unit, "validators", check.name);
}
