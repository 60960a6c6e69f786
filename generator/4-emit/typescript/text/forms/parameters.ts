import type { Doc } from "../format.js";
import type { FunctionStatement, Parameter } from "../statements.js";

/** `page?: Page`, `options: Options = {}`. */
export function typedParameter(parameter: Parameter): Doc {
  const { initial, isOptional, name, type } = parameter;
  const mark = isOptional === true ? "?" : "";
  const value = initial === undefined ? "" : ` = ${initial}`;
  return typeof type === "string"
    ? `${name}${mark}: ${type}${value}`
    : [`${name}${mark}: `, type, value];
}

/** `page?: Page`, `options?: Options`. */
export function declaredParameter(parameter: Parameter): Doc {
  const { initial, isOptional, name, type } = parameter;
  const mark = isOptional === true || initial !== undefined ? "?" : "";
  return [`${name}${mark}: `, type];
}

/** `page`, `options = {}`. */
export function plainParameter({ initial, name }: Parameter): string {
  return initial === undefined ? name : `${name} = ${initial}`;
}

/** Name of a function with its type parameter. */
export function genericName(statement: FunctionStatement): string {
  const { name, typeParameter } = statement;
  return typeParameter === undefined ? name : `${name}<${typeParameter}>`;
}
