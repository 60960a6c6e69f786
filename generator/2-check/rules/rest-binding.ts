import type { Annotation } from "../../1-parse/ast.js";
import { verbs } from "../../ir/contract.js";
import { isBodiless } from "../../ir/bodiless.js";
import {
  findWrongSegment,
  parametersIn,
  pathParameters,
} from "../../ir/path-template.js";
import { scalars } from "../../ir/scalars.js";
import { findAnnotation } from "../notation/annotations.js";
import { isExtra, metadataValue } from "../notation/metadata.js";
import {
  hasStatuses,
  type QueryPart,
  type StatusPart,
  statusOf,
  validHeaders,
} from "../notation/rest-binding.js";
import type { Program } from "../program/program.js";
import { isNullableType, resolveType } from "../program/resolve-type.js";
import type { RestMethod } from "../program/rest-methods.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { type NodeFinding, relate } from "../report/finding.js";
import { type AddressFault, findFieldFault } from "./rest-fields.js";
import { bodyOutputs } from "./rest-headers.js";

const form =
  'write `@http:"VERB /path"`, optionally with a query and statuses, as in `@http:"PUT /orders/{id}?notify 201"`';

/** The problem of `@http` without a path. */
export const withoutPath: AddressFault = {
  message: "`@http` needs a verb and a path",
  help: form,
};

/** Returns the first problem with the verb or the status, or null. */
export function findBindingFault(rest: RestMethod): NodeFinding | null {
  const { annotation, pathPart, place, statuses, verb } = rest.binding;
  // `@get` has only a path.
  if (annotation.name.text === "get") return null;
  if (verb === null || pathPart === null) {
    return { at: place, ...withoutPath };
  }
  if (verbs.every((each) => each !== verb.text)) {
    const known = verb.text.toUpperCase();
    return {
      at: verb,
      message: `\`${verb.text}\` is not a verb of \`@http\``,
      ...(verb.text === "OPTIONS"
        ? { help: "remove the method: servers answer it for every path" }
        : {
            ...(verbs.some((each) => each === known)
              ? { help: `write \`${known}\`` }
              : didYouMean(known, verbs)),
            notes: [`a verb is one of ${verbs.join(", ")}`],
          }),
    };
  }
  const head = verb.text === "HEAD" ? findHeadFault(rest) : null;
  if (head !== null) return { at: verb, ...head };
  const wrong = statuses.find(({ status }) => status === null);
  if (wrong !== undefined) {
    const message = `\`${wrong.text}\` is not the status of a success`;
    const notes = [
      "a status is a number from 200 to 299, optionally with its body, as in `202={pending}` or `202=empty`",
    ];
    return { at: wrong, message, notes };
  }
  return hasStatuses(rest.binding) ? null : findEmptyFault(rest);
}

/** Returns the problem of a HEAD method, or null. */
function findHeadFault(rest: RestMethod): AddressFault | null {
  const { binding, method, responseStatus } = rest;
  const { text } = method.name;
  if (findAnnotation(method, "clientOnly") === undefined) {
    const message = `servers answer HEAD for every GET, so \`${text}\` cannot be served`;
    return { message, help: "add `@clientOnly`, or remove the method" };
  }
  const hasBody = hasStatuses(binding)
    ? binding.statuses.some(({ field }) => field !== null)
    : bodyOutputs(rest).some(
        ({ jsonName }) => jsonName !== responseStatus?.value?.text,
      );
  if (!hasBody) return null;
  const message = `a response to HEAD has no body, but \`${text}\` has outputs in it`;
  return { message, help: "use `@responseHeaders`, or remove the outputs" };
}

function findEmptyFault(rest: RestMethod): NodeFinding | null {
  const { binding, method } = rest;
  const status = statusOf(binding);
  const [output] = bodyOutputs(rest);
  if (!isBodiless(status) || output === undefined) return null;
  return {
    at: binding.statuses[0] ?? binding.place,
    message: `a response with ${status} has no body, but \`${method.name.text}\` has outputs`,
    help: "use another status, or remove the outputs",
  };
}

