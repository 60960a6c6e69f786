import { isReadVerb } from "../../ir/bodiless.js";
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
import { type DeclaredRoute, routesByHost } from "../program/routes.js";
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
import { findContentTypeFault, findFormFault } from "./rest-fields.js";
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
    ...inMethods(findBindingFault)(program),
  ],

  "invalid-rest-path": inMethods((rest, program) => {
    const { pathPart } = rest.binding;
    const fault = findPathFault(rest, program);
    return fault && pathPart ? { at: pathPart, ...fault } : null;
  }),

  "invalid-query": inMethods(findQueryFaults),

  "invalid-request-body": (program) => [
    ...inMethods(checkRequestBody)(program),
    ...withoutAddress("requestBody", "its body is the whole request")(program),
    ...inMethods(findContentTypeFault)(program),
    ...withoutAddress("contentType", "its body is `application/json`")(program),
  ],

  "invalid-request-headers": (program) => [
    ...inMethods(findHeaderFaults)(program),
    ...withoutAddress("requestHeaders", "its body has all fields")(program),
  ],

  "invalid-response-headers": (program) => [
    ...inMethods(findResponseHeaderFaults)(program),
    ...withoutAddress("responseHeaders", "its body has all outputs")(program),
  ],

  "invalid-statuses": (program) => [
    ...inMethods(findStatusFaults)(program),
    ...withoutAddress("responseStatus", "its status is always 200")(program),
  ],

  "invalid-form-body": (program) => [
    ...inMethods(findFormFault)(program),
    ...withoutAddress("form", "its body is JSON")(program),
  ],

  "invalid-body": inMethods(checkBody),

  "unbound-request-field": (program) =>
    findRestMethods(program).flatMap((rest) => {
      // A misspelled parameter leaves its field unbound.
      const isFaulty =
        findPathFault(rest, program) !== null ||
        findQueryFaults(rest, program).length > 0 ||
        findHeaderFaults(rest, program).length > 0 ||
        checkRequestBody(rest) !== null;
      if (isFaulty) return [];
      return rest.request.flatMap((field) => checkBound(rest, field));
    }),

  "duplicate-route": (program) =>
    routesByHost(program).flatMap((routes) =>
      findDuplicates(
        routes.filter(isServed),
        ({ verb, shape }) => `${verb} ${shape}`,
      ).flatMap(({ first, again }) => {
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
              other.rest ? "first used here" : "this is the path of its calls",
            ),
          ],
          help: "use another verb, change a literal segment of one path, or add `@clientOnly` if another server answers the calls",
        };
      }),
    ),
} satisfies CheckRules;

/** Whether servers have the method of a route. */
function isServed({ method }: DeclaredRoute): boolean {
  return findAnnotation(method, "clientOnly") === undefined;
}

/** Returns a rule that finds faults of REST methods in their documents. */
function inMethods(
  find: (
    rest: RestMethod,
    program: Program,
  ) => NodeFinding | readonly NodeFinding[] | null,
): Rule {
  return (program) =>
    findRestMethods(program).flatMap((rest) =>
      [find(rest, program) ?? []]
        .flat()
        .map((fault) => ({ document: rest.document, ...fault })),
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

/** Returns a rule that finds an annotation on methods without `@http`. */
function withoutAddress(name: string, consequence: string): Rule {
  return inNodes(["methods"], ({ syntax }) => {
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
}

function checkBody(rest: RestMethod): NodeFinding | null {
  const { body, method } = rest;
  if (body === undefined || hasStatuses(rest.binding)) return null;
  const at = body.value ?? body;
  const message = `\`@body\` must name the only output of \`${method.name.text}\``;
  const [only, ...others] = bodyOutputs(rest);
  if (only === undefined || others.length > 0) {
    const count = only === undefined ? 0 : others.length + 1;
    return { at, message, notes: [`the method has ${count} outputs`] };
  }
  const { jsonName, syntax } = only;
  if (isExtra(syntax)) {
    const help = "remove `@body`: the map is already the entire body";
    return { at, message, help };
  }
  if (syntax.isOptional) {
    return { at, message, help: `make \`${jsonName}\` required` };
  }
  if (jsonName === body.value?.text) return null;
  const name = isPortableName(jsonName) ? jsonName : JSON.stringify(jsonName);
  return { at, message, help: `write \`@body:${name}\`` };
}

function checkRequestBody(rest: RestMethod): NodeFinding | null {
  const { binding, method, request, requestBody, verb } = rest;
  if (requestBody === undefined) return null;
  const name = requestBody.value?.text ?? "";
  const field = request.find(({ jsonName }) => jsonName === name);
  const at = requestBody.value ?? requestBody;
  if (isReadVerb(verb)) {
    const message = `a ${verb} request has no body`;
    return { at, message, help: "use another verb, or remove `@requestBody`" };
  }
  if (field === undefined) {
    const known = request.map(({ jsonName }) => jsonName);
    const message = `\`@requestBody\` must name a field of the request of \`${method.name.text}\``;
    return { at, message, ...didYouMean(name, known) };
  }
  if (isExtra(field.syntax)) {
    const message = `\`${name}\` collects the members of the body and cannot be the whole body`;
    return { at, message, help: "remove `@requestBody`" };
  }
  const { type } = field.syntax;
  const isFile = type.kind === "name" && type.name.text === "file";
  if (isFile && metadataValue(field.syntax, "nullable") === "true") {
    const message = `\`${name}\` is a file as the whole body, which cannot be null`;
    return { at, message, help: "make it optional instead" };
  }
  if (!boundFields(binding).includes(name)) return null;
  const message = `\`${name}\` is in another part of the request, and cannot be the body, too`;
  return { at, message, help: "remove one of them" };
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
      ? !isReadVerb(verb)
      : requestBody.value?.text === jsonName;
  const isBound = boundFields(binding).includes(jsonName) || isInBody;
  if (isBound && !(isInPath && isOptional)) return [];
  const whole = isReadVerb(verb)
    ? `a ${verb} request has no body`
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
