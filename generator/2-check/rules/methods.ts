import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { isScalarName } from "../../ir/scalars.js";
import { findAnnotation } from "../notation/annotations.js";
import { methodAnnotations } from "../notation/notation.js";
import { findCredentials } from "../program/credentials.js";
import type { DeclaredService, Program } from "../program/program.js";
import { lookUpLoosely } from "../program/reach.js";
import { foldName } from "../program/scope.js";
import { changingContract, didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { type Finding, errorAt, warningAt } from "../report/finding.js";
import { removeFix } from "../report/removal.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about services, methods and their annotations. */
export const methodRules = {
  "empty-service": ({ nodes }) =>
    nodes.services.flatMap(({ syntax, document }) => {
      // Methods that could not be read are reported already.
      if (syntax.methods.length > 0 || document.isBroken) return [];
      return errorAt(
        locate(document, syntax.name),
        `service \`${syntax.name.text}\` has no methods`,
      );
    }),

  // Services differ in more than case: in each document with what it imports,
  // and in all hosts together, where they are members of one client.
  "duplicate-service": ({ scopes, hosts }) => {
    const blamed = new Set<DeclaredService>();
    const everywhere = { services: hosts.flatMap((host) => host.services) };
    return [...scopes.values(), everywhere].flatMap(({ services }) =>
      findDuplicates(services, ({ syntax }) =>
        foldName(syntax.name.text),
      ).flatMap(({ first, again }) => {
        if (blamed.has(first) || blamed.has(again)) return [];
        blamed.add(again);
        const { name } = again.syntax;
        return errorAt(
          locate(again.document, name),
          first === again
            ? `service \`${name.text}\` is imported by more than one host`
            : `service \`${name.text}\` is declared twice`,
          first === again
            ? { help: "leave the document that declares it out of one of them" }
            : {
                related: [
                  relate(
                    first.document,
                    first.syntax.name,
                    "first declared here",
                  ),
                ],
                help: "rename one of them",
              },
        );
      }),
    );
  },

  "mixed-webhook-service": ({ nodes }) =>
    nodes.services.flatMap(({ syntax, document }) => {
      const first = syntax.methods.find((each) =>
        findAnnotation(each, "webhook"),
      );
      const others = syntax.methods.filter(
        (each) => !findAnnotation(each, "webhook"),
      );
      if (first === undefined) return [];
      return others.map(({ name }) =>
        errorAt(
          locate(document, name),
          `\`${name.text}\` is no webhook, but other methods of \`${syntax.name.text}\` are`,
          {
            related: [relate(document, first.name, "this one is a webhook")],
            help: "move the webhooks into a service of their own",
          },
        ),
      );
    }),

  "client-stream": ({ nodes }) =>
    nodes.methods.flatMap(({ syntax, document }) => {
      if (!syntax.input.isStream) return [];
      return errorAt(
        locate(document, syntax.name),
        `method \`${syntax.name.text}\` streams its request, which is not supported`,
        { help: "send a list, or call a method for each item" },
      );
    }),

  "proxy-method": ({ nodes }) =>
    nodes.methods.flatMap(({ syntax, document }) => {
      if (!syntax.isProxy) return [];
      return warningAt(
        locate(document, syntax.name),
        `\`proxy ${syntax.name.text}\` becomes a method without arguments`,
        {
          notes: ["webrpc reads `proxy` and does not forward anything either"],
          help: "declare the method with its arguments",
        },
      );
    }),

  "invalid-succinct": (program) =>
    program.nodes.methods.flatMap(({ syntax: { input, output }, document }) => {
      // `=> (file)` is a download: the body is the file itself.
      const isDownload = output.succinct?.text === "file";
      const request = input.succinct;
      const response = isDownload ? undefined : output.succinct;
      const bodies = [request, response].flatMap((name) =>
        name ? checkBody(name, document, program) : [],
      );
      if (request && output.arguments.length > 0) {
        return [...bodies, reportMixed(document, output)];
      }
      if (response && input.arguments.length > 0) {
        return [...bodies, reportMixed(document, input)];
      }
      return bodies;
    }),

  // A webhook is sent by POST to an address that the receiver chose, a REST read
  // is a GET with one answer: one method is not both, and neither is a stream.
  "conflicting-annotations": ({ nodes }) =>
    nodes.methods.flatMap(({ syntax, document }) => {
      const webhook = findAnnotation(syntax, "webhook");
      const get = findAnnotation(syntax, "get");
      const read = get?.value ? get : undefined;
      const name = syntax.name.text;
      if (webhook && read) {
        return errorAt(
          locate(document, read),
          `method \`${name}\` cannot be a REST read and a webhook`,
          {
            related: [relate(document, webhook, "declared a webhook here")],
            help: "remove one of the annotations",
          },
        );
      }
      const annotation = webhook ?? read;
      if (annotation === undefined || !syntax.output.isStream) return [];
      return errorAt(
        locate(document, annotation),
        `method \`${name}\` cannot be a ${webhook ? "webhook" : "REST read"} and a stream`,
        {
          related: [relate(document, syntax.output, "streams its answer here")],
          help: "remove the annotation, or the word `stream`",
        },
      );
    }),

  "duplicate-annotation": ({ nodes }) =>
    nodes.annotationLists.flatMap(({ syntax, document }) =>
      findDuplicates(syntax, ({ name }) => name.text).map(({ first, again }) =>
        errorAt(
          locate(document, again),
          `annotation \`@${again.name.text}\` is given twice`,
          {
            related: [relate(document, first, "first given here")],
            help: "keep one of them",
            // Which one counts is clear only if they say the same.
            ...(first.value?.text === again.value?.text &&
              removeFix(document, again.span)),
          },
        ),
      ),
    ),

  // Annotations without a meaning are kept for others to read, and nothing is
  // said, unless the name is nearly one of ours. In a contract that declares
  // credentials this includes the short ones: `@auht` would open a method to all.
  "unknown-annotation": (program) => {
    const isOurs = findCredentials(program).length > 0;
    const candidates = methodAnnotations.filter(
      (name) => isOurs || name.length >= SURE_LENGTH,
    );
    return program.nodes.methods.flatMap(({ syntax, document }) =>
      syntax.annotations.flatMap(({ name }) => {
        if (methodAnnotations.includes(name.text)) return [];
        const place = locate(document, name);
        const suggestion = didYouMean(name.text, candidates, place);
        if (suggestion.help === undefined) return [];
        return warningAt(
          place,
          `annotation \`@${name.text}\` has no meaning`,
          changingContract(suggestion),
        );
      }),
    );
  },
} satisfies CheckRules;

function checkBody(
  name: Word,
  document: LoadedDocument,
  { scopes }: Program,
): readonly Finding[] {
  const scope = scopes.get(document.path);
  const type = scope && lookUpLoosely(scope, name.text);
  // A name that is not declared is `unknown-type`.
  const isStruct = type?.syntax.kind === "struct";
  if (isStruct || (type === undefined && !isScalarName(name.text))) return [];
  return [
    errorAt(locate(document, name), `\`${name.text}\` is not a struct`, {
      help: `give it a name: \`(value: ${name.text})\``,
    }),
  ];
}

function reportMixed(
  document: LoadedDocument,
  side: Parameters<typeof locate>[1],
): Finding {
  return errorAt(
    locate(document, side),
    "one side of the method is a struct, the other lists arguments",
    { help: "use a struct on both sides, or arguments on both" },
  );
}

/** Other tools have `@set` and `@author`: not every neighbour is a mistake. */
const SURE_LENGTH = 6;
