import type { Method } from "../../../../generator/1-parse/ast.js";
import {
  credentialKey,
  findCredentials,
  noCredential,
} from "../../../../generator/2-check/program/credentials.js";
import { jsonNameOf } from "../../../../generator/2-check/notation/metadata.js";
import { methodAnnotations } from "../../../../generator/2-check/notation/notation.js";
import { fieldsOf } from "../../../../generator/2-check/program/messages.js";
import { verbs } from "../../../../generator/ir/contract.js";
import { annotationDocs } from "../hover/language-docs.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import {
  type CompletionScope,
  spanBefore,
  type LineContext,
} from "./line-context.js";

const snippets: Readonly<Record<string, string>> = {
  auth: 'auth:"$0"',
  body: "body:$0",
  contentType: 'contentType:"$0"',
  get: 'get:"/$0"',
  http: 'http:"$0 /"',
  requestBody: "requestBody:$0",
  responseHeaders: 'responseHeaders:"$0"',
  responseStatus: "responseStatus:$0",
  requestHeaders: 'requestHeaders:"$0"',
};

/**
 * Completes built-in annotations. Outside services, only `@deprecated` is
 * offered.
 */
export function completeAnnotation(line: LineContext): readonly Completion[] {
  const names = line.block === "service" ? methodAnnotations : ["deprecated"];
  const written = methodBelow(line)?.annotations.map(({ name }) => name);
  const others = written?.filter(({ span }) => span.end !== line.offset);
  const taken = new Set(others?.map(({ text }) => text));
  const free = names.filter((name) => !taken.has(name));
  return free.map((name) =>
    createCompletion(name, "annotation", spanBefore(line), {
      text: snippets[name] ?? name,
      docs: annotationDocs(name) ?? "",
    }),
  );
}

/**
 * Completes credentials for `@auth`, and fields of the method below for all
 * annotations that name some.
 */
export function completeAnnotationValue(
  line: LineContext,
  { program }: CompletionScope,
): readonly Completion[] {
  const [, name] = /@(\w+):(?:"[^"]*|\S*)$/.exec(line.before) ?? [];
  const span = spanBefore(line, /[^\s":,{}/?&=]*$/);
  if (name === "auth") {
    const [, listed = ""] = /"([^"]*)[,|][^",|]*$/.exec(line.before) ?? [];
    const taken = new Set(listed.split(/[,|]/u));
    const at = spanBefore(line, /[^\s",|]*$/);
    const known = findCredentials(program).flatMap(({ syntax }) => {
      const key = credentialKey(syntax);
      if (key === undefined || taken.has(key)) return [];
      const detail = syntax.name.text;
      return [createCompletion(key, "value", at, { detail })];
    });
    const isAlternative = /\|\s*[^",|]*$/.test(line.before);
    return isAlternative
      ? [...known, createCompletion(noCredential, "value", at)]
      : known;
  }
  if (/@http:"\w*$/.test(line.before)) {
    return verbs.map((verb) => createCompletion(verb, "value", span));
  }
  const method = methodBelow(line);
  const isInStatus = /@http:"[^"]*\s\d+=\{\w*$/.test(line.before);
  const isAsked =
    name === "requestBody" ||
    /@requestHeaders:"(?:[^"]*[{,]\s*)?\w*$/.test(line.before) ||
    (!isInStatus && /@(?:get|http):"[^"]*[{?&]\w*$/.test(line.before));
  const isAnswered =
    name === "body" ||
    name === "responseStatus" ||
    isInStatus ||
    /@responseHeaders:"(?:[^"]*[{,]\s*)?\w*$/.test(line.before);
  if (method === undefined || !(isAsked || isAnswered)) return [];
  const message = isAsked ? method.input : method.output;
  return fieldsOf(program, line.document, message).flatMap(({ syntax }) => {
    const label = jsonNameOf(syntax);
    return label === null ? [] : [createCompletion(label, "field", span)];
  });
}

function methodBelow({ document, offset }: LineContext): Method | undefined {
  return document.syntax.items
    .flatMap((item) => (item.kind === "service" ? item.methods : []))
    .find(({ span }) => span.start >= offset);
}
