import type { Message, Method, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { rememberEach } from "../../ir/remember.js";
import { isScalarName } from "../../ir/scalars.js";
import { structUnionOf } from "../notation/unions.js";
import { findAnnotation } from "../notation/annotations.js";
import { methodAnnotations } from "../notation/notation.js";
import { bindingOf } from "../notation/rest-binding.js";
import { collectNodes } from "../program/nodes.js";
import type { DeclaredService, Program } from "../program/program.js";
import { findType } from "../program/reach.js";
import { foldName } from "../program/scope.js";
import { changingContract, suggestAnnotation } from "../report/did-you-mean.js";
import { createClashFinder, findDuplicates } from "../report/duplicates.js";
import {
  inNodes,
  type NodeFinding,
  relate,
  locate,
} from "../report/finding.js";
import { removeFix } from "../report/removal.js";
import type { CheckRules } from "./rule.js";

/** Rules about services, methods and their annotations. */
export const methodRules = {
  // Methods that could not be parsed have already been reported.
  "empty-service": inNodes(
    ["services"],
    ({ syntax: { methods, name }, document }) =>
      methods.length === 0 &&
      !document.isBroken && {
        at: name,
        message: `service \`${name.text}\` has no methods`,
      },
  ),

  // The names of services must differ in more than case, within each document
  // and its imports, and across all hosts, because they are members of one
  // client.
  "duplicate-service": ({ scopes, hosts }) =>
    findServiceClashes(
      [...scopes.values()].map(({ services }) => services),
      hosts.map(({ services }) => services),
    ).map(({ first, again: { syntax, document } }) => {
      const { name } = syntax;
      const finding = { document, at: name };
      return first.syntax === syntax
        ? {
            ...finding,
            message: `service \`${name.text}\` is imported by more than one host`,
            help: "import the document that declares it into only one of these hosts",
          }
        : {
            ...finding,
            message: `service \`${name.text}\` is declared twice`,
            related: [relate(first, first.syntax.name, "first declared here")],
            help: "rename one of them",
          };
    }),

  "mixed-webhook-service": inNodes(["services"], ({ syntax }) => {
    const isWebhook = (method: Method): boolean =>
      findAnnotation(method, "webhook") !== undefined;
    const first = syntax.methods.find(isWebhook);
    if (first === undefined) return false;
    const others = syntax.methods.filter((method) => !isWebhook(method));
    return others.map(({ name }) => ({
      at: name,
      message: `\`${name.text}\` is not a webhook, but other methods of \`${syntax.name.text}\` are`,
      related: [{ at: first.name, label: "this one is a webhook" }],
      help: "move the webhooks into a separate service",
    }));
  }),

  "client-stream": inNodes(
    ["methods"],
    ({ syntax: { input, name } }) =>
      input.isStream && {
        at: name,
        message: `method \`${name.text}\` streams its request, which is not supported`,
        help: "send a list, or call the method once for each item",
      },
  ),

  "proxy-method": inNodes(
    ["methods"],
    ({ syntax: { isProxy, name } }) =>
      isProxy && {
        at: name,
        severity: "warning",
        message: `\`proxy ${name.text}\` becomes a method without arguments`,
        notes: ["webrpc accepts `proxy` but does not forward anything either"],
        help: "declare the method with its arguments",
      },
  ),

  "invalid-succinct": inNodes(["methods"], ({ syntax, document }, program) => {
    const { input, output } = syntax;
    // `=> (file)` is a download: the body is the file itself.
    const isDownload = output.succinct?.text === "file";
    const request = input.succinct;
    const response = isDownload ? undefined : output.succinct;
    const bodies = [request, response].flatMap((name) =>
      name ? checkBody(name, document, program) : [],
    );
    const mixed =
      request && output.arguments.length > 0
        ? output
        : response && input.arguments.length > 0
          ? input
          : undefined;
    return mixed ? [...bodies, reportMixed(mixed)] : bodies;
  }),

  // A webhook is a POST to an address that the receiver chose, and a REST method
  // has an address of its own. A method cannot be both, and the response to a
  // webhook is not read.
  "conflicting-annotations": inNodes(["methods"], ({ syntax }) => {
    const { name, output } = syntax;
    const webhook = findAnnotation(syntax, "webhook");
    const get = findAnnotation(syntax, "get");
    const http = findAnnotation(syntax, "http");
    if (get && http) {
      return {
        at: get,
        message: `method \`${name.text}\` cannot have both \`@get\` and \`@http\``,
        related: [{ at: http, label: "this one has the verb, too" }],
        help: "a method has one address: remove one of the annotations",
      };
    }
    const rest = bindingOf(syntax)?.annotation;
    if (webhook && rest) {
      return {
        at: rest,
        message: `method \`${name.text}\` cannot be both a REST method and a webhook`,
        related: [{ at: webhook, label: "declared a webhook here" }],
        help: "remove one of the annotations",
      };
    }
    const clientOnly = findAnnotation(syntax, "clientOnly");
    if (webhook && clientOnly) {
      return {
        at: clientOnly,
        message: `webhook \`${name.text}\` has no server that could leave it out`,
        related: [{ at: webhook, label: "declared a webhook here" }],
        help: "remove `@clientOnly`",
      };
    }
    if (webhook === undefined || !output.isStream) return false;
    return {
      at: webhook,
      message: `method \`${name.text}\` cannot be both a webhook and a stream`,
      related: [{ at: output, label: "streams its response here" }],
      help: "remove the annotation, or the word `stream`",
    };
  }),

  "duplicate-annotation": inNodes(
    ["aliases", "enums", "errors", "fields", "methods", "services", "structs"],
    ({ syntax: { annotations }, document }) =>
      findDuplicates(annotations, ({ name }) => name.text).map(
        ({ first, again }) => ({
          at: again,
          message: `annotation \`@${again.name.text}\` is given twice`,
          related: [{ at: first, label: "first given here" }],
          help: "keep one of them",
          // A fix is possible only if both annotations have the same value.
          ...(first.value?.text === again.value?.text &&
            removeFix(document, again.span)),
        }),
      ),
  ),

  // Only names that resemble a known one are reported. The lint rule
  // `unknown-word` reports the others.
  "unknown-annotation": (program) =>
    program.documents
      .flatMap(foreignAnnotations)
      .flatMap(({ document, name }) => {
        const place = locate(document, name);
        const suggestion = suggestAnnotation(name.text, program, place);
        if (suggestion.help === undefined) return [];
        return {
          document,
          at: name,
          severity: "warning" as const,
          message: `annotation \`@${name.text}\` has no meaning`,
          ...changingContract(suggestion),
        };
      }),
} satisfies CheckRules;

/** Returns the methods' annotations that ridlkit does not define. */
const foreignAnnotations = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).methods.flatMap(({ syntax }) =>
    syntax.annotations
      .filter(({ name }) => !methodAnnotations.includes(name.text))
      .map(({ name }) => ({ document, name })),
  ),
);

const findServiceClashes = createClashFinder(({ syntax }: DeclaredService) =>
  foldName(syntax.name.text),
);

/** Reports a name of a declared or core type that is not a struct. */
function checkBody(
  name: Word,
  document: LoadedDocument,
  program: Program,
): readonly NodeFinding[] {
  const { text } = name;
  const syntax = findType(program, document, text)?.syntax;
  const isUnion = syntax?.kind === "struct" && structUnionOf(syntax) !== null;
  const isOther = syntax ? syntax.kind !== "struct" : isScalarName(text);
  if (!isUnion && !isOther) return [];
  return [
    {
      at: name,
      message: `\`${text}\` is ${isUnion ? "a union" : "not a struct"}`,
      help: `turn it into a named argument: \`(value: ${text})\``,
    },
  ];
}

function reportMixed(side: Message): NodeFinding {
  return {
    at: side,
    message:
      "one message of the method is a struct, but the other lists arguments",
    help: "use structs for both messages, or arguments for both",
  };
}
