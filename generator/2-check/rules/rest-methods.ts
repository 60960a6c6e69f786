import { isPortableName } from "../../ir/json-name.js";
import { pathParameters } from "../../ir/path-template.js";
import { findAnnotation } from "../notation/annotations.js";
import { isExtra, metadataValue } from "../notation/metadata.js";
import { bindingOf, hasStatuses } from "../notation/rest-binding.js";
import {
  boundFields,
  findRestMethods,
  type RestMethod,
} from "../program/rest-methods.js";
import type { Program } from "../program/program.js";
import { routesByHost } from "../program/routes.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import {
  type Finding,
  inNodes,
  type NodeFinding,
  relate,
} from "../report/finding.js";
import {
  findBindingFault,
  findPathFault,
  findQueryFaults,
  findStatusFaults,
  withoutPath,
} from "./rest-binding.js";
import { findContentTypeFault, findFormFaults } from "./rest-fields.js";
import {
  bodyOutputs,
  findHeaderFaults,
  findResponseHeaderFaults,
} from "./rest-headers.js";
import type { CheckRules, Rule } from "./rule.js";

/** Rules about methods with `@http` or `@get`. */
export const restRules = {
  "invalid-http": (program) => [
    ...withoutText(program),
    ...findRestMethods(program).flatMap((rest) => {
      const fault = findBindingFault(rest);
      return fault ? { document: rest.document, ...fault } : [];
    }),
  ],

  "invalid-rest-path": (program) =>
    findRestMethods(program).flatMap((rest) => {
      const { pathPart } = rest.binding;
      const fault = findPathFault(rest, program);
      return fault && pathPart
        ? { document: rest.document, at: pathPart, ...fault }
        : [];
    }),

  "invalid-query": (program) => findFaults(program, findQueryFaults),

  "invalid-request-body": (program) => [
    ...findRestMethods(program).flatMap(checkRequestBody),
    ...bodiesWithoutAddress(program),
    ...findRestMethods(program).flatMap((rest) => {
      const fault = findContentTypeFault(rest);
      return fault === null ? [] : [{ document: rest.document, ...fault }];
    }),
    ...typesWithoutAddress(program),
  ],

  "invalid-request-headers": (program) => [
    ...findFaults(program, findHeaderFaults),
    ...headersWithoutAddress(program),
  ],

  "invalid-response-headers": (program) => [
    ...findFaults(program, findResponseHeaderFaults),
    ...responseHeadersWithoutAddress(program),
  ],

  "invalid-statuses": (program) => [
    ...findFaults(program, findStatusFaults),
    ...statusesWithoutAddress(program),
  ],

  "invalid-form-body": (program) => [
    ...findRestMethods(program).flatMap((rest) =>
      findFormFaults(rest, program),
    ),
    ...formsWithoutAddress(program),
  ],

  "invalid-body": (program) =>
    findRestMethods(program).flatMap((rest) => {
      const { method, document, body } = rest;
      if (body === undefined || hasStatuses(rest.binding)) return [];
      const outputs = bodyOutputs(rest);
      const [only, ...others] = outputs;
      const isOnly = only !== undefined && others.length === 0;
      if (
        isOnly &&
        only.jsonName === body.value?.text &&
        !only.syntax.isOptional &&
        !isExtra(only.syntax)
      ) {
        return [];
      }
      return {
        document,
        at: body.value ?? body,
        message: `\`@body\` must name the only output of \`${method.name.text}\``,
        ...(isOnly
          ? {
              help: isExtra(only.syntax)
                ? "remove `@body`: the map is already the entire body"
                : only.syntax.isOptional
                  ? `make \`${only.jsonName}\` required`
                  : `write \`@body:${isPortableName(only.jsonName) ? only.jsonName : JSON.stringify(only.jsonName)}\``,
            }
          : { notes: [`the method has ${outputs.length} outputs`] }),
      };
    }),

  "unbound-request-field": (program) =>
    findRestMethods(program).flatMap((rest) => {
      // A misspelled parameter leaves its field unbound.
      const isFaulty =
        findPathFault(rest, program) !== null ||
        findQueryFaults(rest, program).length > 0 ||
        findHeaderFaults(rest, program).length > 0 ||
        checkRequestBody(rest).length > 0;
      if (isFaulty) return [];
      return rest.request.flatMap((field) => checkBound(rest, field));
    }),

  "duplicate-route": (program) =>
    routesByHost(program).flatMap((routes) =>
      findDuplicates(routes, ({ verb, shape }) => `${verb} ${shape}`).flatMap(
        ({ first, again }) => {
          // Two calls with the same path are a `duplicate-method`.
          const own = again.rest ? again : first;
          const other = again.rest ? first : again;
          const isFaulty = [own, other].some(
            ({ rest }) => rest !== null && findBindingFault(rest) !== null,
          );
          if (!own.rest || isFaulty) return [];
          return {
            document: own.document,
            at: own.at,
            message: `\`${own.method.name.text}\` has the same ${own.verb === "GET" ? "path" : "verb and path"} as \`${other.method.name.text}\``,
            related: [
              relate(
                other,
                other.at,
                other.rest
                  ? "first used here"
                  : "this is the path of its calls",
              ),
            ],
            help: "use another verb, or change a literal segment of one path",
          };
        },
      ),
    ),
} satisfies CheckRules;

