import {
  isIntegerName,
  type Scalar,
  type ScalarName,
  scalarNames,
  scalars,
} from "../../ir/scalars.js";
import type { Field, TypeReference } from "../../ir/contract.js";
import { writeJson } from "../../values/json.js";
import type { Sampler } from "../../values/sampler.js";
import type { EmitOptions } from "../emitter/emitter.js";
import { scalarForm } from "../typescript/plan/scalars.js";
import type { ScalarData, InputForm } from "./explorer-data.js";

/** Describes the core types for the explorer. */
export function describeScalars(
  sampler: Sampler,
  options: EmitOptions,
): readonly ScalarData[] {
  return scalarNames.map((name) => describeScalar(name, sampler, options));
}

/** Returns the text that users would enter for the sample of a type. */
export function sampleText(
  sampler: Sampler,
  subject: Field | TypeReference,
  form: InputForm,
): string {
  const { json } = sampler.value(subject);
  if (form === "file") return "";
  return typeof json === "string" && form !== "json" ? json : writeJson(json);
}

function describeScalar(
  name: ScalarName,
  sampler: Sampler,
  options: EmitOptions,
): ScalarData {
  const { text, title } = scalars[name];
  const form = formOf(name);
  const { sample } = scalarForm(name, false, options);
  const example = sampleText(sampler, { kind: "scalar", name }, form);
  return {
    name,
    form,
    example,
    ...((sample === "bigint" || sample === "date") && { code: sample }),
    ...(form === "formatted" &&
      text !== null && {
        title: `${title} such as ${example}`,
        ...text.keywords,
      }),
  };
}

/** Returns how users enter the values of a core type. */
export function formOf(name: ScalarName): InputForm {
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
