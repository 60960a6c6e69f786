import { verbs } from "../../ir/contract.js";
import { isBodiless } from "../../ir/bodiless.js";
import {
  findWrongSegment,
  parametersIn,
  pathParameters,
} from "../../ir/path-template.js";
import { isJoined } from "../../ir/query-fields.js";
import {
  isSuccess,
  type QueryPart,
  statusOf,
} from "../notation/rest-binding.js";
import type { Program } from "../program/program.js";
import type { RestMethod } from "../program/rest-methods.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import type { NodeFinding } from "../report/finding.js";
import { type Fault, findFieldFault } from "./rest-fields.js";
import { bodyOutputs } from "./rest-headers.js";

const form =
  'write `@http:"VERB /path"`, optionally with a query and a status, as in `@http:"PUT /orders/{id}?notify 201"`';

/** The problem of `@http` without a path. */
export const withoutPath: Fault = {
  message: "`@http` needs a verb and a path",
  help: form,
};

/** Returns the first problem with the verb or the status, or null. */
export function findBindingFault(rest: RestMethod): NodeFinding | null {
  const { annotation, excess, pathPart, place, status, verb } = rest.binding;
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
      ...(verb.text === "HEAD" || verb.text === "OPTIONS"
        ? { help: "remove the method: servers answer it for every path" }
        : {
            ...(verbs.some((each) => each === known)
              ? { help: `write \`${known}\`` }
              : didYouMean(known, verbs)),
            notes: [`a verb is one of ${verbs.join(", ")}`],
          }),
    };
  }
  if (!isSuccess(status)) {
    const at = status ?? place;
    const message = `\`${status?.text ?? ""}\` is not the status of a success`;
    return { at, message, notes: ["the status must be from 200 to 299"] };
  }
  if (excess !== null) {
    const message = `nothing can follow the ${status === null ? "path" : "status"}`;
    return { at: excess, message, help: form };
  }
  return findEmptyFault(rest);
}

function findEmptyFault(rest: RestMethod): NodeFinding | null {
  const { binding, method } = rest;
  const status = statusOf(binding);
  const [output] = bodyOutputs(rest);
  if (!isBodiless(status) || output === undefined) return null;
  return {
    at: binding.status ?? binding.place,
    message: `a response with ${status} has no body, but \`${method.name.text}\` has outputs`,
    help: "use another status, or remove the outputs",
  };
}

/** Returns the first problem with a path, or null. */
export function findPathFault(
  rest: RestMethod,
  program: Program,
): Fault | null {
  return findShapeFault(rest) ?? findParameterFault(rest, program);
}

function findShapeFault({ binding }: RestMethod): Fault | null {
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
export function findBraceFault(segment: string): Fault | null {
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

function findParameterFault(rest: RestMethod, program: Program): Fault | null {
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
    const place = isJoined(parameter) ? "joined list" : "query parameter";
    const fault = findFieldFault(field, place, rest, program);
    return fault === null ? [] : [{ at: part, ...fault }];
  });
}

function malformed({ text }: QueryPart): Fault {
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
