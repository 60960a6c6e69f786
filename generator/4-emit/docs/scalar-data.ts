import {
  isIntegerName,
  type Scalar,
  type ScalarName,
  scalarNames,
  scalars,
} from "../../ir/scalars.js";
import { typicalText } from "../../values/typical.js";
import type { EmitOptions } from "../emitter/emitter.js";
import { scalarForm } from "../typescript/plan/scalars.js";
import type { ScalarData, InputForm } from "./explorer-data.js";

/** Describes the core types for the explorer. */
export function describeScalars(options: EmitOptions): readonly ScalarData[] {
  return scalarNames.map((name) => describeScalar(name, options));
}

function describeScalar(name: ScalarName, options: EmitOptions): ScalarData {
  const { text, title } = scalars[name];
  const form = formOf(name);
  const { sample } = scalarForm(name, false, options);
  return {
    name,
    form,
    example: typicalText(name),
    ...((sample === "bigint" || sample === "date") && { code: sample }),
    ...(form === "formatted" &&
      text !== null && {
        title: `${title} such as ${text.samples[0]}`,
        ...text.keywords,
      }),
  };
}

function formOf(name: ScalarName): InputForm {
  const { limits, text, wire }: Scalar = scalars[name];
  switch (wire) {
    case "any":
      return "json";
    case "boolean":
    case "file":
    case "null":
      return wire;
    case "number":
      return isIntegerName(name) ? "integer" : "number";
    case "string":
      if (limits === "number") return "integer-text";
      return text === null ? "text" : "formatted";
  }
}