/**
 * Returns all problems with the statuses of a success, if a method says what the
 * bodies of some are, or which output is the status.
 */
export function findStatusFaults(
  rest: RestMethod,
  program: Program,
): readonly NodeFinding[] {
  const { binding, body, responseStatus } = rest;
  const { statuses } = binding;
  if (statuses.some(({ status }) => status === null)) return [];
  if (rest.method.output.isStream) return findStreamFaults(rest);
  if (!hasStatuses(binding)) {
    return responseStatus === undefined
      ? []
      : [
          {
            at: responseStatus,
            message: `\`${rest.method.name.text}\` has only one status`,
            help: "remove `@responseStatus`, or list all statuses in `@http`",
          },
        ];
  }
  const faults = [
    ...(body === undefined ? [] : [wholeBodyFault(body, statuses)]),
    ...statuses.flatMap((part) => findStatusFault(rest, part, program) ?? []),
    ...[responseStatus].flatMap(
      (each) => (each && findOutputFault(rest, each, program)) ?? [],
    ),
  ];
  return faults.length > 0 ? faults : findUnusedOutputs(rest);
}

/** Reports statuses that the response with a stream cannot have. */
function findStreamFaults(rest: RestMethod): readonly NodeFinding[] {
  const { binding, method, responseStatus } = rest;
  const isWrong =
    hasStatuses(binding) ||
    (isBodiless(statusOf(binding)) && findEmptyFault(rest) === null);
  const [status = binding.place] = binding.statuses;
  const at = responseStatus ?? (isWrong ? status : undefined);
  if (at === undefined) return [];
  const message = `\`${method.name.text}\` is a stream, whose only status is that of its events`;
  const help = "keep at most one status with a body, such as 200";
  return [{ at, message, help }];
}

/** Reports `@body` beside statuses that say what their bodies are. */
function wholeBodyFault(
  body: Annotation,
  statuses: readonly StatusPart[],
): NodeFinding {
  const output = body.value?.text ?? "output";
  return {
    at: body,
    message: "`@http` says what the body of each status is",
    related: statuses.slice(0, 1).map((at) => ({ at, label: "said here" })),
    help: `remove \`@body\`, and write the output after its status, as in \`200={${output}}\``,
  };
}

/** Returns the problem of one of the statuses of a method, or null. */
function findStatusFault(
  rest: RestMethod,
  part: StatusPart,
  program: Program,
): NodeFinding | null {
  const { binding, method, responseStatus } = rest;
  const { field, isExplicit, status } = part;
  const { statuses } = binding;
  const earlier = statuses.slice(0, statuses.indexOf(part));
  const again = earlier.find((each) => each.status === status);
  if (again !== undefined) {
    const related = [{ at: again, label: "first listed here" }];
    const message = `the status ${status} is listed twice`;
    return { at: part, message, related, help: "remove one of them" };
  }
  const isEmpty = isBodiless(status ?? 0);
  if (isEmpty && field !== null) {
    const message = `a response with ${status} has no body`;
    return { at: part, message, help: `write \`${status}\` alone` };
  }
  if (!isEmpty && !isExplicit) {
    const message = `nothing says what the body of ${status} is`;
    const help = `write \`${status}={output}\` with an output of \`${method.name.text}\`, or \`${status}=empty\``;
    return { at: part, message, help };
  }
  const fault =
    field === null ? null : findBodyFault(rest, part, field, program);
  if (fault !== null) return fault;
  const twin = earlier.find((each) => each.field === field);
  if (twin === undefined || responseStatus !== undefined) return null;
  return {
    at: part,
    message: `nothing tells ${status} and ${twin.status} apart, because their bodies are the same`,
    related: [{ at: twin, label: "the other status" }],
    help: "add an output such as `status: uint16`, and `@responseStatus:status`",
  };
}

