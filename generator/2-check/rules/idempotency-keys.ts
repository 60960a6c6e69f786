import type { Message, Method, TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findAnnotation } from "../notation/annotations.js";
import { bindingOf, verbOf } from "../notation/rest-binding.js";
import { fieldsOf } from "../program/messages.js";
import type { Program } from "../program/program.js";
import { didYouMean } from "../report/did-you-mean.js";
import { inNodes, type NodeFinding } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about `@idempotencyKey`. */
export const idempotencyKeyRules = {
  "invalid-idempotency-key": inNodes(
    ["methods"],
    ({ syntax, document }, program) => {
      const annotation = findAnnotation(syntax, "idempotencyKey");
      if (annotation === undefined) return false;
      const { value } = annotation;
      if (value !== undefined && value.text !== "optional") {
        const message = "`@idempotencyKey` can only be `optional`";
        const help =
          "write `@idempotencyKey`, or `@idempotencyKey:optional` if calls can lack a key";
        const hint = didYouMean(value.text, ["optional"]);
        return { at: value, message, help, ...hint };
      }
      const isOptional = value !== undefined;
      const fault = findFault(syntax, document, program, isOptional);
      return fault !== null && { at: annotation, ...fault };
    },
  ),
} satisfies CheckRules;

/**
 * Returns why the calls of a method cannot have a key. Clients that send no keys
 * can repeat calls of a method that is idempotent and has an optional key.
 */
function findFault(
  method: Method,
  document: LoadedDocument,
  program: Program,
  isOptional: boolean,
): Omit<NodeFinding, "at"> | null {
  const name = `\`${method.name.text}\``;
  const help = "remove `@idempotencyKey`";
  if (findAnnotation(method, "webhook")) {
    const notes = ["receivers can recognize a message by its `webhook-id`"];
    const message = `${name} is a webhook, which cannot have an idempotency key`;
    return { message, notes, help };
  }
  const idempotent = isOptional ? null : findAnnotation(method, "idempotent");
  const safe = findAnnotation(method, "readonly") ?? idempotent;
  if (safe) {
    return {
      message: `${name} is \`@${safe.name.text}\`, so its calls need no key`,
      related: [{ at: safe, label: "calls can be repeated because of this" }],
      help: idempotent
        ? "remove one of the annotations, or write `@idempotencyKey:optional`"
        : "remove one of the annotations",
    };
  }
  const binding = bindingOf(method);
  const verb = binding === null ? "POST" : verbOf(binding);
  if (binding !== null && verb !== "POST" && verb !== "PATCH") {
    return {
      message: `${name} is a ${verb} method, so its calls need no key`,
      related: [{ at: binding.annotation, label: `${verb} can be repeated` }],
      help,
    };
  }
  if (method.output.isStream) {
    const message = `${name} streams its response, which cannot be repeated`;
    return { message, help };
  }
  const hasFile = [method.input, method.output].some((each) =>
    containsFile(each, document, program),
  );
  if (!hasFile) return null;
  const message = `${name} transfers a file, which cannot be compared or repeated`;
  return { message, help: "send the file in another call" };
}

function containsFile(
  message: Message,
  document: LoadedDocument,
  program: Program,
): boolean {
  return (
    message.succinct?.text === "file" ||
    fieldsOf(program, document, message).some(({ syntax: { type } }) =>
      isFile(type.kind === "list" ? type.element : type),
    )
  );
}

function isFile(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "file";
}
