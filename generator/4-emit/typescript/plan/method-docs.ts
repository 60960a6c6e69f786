import type { Method, Service } from "../../../ir/contract.js";
import {
  alternativesOf,
  credentialsOf,
  hasOptionalCredentials,
} from "../../../ir/credentials-of.js";
import { docLines } from "../text/docs.js";
import { quoteComment, quoteTaggedComment } from "../text/quote.js";
import type { CredentialPlan, MethodPlan, Plan } from "./plan.js";

/** Width of a note that fits after ` * ` in an indented comment. */
const noteWidth = 74;

/** Wraps text into lines. Text in braces stays together. */
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

/** Returns the name of a service for a sentence, escaped. */
export function serviceTitle({ name }: Service): string {
  return `the service \`${quoteComment([name]).join("")}\``;
}

/** Returns the docs of a client's method, with credentials and errors. */
export function clientMethodDocs({
  credentials,
  method,
  names,
}: MethodPlan): readonly string[] {
  return methodDocs(method, [
    ...(credentials.length === 0
      ? []
      : [
          `${hasOptionalCredentials(method) ? "Accepts" : "Requires"} ${listAlternatives(method, ({ key }) => `\`${key}\``, credentials)}.`,
        ]),
    `@throws {@link ${names.error}} ${errorList(method)}`,
  ]);
}

/** Returns the docs of a handler, with its credentials and errors. */
export function handlerMethodDocs(
  plan: Plan,
  { credentials, method }: MethodPlan,
): readonly string[] {
  const checked =
    plan.credentials.length === 0 ? [] : [checkedNote(method, credentials)];
  return methodDocs(method, [...checked, `Can throw ${errorList(method)}`]);
}

/** Lists the credentials that are verified before the handler is called. */
function checkedNote(
  method: Method,
  credentials: readonly CredentialPlan[],
): string {
  return credentials.length === 0
    ? "No credentials are checked."
    : `Verified before the call: ${listAlternatives(
        method,
        ({ error, key }) => `\`${key}\` (otherwise \`${error}\`)`,
        credentials,
      )}.`;
}

/** Lists credentials: `A and B, or C`, or `A, or no credential`. */
function listAlternatives(
  method: Method,
  print: (credential: CredentialPlan) => string,
  credentials: readonly CredentialPlan[],
): string {
  const lists = alternativesOf(method)
    .filter((keys) => keys.length > 0)
    .map((keys) =>
      credentialsOf({ credentials: keys }, { credentials }).map(print),
    );
  const isShort = lists.every(({ length }) => length === 1);
  const text = lists
    .map((each) => each.join(" and "))
    .join(isShort ? " or " : ", or ");
  return hasOptionalCredentials(method) ? `${text}, or no credential` : text;
}

/** Returns the docs of a method's constant. */
export function constantDocs(
  plan: MethodPlan,
  target: string,
): readonly string[] {
  const { method } = plan;
  const name = `\`${method.service}.${method.name}\``;
  const text = `Describes ${name}${useOf(plan)}; see {@link ${target}}.`;
  const { deprecated } = method;
  const lines = quoteTaggedComment(wrapNote(text));
  return docLines({ lines: [], origins: [] }, lines, { deprecated });
}

/** Names the function that uses the constant without a client. */
function useOf({ kind, method }: MethodPlan): string {
  if (method.route.kind === "webhook") return "";
  const uses = {
    call: "connect",
    stream: "openStream",
    transfer: "callTransfer",
  };
  return ` for \`${uses[kind]}\``;
}

/** Joins the text in the schema and the notes with empty lines. */
function methodDocs(
  method: Method,
  notes: readonly string[],
): readonly string[] {
  const paragraphs = notes.flatMap((note, index) =>
    index === 0 ? wrapNote(note) : ["", ...wrapNote(note)],
  );
  return docLines(method.docs, [], {
    deprecated: method.deprecated,
    notes: quoteTaggedComment(paragraphs),
  });
}

/** Lists errors: `A`, `B` or a built-in error. */
function errorList({ errors }: Method): string {
  if (errors === null)
    return "any error that the RIDL document declares or imports, or a built-in error.";
  if (errors.length === 0) return "only built-in errors.";
  const names = errors.map((name) => `\`${name}\``);
  return `${names.join(", ")} or a built-in error.`;
}
