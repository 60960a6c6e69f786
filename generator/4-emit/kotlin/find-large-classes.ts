import type { Contract, Field, ScalarName } from "../../ir/contract.js";
import { valuesOf } from "../../values/value.js";
import type { TargetFault } from "../emitter/target.js";

/** How many parameters a method of the JVM has at most. */
const maxParameters = 255;

/** Types that count as two parameters, unless a value can be null. */
const wide: readonly ScalarName[] = [
  "uint32",
  "int64",
  "int",
  "uint",
  "float64",
];

/**
 * Finds structs and messages with too many fields. Kotlin compiles their
 * classes, but the JVM does not load them.
 */
export function findLargeClasses(contract: Contract): readonly TargetFault[] {
  const values = valuesOf(contract);
  const sizeOf = (field: Field): number => {
    const value = values.valueOf(field);
    const isWide = value.kind === "scalar" && wide.includes(value.scalar);
    const isBoxed = field.isOptional || field.isNullable || value.isNullable;
    return isWide && !isBoxed ? 2 : 1;
  };
  const find = (
    name: string,
    fields: readonly Field[],
  ): readonly TargetFault[] => {
    const sizes = fields.map(sizeOf).reduce((sum, size) => sum + size, 0);
    // The object, what follows a call, and which of the defaults apply.
    const further = 3 + Math.ceil(fields.length / 32);
    return sizes + further <= maxParameters
      ? []
      : [
          {
            code: "too-many-fields",
            severity: "error",
            key: null,
            message: `Kotlin cannot have a class or a method with the ${String(fields.length)} fields of \`${name}\``,
            notes: [
              `the JVM allows ${String(maxParameters)} parameters, of which a Long or a Double counts twice`,
            ],
            help: "put some of the fields in a struct",
          },
        ];
  };
  return [
    ...contract.types.flatMap((type) =>
      type.kind === "struct" ? find(type.name, type.fields) : [],
    ),
    ...contract.hosts
      .flatMap(({ services }) => services)
      .flatMap(({ methods, name: service }) =>
        methods.flatMap(({ name, request, response }) =>
          [request, response].flatMap(({ fields, struct }) =>
            struct === null ? find(`${service}.${name}`, fields) : [],
          ),
        ),
      ),
  ];
}
