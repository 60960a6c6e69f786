import type { Method, Service } from "../../../ir/contract.js";
import { docLines } from "../text/docs.js";
import { quoteComment } from "../text/quote.js";
import type { CredentialPlan, MethodPlan, Plan } from "./plan.js";

/** Columns of a note, so that it fits behind ` * ` of an indented comment. */
const noteWidth = 74;

/** Words filled into lines; what stands in braces stays together. */
export function wrapNote(text: string): readonly string[] {
  const lines: string[] = [];
  let current = "";
  const words = text.split(text.includes("}") ? / (?![^{]*\})/u : " ");
  for (const word of words) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length > noteWidth && current !== "") {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}

/** A service in a sentence, inert. */
export function serviceTitle({ name }: Service): string {
  return `service \`${quoteComment([name]).join("")}\``;
}

/** Docs of a method in a client: what it needs and which errors it throws. */
export function clientMethodDocs({
  credentials,
  method,
  names,
}: MethodPlan): readonly string[] {
  const headers = credentials.map(({ header }) => `\`${header}\``);
  return methodDocs(method, [
    ...(headers.length === 0 ? [] : [`Requires ${headers.join(" and ")}.`]),
    `@throws {@link ${names.error}} ${errorList(method)}`,
  ]);
}

/** Docs of a method in a handler: what was checked and what it may answer. */
export function handlerMethodDocs(
  plan: Plan,
  { credentials, method }: MethodPlan,
): readonly string[] {
  const checked =
    plan.credentials.length === 0 ? [] : [checkedNote(credentials)];
  return methodDocs(method, [...checked, `Can throw ${errorList(method)}`]);
}

/** Which credentials are good when the handler is called. */
function checkedNote(credentials: readonly CredentialPlan[]): string {
  const checked = credentials.map(
    ({ header, error }) => `\`${header}\` (otherwise \`${error}\`)`,
  );
  return checked.length === 0
    ? "No credentials are checked."
    : `Verified before the call: ${checked.join(" and ")}.`;
}

/** Docs of the constant that stands for a method. */
export function constantDocs(
  plan: MethodPlan,
  target: string,
): readonly string[] {
  const { method } = plan;
  const name = `\`${method.service}.${method.name}\``;
  const text = `${name}${useOf(plan)}; see {@link ${target}}.`;
  const deprecated =
    method.deprecated === null ? [] : ["", `@deprecated ${method.deprecated}`];
  return quoteComment([...wrapNote(text), ...deprecated]);
}

/** What its constant alone is good for. */
function useOf({ kind, method }: MethodPlan): string {
  if (method.route.kind === "webhook") return "";
  const uses = {
    call: "connect",
    stream: "openStream",
    transfer: "callTransfer",
  };
  return ` without a client, for \`${uses[kind]}\``;
}

/** Text of the schema and the notes, an empty line between. */
function methodDocs(
  method: Method,
  notes: readonly string[],
): readonly string[] {
  const paragraphs = notes.flatMap((note, index) =>
    index === 0 ? wrapNote(note) : ["", ...wrapNote(note)],
  );
  return docLines(method.docs, [], {
    deprecated: method.deprecated,
    notes: quoteComment(paragraphs),
  });
}

/** `A`, `B` or a built-in error. */
function errorList({ errors }: Method): string {
  if (errors === null) return "any error of the contract.";
  if (errors.length === 0) return "only built-in errors.";
  const names = errors.map((name) => `\`${name}\``);
  return `${names.join(", ")} or a built-in error.`;
}
