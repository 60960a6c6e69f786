import type { OutputFile } from "../../emitter/emitter.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import type { MethodPlan, TypePlan, UnitPlan, EnumPlan } from "../plan/plan.js";
import { buildConstant, buildFunction } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { printFile } from "../text/print.js";
import { quoteProperty, quoteString } from "../text/quote.js";
import { entryOf, genericOf, linesObjectOf } from "../text/shapes.js";
import { writeAliasCheck } from "./containers.js";
import { createValidatorContext, type ValidatorContext } from "./context.js";
import { objectCheck } from "./fields.js";
import { returnIsOneOf } from "./listed-values.js";
import { aliasPredicate, hasPredicate } from "./predicates.js";
import { unionCheck } from "./unions.js";
import { declaredType } from "../plan/type-text.js";

/**
 * Writes `validators.ts`: a check for every message and for the types in it, as
 * plain code without `eval`. The checks apply to the JSON form of messages.
 */
export const validatorsEmitter = createUnitEmitter({
  name: "validators",
  summary:
    "A validator for each message and type. Servers validate requests and responses, and clients can validate responses.",
  guide: "server.md#responses",
  packaged: {
    entry: "validators",
    content: "message validators, e.g. for `checkResponses`",
  },
  needs: ["types"],
  emitUnit(plan, unit) {
    return validatorFile(createValidatorContext(plan, unit));
  },
});

function validatorFile(context: ValidatorContext): readonly OutputFile[] {
  const { constants, containers, imports, plan, predicates, unit } = context;
  const statements = [
    ...unit.types
      .filter(({ schemaName }) => plan.reached.has(schemaName))
      .flatMap((type) => typeValidators(context, type)),
    ...unit.messages
      .filter(({ fields }) => fields.length > 0)
      .map((message) => objectCheck(context, message)),
    ...responseChecks(context, unit),
  ];
  return printFile(imports, [
    ...constants,
    ...containers,
    ...predicates,
    ...statements,
  ]);
}

function typeValidators(
  context: ValidatorContext,
  type: TypePlan,
): readonly Structure[] {
  switch (type.kind) {
    case "enum":
      return [enumPredicate(context, type)];
    case "struct":
      return [objectCheck(context, type)];
    case "union":
      return [unionCheck(context, type)];
    case "alias": {
      if (hasPredicate(type.value))
        return [aliasPredicate(context, type, type.value)];
      // The alias must precede the lists and maps that use it.
      writeAliasCheck(context, type);
      return [];
    }
  }
}

/**
 * Emits the table of a host's response checks, which users pass to
 * `checkResponses`.
 */
function responseChecks(
  { imports }: ValidatorContext,
  { host }: UnitPlan,
): readonly Structure[] {
  if (host === null) return [];
  const entries = host.inbound.flatMap(({ methods }) =>
    methods.filter(hasResponseCheck).map((method) => {
      const { object } = method.response;
      const check = `check${object.name}`;
      const local = imports.generated(object.unit, "validators", check);
      return entryOf(quoteProperty(checkKey(method)), local);
    }),
  );
  if (entries.length === 0) return [];
  const type = imports.runtimeType("validation", "Check");
  return [
    buildConstant(
      ["Response validators by path, for `checkResponses`."],
      host.names.responseChecks,
      genericOf("Readonly", [genericOf("Record", ["string", type])]),
      linesObjectOf(entries),
    ),
  ];
}

/**
 * Returns the key of a method in that table: its path, after its verb if that is
 * not the usual one.
 */
function checkKey({ method: { route }, path, wire }: MethodPlan): string {
  const { verb = "POST" } = wire.address ?? {};
  const isUsual = route.kind !== "rest" || verb === "GET";
  return isUsual ? path : `${verb} ${path}`;
}

/** Whether a response is checked: it has fields and is one JSON value. */
function hasResponseCheck({ response }: MethodPlan): boolean {
  const { files, message, object } = response;
  return object.fields.length > 0 && !message.isStream && files.length === 0;
}

function enumPredicate(context: ValidatorContext, plan: EnumPlan): Structure {
  const { declaration } = plan;
  const type = declaredType(context.imports, plan);
  const values = declaration.members.map(({ jsonValue }) =>
    quoteString(jsonValue),
  );
  const isEmpty = values.length === 0;
  return buildFunction(
    [`Whether \`value\` is a valid \`${type}\`.`],
    `is${type}`,
    [{ name: isEmpty ? "_value" : "value", type: "unknown" }],
    isEmpty ? "boolean" : `value is ${type}`,
    [returnIsOneOf(context, type, [...new Set(values)])],
  );
}
