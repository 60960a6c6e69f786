import type { Field } from "../../../ir/contract.js";
import { camelCase } from "../../names/casing.js";
import { buildLocal } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { arrayOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";
import type { FileScope } from "./file-scope.js";
import type { ObjectPlan } from "./plan.js";
import { memberNames } from "./values.js";

/** Prints a set of the names of an object's members that fields declare. */
export function namesOf(object: ObjectPlan): Doc {
  const names = arrayOf(memberNames(object));
  return ["new Set", typeText("<string>"), "(", names, ")"];
}

/** The constants of a file with the names of fields, which is being written. */
export class NameSets {
  readonly constants: Structure[] = [];
  readonly #locals: FileScope["locals"];
  readonly #names = new Map<ObjectPlan, string>();

  constructor({ locals }: Pick<FileScope, "locals">) {
    this.#locals = locals;
  }

  /** Prints the arguments for code that collects an object's extra members. */
  extraOf(
    object: ObjectPlan,
    { isOptional, jsonName }: Field,
  ): readonly [fields: string, name: string, isOptional: string] {
    return [this.nameOf(object), quoteString(jsonName), String(isOptional)];
  }

  /** Returns the name of the constant for an object, which is added once. */
  nameOf(object: ObjectPlan): string {
    const known = this.#names.get(object);
    if (known !== undefined) return known;
    const name = this.#locals.claim(`${camelCase(object.name)}Fields`);
    this.#names.set(object, name);
    this.constants.push(buildLocal(name, namesOf(object)));
    return name;
  }
}