/** Returns why an output cannot be the body of a status, or null. */
function findBodyFault(
  { binding, method, response, responseStatus }: RestMethod,
  part: StatusPart,
  field: string,
  program: Program,
): NodeFinding | null {
  const output = response.find(({ jsonName }) => jsonName === field);
  if (output === undefined) {
    const known = response.map(({ jsonName }) => jsonName);
    const message = `the response of \`${method.name.text}\` has no field \`${field}\``;
    return { at: part, message, ...didYouMean(field, known) };
  }
  const { isOptional, name } = output.syntax;
  const related = [relate(output, name, "declared here")];
  const inHeaders = validHeaders(binding.responseHeaders);
  const elsewhere = inHeaders.some((each) => each.field === field)
    ? "a header"
    : responseStatus?.value?.text === field
      ? "the status"
      : null;
  if (elsewhere !== null) {
    const message = `\`${field}\` is ${elsewhere}, and cannot be a body, too`;
    return { at: part, message, related };
  }
  if (isExtra(output.syntax)) {
    const message = `\`${field}\` collects the members of a body and cannot be the whole body`;
    return { at: part, message, related };
  }
  const isAlways = binding.statuses.every((each) => each.field === field);
  if (isAlways !== isOptional) {
    return isAlways ? null : findNullFault(output, part, program);
  }
  return {
    at: part,
    message: isAlways
      ? `\`${field}\` is the body of every status and cannot be optional`
      : `\`${field}\` is not the body of every status, so it must be optional`,
    related,
    help: isAlways ? "remove the `?`" : `write \`${name.text}?\``,
  };
}

/**
 * Reports an output that is the body of some statuses and can be null, because
 * null means that the output is absent.
 */
function findNullFault(
  { document, jsonName, syntax }: RestMethod["response"][number],
  part: StatusPart,
  program: Program,
): NodeFinding | null {
  const isOwn = metadataValue(syntax, "nullable") === "true";
  if (!isOwn && !isNullableType(program, document, syntax.type)) return null;
  return {
    at: part,
    message: `\`${jsonName}\` is not the body of every status, so it cannot be null`,
    related: [
      relate(
        { document },
        syntax.name,
        isOwn ? "declared here" : "its type can be null",
      ),
    ],
    help: isOwn ? "remove `+ nullable`" : "use a type without `+ nullable`",
  };
}

/** Returns the problem of `@responseStatus`, or null. */
function findOutputFault(
  { binding, method, response }: RestMethod,
  { name, value }: Annotation,
  program: Program,
): NodeFinding | null {
  const output = response.find(({ jsonName }) => jsonName === value?.text);
  const at = value ?? name;
  if (output === undefined) {
    const known = response.map(({ jsonName }) => jsonName);
    const message = `\`@responseStatus\` must name an output of \`${method.name.text}\``;
    return { at, message, ...didYouMean(value?.text ?? "", known) };
  }
  const related = [relate(output, output.syntax.name, "declared here")];
  const { jsonName } = output;
  if (
    validHeaders(binding.responseHeaders).some(
      (each) => each.field === jsonName,
    )
  ) {
    const message = `\`${jsonName}\` is a header, and cannot be the status, too`;
    return { at, message, related };
  }
  const type = resolveType(program, output.document, output.syntax.type);
  const isNumber =
    type === null ||
    (type.kind === "scalar" &&
      scalars[type.name].wire === "number" &&
      (scalars[type.name].range?.[1] ?? 0n) >= 299n);
  const isNullable = isNullableType(
    program,
    output.document,
    output.syntax.type,
  );
  if (isNumber && !isNullable && !output.syntax.isOptional) return null;
  return {
    at,
    message: `the status \`${jsonName}\` must be a required integer of at least 16 bits`,
    related,
    help: `write \`${output.syntax.name.text}: uint16\``,
  };
}

/** Reports outputs that no response contains. */
function findUnusedOutputs(rest: RestMethod): readonly NodeFinding[] {
  const { binding, method, responseStatus } = rest;
  const used = binding.statuses.map(({ field }) => field);
  return bodyOutputs(rest).flatMap((output) =>
    used.includes(output.jsonName) ||
    responseStatus?.value?.text === output.jsonName
      ? []
      : {
          at: binding.place,
          message: `no response of \`${method.name.text}\` contains \`${output.jsonName}\``,
          related: [relate(output, output.syntax.name, "declared here")],
          help: `write it after a status, as in \`200={${output.jsonName}}\`, or add it to \`@responseHeaders\``,
        },
  );
}