/** Finds the faults of all REST methods in their documents. */
function findFaults(
  program: Program,
  find: (rest: RestMethod, program: Program) => readonly NodeFinding[],
): readonly Finding[] {
  return findRestMethods(program).flatMap((rest) =>
    find(rest, program).map((fault) => ({ document: rest.document, ...fault })),
  );
}

/** A bare `@http`. A bare `@get` belongs to other tools. */
const withoutText = inNodes(["methods"], ({ syntax }) => {
  const annotation = findAnnotation(syntax, "http");
  return (
    annotation !== undefined &&
    annotation.value === undefined && { at: annotation, ...withoutPath }
  );
});

/** Finds an annotation about the request on methods without `@http`. */
const withoutAddressOf = (name: string, consequence: string): Rule =>
  inNodes(["methods"], ({ syntax }) => {
    const annotation = findAnnotation(syntax, name);
    return (
      annotation !== undefined &&
      bindingOf(syntax) === null && {
        at: annotation,
        message: `\`${syntax.name.text}\` has no address of its own, so ${consequence}`,
        help: `add \`@http\`, or remove \`@${name}\``,
      }
    );
  });

const bodiesWithoutAddress = withoutAddressOf(
  "requestBody",
  "its body is the whole request",
);
const typesWithoutAddress = withoutAddressOf(
  "contentType",
  "its body is `application/json`",
);
const formsWithoutAddress = withoutAddressOf("form", "its body is JSON");
const headersWithoutAddress = withoutAddressOf(
  "requestHeaders",
  "its body has all fields",
);
const responseHeadersWithoutAddress = withoutAddressOf(
  "responseHeaders",
  "its body has all outputs",
);
const statusesWithoutAddress = withoutAddressOf(
  "responseStatus",
  "its status is always 200",
);

function checkRequestBody(rest: RestMethod): readonly Finding[] {
  const { binding, document, method, request, requestBody, verb } = rest;
  if (requestBody === undefined) return [];
  const name = requestBody.value?.text ?? "";
  const field = request.find(({ jsonName }) => jsonName === name);
  const finding = { document, at: requestBody.value ?? requestBody };
  if (verb === "GET") {
    const message = "a GET request has no body";
    const help = "use another verb, or remove `@requestBody`";
    return [{ ...finding, message, help }];
  }
  if (field === undefined) {
    const known = request.map(({ jsonName }) => jsonName);
    const message = `\`@requestBody\` must name a field of the request of \`${method.name.text}\``;
    return [{ ...finding, message, ...didYouMean(name, known) }];
  }
  if (isExtra(field.syntax)) {
    const message = `\`${name}\` collects the members of the body and cannot be the whole body`;
    return [{ ...finding, message, help: "remove `@requestBody`" }];
  }
  const { type } = field.syntax;
  const isFile = type.kind === "name" && type.name.text === "file";
  if (isFile && metadataValue(field.syntax, "nullable") === "true") {
    const message = `\`${name}\` is a file as the whole body, which cannot be null`;
    return [{ ...finding, message, help: "make it optional instead" }];
  }
  if (!boundFields(binding).includes(name)) return [];
  const message = `\`${name}\` is in another part of the request, and cannot be the body, too`;
  return [{ ...finding, message, help: "remove one of them" }];
}

/** Reports a field that is nowhere in the request, or cannot be absent. */
function checkBound(
  { binding, method, requestBody, verb }: RestMethod,
  { document, jsonName, syntax }: RestMethod["request"][number],
): readonly Finding[] {
  const { isOptional, name } = syntax;
  const isInPath = pathParameters(binding.path).includes(jsonName);
  const isInBody =
    requestBody === undefined
      ? verb !== "GET"
      : requestBody.value?.text === jsonName;
  const isBound = boundFields(binding).includes(jsonName) || isInBody;
  if (isBound && !(isInPath && isOptional)) return [];
  const whole =
    verb === "GET"
      ? "a GET request has no body"
      : "`@requestBody` makes another field the whole body";
  const help = isExtra(syntax)
    ? "remove the field"
    : isInPath
      ? "remove the `?`"
      : !isPortableName(jsonName)
        ? `add \`?name={${jsonName}}\` to the address, or remove the field`
        : `add ${isOptional ? "" : `\`/{${jsonName}}\` or `}\`?${jsonName}\` to the address, or remove the field`;
  return [
    {
      document,
      at: name,
      message: isInPath
        ? `\`${name.text}\` is in the path of \`${method.name.text}\` and cannot be optional`
        : `\`${name.text}\` is not in the path, the query or a header of \`${method.name.text}\``,
      notes: [isInPath ? "every segment of a path is required" : whole],
      help,
    },
  ];
}
