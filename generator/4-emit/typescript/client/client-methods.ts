import type { Method } from "../../../ir/contract.js";
import { clientCodec, exactJsonOf } from "../calls/call-codecs.js";
import { constantDocs } from "../calls/call-docs.js";
import { routePath } from "../calls/call-routes.js";
import { messageType, type HostScope } from "../calls/call-scope.js";
import { credentialConstants } from "./client-credentials.js";
import { fileFields, kindOfCall } from "../calls/call-kind.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import {
  arrayOf,
  entryOf,
  genericOf,
  linesObjectOf,
  pureCallOf,
} from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** One exported constant a method, so that unused ones are shaken off. */
export function emitMethodConstants(scope: HostScope): readonly Declared[] {
  return scope.host.services.flatMap((service) => {
    const { names } = scope.layout;
    const { client, sender } = names.service(service);
    const owner = service.direction === "inbound" ? client : sender;
    return service.methods.map((method) => {
      const { property } = names.method(method);
      const docs = constantDocs(method, `${owner}.${property}`);
      return emitMethod(scope, method, docs);
    });
  });
}

function emitMethod(
  scope: HostScope,
  method: Method,
  docs: readonly string[],
): Declared {
  const { imports, layout } = scope;
  const { constant } = layout.names.method(method);
  const { file, type, name } = makerOf(method);
  const types = callTypes(scope, method);
  const entries = methodEntries(scope, method);
  const path =
    method.route.kind === "webhook" ? null : quoteString(routePath(method));
  const callee = name === null ? null : imports.runtime(file, name);
  return buildConstant(
    imports,
    docs,
    constant,
    genericOf(imports.runtimeType(file, type), types),
    callee === null
      ? linesObjectOf(withPath(path, entries))
      : pureCallOf(callee, path === null ? [] : [path], entries),
  );
}

function withPath(
  path: string | null,
  entries: readonly Doc[],
): readonly Doc[] {
  return path === null ? entries : [entryOf("path", path), ...entries];
}

/** Type arguments of `ClientMethod` and `Call`: request, response, errors. */
export function callTypes(
  scope: HostScope,
  method: Method,
): readonly [request: string, response: string, error: string] {
  const { imports, layout, unit } = scope;
  const response =
    method.route.kind === "webhook"
      ? "void"
      : messageType(scope, method, "response");
  const { error } = layout.names.method(method);
  return [
    messageType(scope, method, "request"),
    response,
    imports.generatedType(unit, "errors", error),
  ];
}

/** A function of the runtime that makes a method, and the type of that. */
interface Maker {
  /** File of the runtime. */
  readonly file: string;
  /** Null for a method that is written out. */
  readonly name: string | null;
  readonly type: string;
}

function makerOf(method: Method): Maker {
  switch (kindOfCall(method)) {
    case "stream":
      return { file: "stream", name: "stream", type: "StreamMethod" };
    case "transfer":
      return { file: "transfer", name: "transfer", type: "TransferMethod" };
    case "call": {
      const names = { rpc: null, rest: "get", webhook: "webhook" };
      const name = names[method.route.kind];
      return { file: "client", name, type: "ClientMethod" };
    }
  }
}

/** What the runtime must know about the method besides its path. */
function methodEntries(scope: HostScope, method: Method): readonly Doc[] {
  const { route, safety } = method;
  const credentials = credentialConstants(scope, method);
  const entries: Doc[] = [];
  if (route.kind === "webhook" && isOneOfSeveral(scope, method)) {
    entries.push(entryOf("event", quoteString(method.name)));
  }
  if (route.kind === "rest" && route.body !== null) {
    entries.push(entryOf("body", quoteString(route.body)));
  }
  if (route.kind === "rpc" && routePath(method).includes("{")) {
    const fill = scope.imports.runtime("address", "fillParameters");
    entries.push(entryOf("fill", fill));
  }
  if (credentials.length > 0) {
    entries.push(["credentials: ", arrayOf(credentials)]);
  }
  // A stream is repeated only when its caller says how.
  const isRepeatable = safety !== "none" && !method.response.isStream;
  if (isRepeatable) entries.push(entryOf("safety", quoteString(safety)));
  entries.push(...fileEntries(method), ...codecEntries(scope, method));
  return entries;
}

/** Which fields are files. */
function fileEntries({ request, response }: Method): readonly Doc[] {
  const { files, fileLists } = fileFields(request);
  const names = [...files, ...fileLists].map(quoteString);
  const [download] = fileFields(response).files;
  return [
    ...(names.length === 0 ? [] : [["files: ", arrayOf(names)]]),
    ...(download === undefined ? [] : [entryOf("file", quoteString(download))]),
  ];
}

/** Whether receivers have to be told which method of a service is meant. */
function isOneOfSeveral({ host }: HostScope, method: Method): boolean {
  return host.services.some(
    ({ methods }) => methods.length > 1 && methods.includes(method),
  );
}

function codecEntries(scope: HostScope, method: Method): readonly Doc[] {
  const { encode, decode } = clientCodec(scope, method);
  const entries: Doc[] = [];
  if (encode !== null) entries.push(entryOf("encode", encode));
  if (decode !== null)
    entries.push(
      typeof decode === "string"
        ? entryOf("decode", decode)
        : ["decode: ", decode],
    );
  const { parse, stringify } = exactJsonOf(scope, method);
  if (parse !== null) {
    entries.push(entryOf("parse", scope.imports.runtime("json", parse)));
  }
  if (stringify !== null) {
    const name = scope.imports.runtime("json", stringify);
    entries.push(entryOf("stringify", name));
  }
  return entries;
}
