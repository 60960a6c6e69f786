import { missingKeys } from "../../generator/ir/credentials-of.js";
import { sentNameOf } from "../credential-names.js";
import type { Contract, Field } from "../../generator/ir/contract.js";
import type {
  HostPlan,
  MethodPlan,
} from "../../generator/4-emit/typescript/plan/plan.js";

/** A method to test, with its host. */
export interface TestedMethod {
  readonly contract: Contract;
  readonly host: HostPlan;
  readonly method: MethodPlan;
}

/** Returns the displayed name of a method, e.g. `Shop.GetBook`. */
export function nameOf({ method: { method } }: TestedMethod): string {
  return `${method.service}.${method.name}`;
}

/** Lists the fields of a method's request that are not files. */
export function jsonFieldsOf({ method }: TestedMethod): readonly Field[] {
  const { fileLists, files, message } = method.request;
  return message.fields.filter(
    ({ jsonName }) =>
      !files.includes(jsonName) && !fileLists.includes(jsonName),
  );
}

/** Whether the request of a method is a form with files. */
export function hasFiles({ method }: TestedMethod): boolean {
  const { fileLists, files } = method.request;
  return files.length + fileLists.length > 0;
}

/** The JSON that a request has as its body, or as a part of a form with files. */
export type JsonBody = "object" | "value" | "none";

/** Returns which JSON the requests of a method have. */
export function jsonBodyOf({ method: { wire } }: TestedMethod): JsonBody {
  const { content, kind } = wire.request.body;
  if (content.kind !== "json") return "none";
  return kind === "whole" ? "value" : kind;
}

/** Whether a method only reads: `@readonly`, or GET. */
export function isRead({ method: { method } }: TestedMethod): boolean {
  return method.safety === "readonly";
}

/** Lists the keys of a method's credentials that were not given. */
export function missingCredentials(
  { method }: TestedMethod,
  headers: ReadonlyMap<string, string>,
): readonly string[] {
  const given = method.credentials
    .filter((credential) => headers.has(sentNameOf(credential)))
    .map(({ key }) => key);
  return missingKeys(method.method, (key) => given.includes(key));
}
