import type { Target } from "../../emitter/target.js";
import type { WireResponse } from "../../../http/wire-method.js";
import { createPlan } from "../plan/create-plan.js";
import { createScope } from "../plan/file-scope.js";
import type {
  EnumPlan,
  FieldPlan,
  MethodPlan,
  ObjectPlan,
  Plan,
  TypePlan,
  UnitPlan,
  Value,
} from "../plan/plan.js";
import { statusesOf } from "../plan/method-entries.js";
import { declaredType } from "../plan/type-text.js";
import { memberNames } from "../plan/values.js";
import { buildFunction } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteString } from "../text/quote.js";
import { arrayOf, callOf, withKey, linesObjectOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";
import {
  callMaker,
  codeOf,
  drawAlias,
  drawField,
  drawUnion,
  type Drawing,
  isConstant,
  isImpossible,
  type MockScope,
} from "./draw-value.js";
import { methodsOf } from "../../../ir/methods-of.js";

/**
 * Writes `mock.ts`: functions that generate mock responses, and handlers that
 * return them.
 */
export const mockEmitter: Target = {
  name: "mock",
  summary: "Handlers that respond with mock data.",
  guide: "mock.md",
  needs: ["server"],
  emit(contract, options) {
    const plan = createPlan(contract, options);
    const drawn = findDrawn(plan);
    return plan.units.flatMap((unit) => {
      const scope = createMockScope(plan, unit);
      const functions = [
        ...unit.types
          .filter((type) =>
            type.kind === "struct"
              ? drawn.objects.has(type)
              : drawn.names.has(type.schemaName),
          )
          .map((type) => typeFunction(scope, type)),
        ...unit.messages
          .filter(
            (message) =>
              drawn.objects.has(message) && message.fields.length > 0,
          )
          .map((message) => objectFunction(scope, message)),
        ...hostFunction(scope),
      ];
      return printFile(scope.imports, [...scope.constants, ...functions]);
    });
  },
};

function createMockScope(plan: Plan, unit: UnitPlan): MockScope {
  const scope = createScope(plan, unit, "mock");
  return {
    ...scope,
    draw: scope.locals.claim("draw"),
    constants: [],
  };
}

function typeFunction(scope: MockScope, type: TypePlan): Structure {
  switch (type.kind) {
    case "struct":
      return objectFunction(scope, type);
    case "enum":
      return drawFunction(scope, type, enumCode(scope, type), false);
    case "union":
      return drawFunction(scope, type, drawUnion(scope, type), false);
    case "alias": {
      const code = codeOf(scope, drawAlias(scope, type));
      return drawFunction(scope, type, code, isConstant(type.value));
    }
  }
}

function enumCode({ draw }: MockScope, { declaration }: EnumPlan): Doc {
  const values = declaration.members.map(({ jsonValue }) =>
    quoteString(jsonValue),
  );
  return [`${draw}.pick(`, arrayOf([...new Set(values)]), ")"];
}

function objectFunction(scope: MockScope, object: ObjectPlan): Structure {
  const entries = object.fields
    .filter(({ field, value }) => !field.isOptional || !isImpossible(value))
    .map((field) => fieldEntry(scope, field, object));
  const code = entries.length === 0 ? "{}" : linesObjectOf(entries);
  return drawFunction(scope, object, code, object.fields.every(isFixed));
}

function fieldEntry(
  scope: MockScope,
  plan: FieldPlan,
  object: ObjectPlan,
): Doc {
  const { isExtra, isOptional, jsonName, name } = plan.field;
  const drawn = drawField(scope, plan, `${object.name}-${name}`);
  const drawing = isExtra ? drawExtra(scope, drawn, object) : drawn;
  if (!isOptional) {
    return withKey(jsonName, (key) => [`${key}: `, codeOf(scope, drawing)]);
  }
  const key = quoteString(jsonName);
  return ["...", callMaker(`${scope.draw}.optional`, [key], drawing)];
}

/** Returns how to draw a map without the names of an object's fields. */
function drawExtra(
  scope: MockScope,
  drawing: Drawing,
  object: ObjectPlan,
): Drawing {
  const names = arrayOf(memberNames(object));
  const code = callMaker(`${scope.draw}.extra`, [names], drawing);
  return { kind: "code", code };
}

/** Whether a field is absent or always the same, so that no value is drawn. */
function isFixed({ field, type, value }: FieldPlan): boolean {
  if (isImpossible(value)) return field.isOptional || field.isNullable;
  const isWritten = !field.isOptional && !field.isNullable;
  return isWritten && type.declared === null && isConstant(type);
}

/** Builds `export function drawOrder(draw: Draw): Order { return …; }`. */
function drawFunction(
  { draw, imports }: MockScope,
  { name, unit }: Pick<ObjectPlan, "name" | "unit">,
  code: Doc,
  isUnused: boolean,
): Structure {
  const parameter = isUnused ? `_${draw}` : draw;
  const type = declaredType(imports, { name, unit });
  return buildFunction(
    [`Creates a random \`${type}\`.`],
    `draw${name}`,
    [{ name: parameter, type: imports.runtimeType("mock", "Draw") }],
    type,
    [["return ", code, ";"]],
  );
}

/** Emits a function that creates handlers for all services of a server. */
function hostFunction(scope: MockScope): readonly Structure[] {
  const { imports, locals, unit } = scope;
  const { host } = unit;
  if (host === null || host.served.length === 0) return [];
  const { createMocks, serverOptions } = host.names;
  const state = locals.claim("State", "RequestState");
  const options = imports.generatedType(unit, "server", serverOptions);
  const services = host.served.map(({ methods, names }): Doc => {
    const entries = methods.map((method) => methodEntry(scope, method));
    return [`${names.property}: `, linesObjectOf(entries)];
  });
  const isConstant = host.served.every(({ methods }) =>
    methods.every(isAlwaysEmpty),
  );
  const made = buildFunction(
    [
      `Creates handlers for the host \`${quoteComment([host.host.name]).join("")}\` that return mock data.`,
      "The same seed and request always produce the same data.",
    ],
    createMocks,
    [
      {
        name: isConstant ? "_options" : "options",
        type: imports.runtimeType("mock", "MockOptions"),
        initializer: "{}",
      },
    ],
    `${options}<${state}>["handlers"]`,
    [["return ", linesObjectOf(services), ";"]],
  );
  return [{ ...made, typeParameters: [`${state} = undefined`] }];
}

function isAlwaysEmpty({ response }: MethodPlan): boolean {
  return response.object.fields.length === 0 && !response.message.isStream;
}

/** Prints `getOrder: mockMethod(options, "Shop/GetOrder", drawX)`. */
function methodEntry({ imports }: MockScope, plan: MethodPlan): Doc {
  const { method, names, response } = plan;
  if (isAlwaysEmpty(plan)) return `${names.property}: () => ({})`;
  const { fields, name, unit } = response.object;
  const { isStream } = response.message;
  const mock = imports.runtime(
    "codegen/mock-methods",
    isStream ? "mockStream" : "mockMethod",
  );
  const draw =
    fields.length === 0
      ? "() => ({})"
      : imports.generated(unit, "mock", `draw${name}`);
  const key = quoteString(`${method.service}/${method.name}`);
  const drawing =
    plan.wire.response.byStatus.length > 0
      ? mockedStatus(imports, plan.wire.response, draw)
      : draw;
  return [`${names.property}: `, callOf(mock, ["options", key, drawing])];
}

/** Prints a function that draws the fields of one of several statuses. */
function mockedStatus(
  imports: MockScope["imports"],
  { byStatus, status }: WireResponse,
  draw: Doc,
): Doc {
  const callee = imports.runtime("codegen/mock-methods", "mockStatus");
  const field = status === null ? [] : [quoteString(status.jsonName)];
  return callOf(callee, [draw, statusesOf(byStatus), ...field]);
}

/** The types that get a function that draws a value. */
interface Drawn {
  /** Structs and messages. */
  readonly objects: ReadonlySet<ObjectPlan>;
  /** Enums and aliases by their names in RIDL. */
  readonly names: ReadonlySet<string>;
}

/** Finds the types that responses and the data of errors contain. */
function findDrawn({ hosts }: Plan): Drawn {
  const objects = new Set<ObjectPlan>();
  const names = new Set<string>();
  const unions = new Set<string>();
  // Returns the values in a value, so that each kind has a case.
  const partsOf = (value: Value): readonly Value[] => {
    switch (value.kind) {
      case "enum":
        names.add(value.type.schemaName);
        return [];
      case "struct":
        objects.add(value.type);
        return [];
      case "union":
        names.add(value.type.schemaName);
        return isNew(value.type.schemaName)
          ? value.type.variants.map((variant) => variant.value)
          : [];
      case "list":
        return [value.held];
      case "map":
        return [value.key, value.held];
      case "scalar":
      case "bytes":
        return [];
    }
  };
  /** Whether a union has not been visited before. It can contain itself. */
  const isNew = (name: string): boolean => {
    const { size } = unions;
    return unions.add(name).size > size;
  };
  const visit = (value: Value): void => {
    if (value.declared !== null) names.add(value.declared.schemaName);
    partsOf(value).forEach(visit);
  };
  for (const { errorData, served } of hosts) {
    for (const { response } of methodsOf(served)) objects.add(response.object);
    for (const { object } of errorData) objects.add(object);
  }
  // A loop over a set also visits members that are added to it.
  for (const { fields } of objects) {
    for (const { type } of fields) visit(type);
  }
  return { objects, names };
}