/** Returns the first problem with a path, or null. */
export function findPathFault(
  rest: RestMethod,
  program: Program,
): AddressFault | null {
  return findShapeFault(rest) ?? findParameterFault(rest, program);
}

function findShapeFault({ binding }: RestMethod): AddressFault | null {
  const { path } = binding;
  const name = binding.annotation.name.text;
  if (!path.text.startsWith("/"))
    return { message: `the path of \`@${name}\` must begin with \`/\`` };
  const wrong = findWrongSegment(path);
  if (wrong === null) return null;
  if (wrong === "")
    return { message: `the path of \`@${name}\` has an empty segment` };
  return (
    findBraceFault(wrong) ?? {
      message: `\`${wrong}\` cannot be a path segment`,
      notes: [
        "a segment is letters, digits, `-._~!$&'()*+,;=:@` and a parameter, and not `.` or `..`",
      ],
    }
  );
}

/** Returns the problem of a segment with braces that is not a parameter. */
export function findBraceFault(segment: string): AddressFault | null {
  const rest = segment.replace(/\{[A-Za-z_]\w*\}/u, "");
  if (!/[{}]/u.test(rest)) return null;
  return parametersIn(segment).length > 1
    ? {
        message: `\`${segment}\` has several parameters`,
        help: "put a `/` between them, because a segment can have only one",
      }
    : {
        message: `\`${segment}\` is not a parameter`,
        help: "write the name of a field in braces, such as `{name}` or `v{name}.json`",
      };
}

function findParameterFault(
  rest: RestMethod,
  program: Program,
): AddressFault | null {
  const names = pathParameters(rest.binding.path);
  const [twice] = findDuplicates(names, (name) => name);
  if (twice) {
    return { message: `the path has the parameter \`${twice.again}\` twice` };
  }
  const faults = names.map((name) =>
    findFieldFault(name, "path segment", rest, program),
  );
  return faults.find((fault) => fault !== null) ?? null;
}

/** Returns all problems with a query. */
export function findQueryFaults(
  rest: RestMethod,
  program: Program,
): readonly NodeFinding[] {
  const { path, query } = rest.binding;
  const inPath = pathParameters(path);
  const names = new Set<string>();
  const fields = new Set<string>();
  return query.flatMap((part) => {
    const { parameter } = part;
    if (parameter === null) return [{ at: part, ...malformed(part) }];
    const { name } = parameter;
    const field = parameter.kind === "field" ? parameter.field : null;
    // Servers could not tell which of two pairs belongs to a field.
    const isAgain = names.has(name);
    const isBound = field !== null && fields.has(field);
    names.add(name);
    if (field !== null) fields.add(field);
    if (isAgain) {
      const message = `the query has the parameter \`${name}\` twice`;
      return [{ at: part, message, help: "remove one of them" }];
    }
    if (field === null) return [];
    if (isBound || inPath.includes(field)) {
      const where = isBound ? "twice in the query" : "also in the path";
      const message = `\`${field}\` is ${where}`;
      return [{ at: part, message, help: "remove one of them" }];
    }
    const place =
      parameter.kind === "field" && parameter.isJoined
        ? "joined list"
        : "query parameter";
    const fault = findFieldFault(field, place, rest, program);
    return fault === null ? [] : [{ at: part, ...fault }];
  });
}

function malformed({ text }: QueryPart): AddressFault {
  return {
    message:
      text === ""
        ? "the query has an empty parameter"
        : `\`${text}\` is not a query parameter`,
    notes: [
      "a query parameter is a field (`notify`), a name with a field (`limit={pageSize}`), a list separated by commas (`ids={ids,}`), or a fixed pair (`beta=true`)",
    ],
  };
}
