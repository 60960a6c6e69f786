import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of clients in TypeScript. */
export const typescriptClient: readonly PlantedFault[] = [
  ...faultsIn("client/address.ts", {
    "sends items with commas in paths": [
      '/,/.test((value as Partial<string[]>).join?.("") as string)',
      "false",
    ],
    "sends dots as parts of paths": ["/^\\.{0,2}$|", "/^$|"],
    "sends empty parts of paths": ["/^\\.{0,2}$|", "/^\\.{1,2}$|"],
    "does not encode paths": [
      ".map(encodeURIComponent).join();",
      ".map(String).join();",
    ],
    "encodes commas between items of paths": [
      ".map(encodeURIComponent).join();",
      '.map(encodeURIComponent).join("%2C");',
    ],
    "does not encode queries": [
      "return encodeURIComponent(value);",
      "return String(value);",
    ],
    "sends a pair for each item of a joined list": [
      "isJoined && values.length > 0 ? [values.join()] : values",
      "values",
    ],
    "sends items with commas in joined lists": [
      "(isJoined && /,/.test(value))",
      "false",
    ],
    "sends the first item of lists in queries": [
      "return texts.map((text)",
      "return texts.slice(0, 1).map((text)",
    ],
    "drops fixed pairs of queries": [
      "(Array.isArray(field) ? field : given.get(String(field))) ?? []",
      "given.get(String(field)) ?? []",
    ],
    "drops queries": [
      'return pairs.length > 0 ? `?${pairs.join("&")}` : "";',
      'return "";',
    ],
    "drops brackets of lists in forms": ["name + listMark,", "name,"],
    "sends dots instead of brackets": [
      "`${name}[${checkName(key)}]`",
      "`${name}.${checkName(key)}`",
    ],
  }),
  ...faultsIn("client/client-method.ts", {
    "sends no Accept": ['headers["accept"] = type;', ""],
    "sends fields of the path in bodies": [
      "entries.filter(([name]) => !bound.includes(name)),",
      "entries,",
    ],
    "reads the bodies of empty responses": [
      "...(isEmpty && { parse: () => ({}) }),",
      "",
    ],
    "sends forms as JSON": ['headers["content-type"] = type;', ""],
    "ignores headers of responses": [
      "...fieldsIn(response().headers, fields),",
      "",
    ],
    "sends no headers of its own": [
      "Object.assign(headers, printHeaders(inHeaders, message));",
      "",
    ],
    "accepts lists as responses": [
      '/^\\s*{/.test(text) ? text : ""',
      '/^\\s*[{[]/.test(text) ? text : ""',
    ],
  }),
  ...faultsIn("client/client.ts", {
    "follows redirects": [
      'const redirect = "manual";',
      'const redirect = "follow";',
    ],
    "drops schemes of credentials": ["= [prefix] + value;", "= value;"],
    "sends only one credential": [
      "if (value) headers[header]",
      'if (value && !headers["x-key"]) headers[header]',
    ],
    "sends credentials of other methods": [
      "for (const [option, header, prefix] of credentials) {",
      'headers["x-key"] = "key"; for (const [option, header, prefix] of credentials) {',
    ],
    "sends no content type": ['{ "content-type": "application/json" }', "{}"],
    "always sends POST": ["method: verb,", 'method: "POST",'],
    "refuses other successes than 200": [
      "if (response.ok) return",
      "if (response.status === 200) return",
    ],
    "takes errors for responses": [
      "if (response.ok) return",
      "if (true) return",
    ],
    "drops the cause of bad responses": [
      "{ cause: hidden ?? text.slice(0, 500) }",
      "{}",
    ],
    "reports another status": [
      "      response.status,\n    )",
      "      500,\n    )",
    ],
    "reports lost connections as bad responses": [
      'createTransportErrorAs("network", { cause })',
      'createTransportErrorAs("bad-response", { cause })',
    ],
  }),
  ...faultsIn("wire/read-lines.ts", {
    "reads no items": ["if (texts.length) yield [texts, true];", ""],
    "drops the last line": [
      'return yield [[parts.join("")], false];',
      "return;",
    ],
  }),
  ...faultsIn("client/stream-connection.ts", {
    "ignores that the end is missing": [
      'if (isEnded) throw lost("it has no end");',
      "",
    ],
    "reads after the end": [
      'if (last === "") return;',
      'if (last === "") continue;',
    ],
    "reads streams of any type": ["body && !/ndjson/i.test(type)", "false"],
    "ignores the status of errors in streams": ["isError ? sent : 400", "400"],
    "takes cut lines for bad ones": [
      "const fault = isWhole",
      "const fault = true",
    ],
    "takes errors in streams for items": [
      'if (isEnded || !("webrpcError" in message))',
      "if (true)",
    ],
  }),
  ...faultsIn("client/retry.ts", {
    "repeats calls that change something": [
      '(method.safety ?? "none") === "none"',
      "false",
    ],
    "fails calls with a key whose answer is cut": [
      "isSlow || isLost || isPassing",
      "isSlow || isPassing",
    ],
    "makes one attempt more": [
      "failures >= attempts ||",
      "failures > attempts ||",
    ],
    "does not repeat calls after 429": [
      "[429, 502, 503, 504]",
      "[502, 503, 504]",
    ],
    "does not repeat calls that were cut": [
      'memberOf(error, "reason") === "network" ||',
      "",
    ],
    "repeats calls after every error": [
      "if (isOver || !(isSlow || isLost || isPassing(error, askedMs !== null)))",
      "if (isOver)",
    ],
    "gives up calls that are still running": [
      "if (isStillRunning(error)) {",
      "if (isStillRunning(error)) throw error; if (false) {",
    ],
  }),
  ...faultsIn("codegen/idempotency-key.ts", {
    "sends a key for each attempt": [
      'headers: [{ "idempotency-key": quoted }, ...headers],',
      'headers: [() => ({ "idempotency-key": JSON.stringify(crypto.randomUUID()) }), ...headers],',
    ],
    "sends keys without quotes": [
      "const quoted = JSON.stringify(key);",
      "const quoted = String(key);",
    ],
    "sends no keys": [
      'headers: [{ "idempotency-key": quoted }, ...headers],',
      "headers,",
    ],
    "ignores given keys": [
      "idempotencyKey: key = randomKey()",
      "idempotencyKey: _, key = randomKey()",
    ],
    "reads the state of keys from bodies only": [
      'headers?.has("idempotency-state")',
      "false",
    ],
  }),
  ...faultsIn("codegen/resume-stream.ts", {
    "reads streams again from the start": [
      "{ ...request, [field]: path.reduce(memberOf, last) }",
      "request",
    ],
  }),
  ...faultsIn("client/stream.ts", {
    "leaves connections of streams open": [
      "left.abort();\n          return end();",
      "return Promise.resolve({ done: true as const, value: undefined });",
    ],
  }),
  ...faultsIn("client/reconnect.ts", {
    "does not reconnect": [
      "if (failed >= attempts || !isPassing(error)) throw error;",
      "throw error;",
    ],
  }),
  ...faultsIn("codegen/send-file.ts", {
    "sends files without their type": [
      'headers.set("content-type", body.type || "application/octet-stream");',
      "",
    ],
  }),
  ...faultsIn("codegen/send-parts.ts", {
    "sends files without their names": [
      '; filename="${escapePartName(fileName)}"',
      '; filename="file"',
    ],
  }),
  ...faultsIn("client/transfer.ts", {
    "sends uploads without their fields": [
      'form.append("json", String(init.body));',
      "",
    ],
    "sends only one file": [
      "for (const [field, file, name] of parts)",
      "for (const [field, file, name] of parts.slice(0, 1))",
    ],
    "ignores names of downloads": [
      'name: fileNameIn(headers.get("content-disposition") ?? ""),',
      'name: "file",',
    ],
  }),
  ...faultsIn("client/check-responses.ts", {
    "does not check responses": [
      "if (check === undefined || call.isStream) return next(call);",
      "return next(call);",
    ],
  }),
  ...faultsIn("client/reconnect.ts", {
    "continues after the first item": [
      "usual = usualResume",
      "usual ??= usualResume",
    ],
    "counts failures across items": ["failed = 0;\n        last", "last"],
  }),
  ...faultsIn("wire/bytes.ts", {
    "sends bytes without padding": [
      "return btoa(binary);",
      'return btoa(binary).replace(/=+$/, "");',
    ],
  }),
  ...faultsIn("client/retry.ts", {
    "waits after every conflict": [
      'memberOf(error, "name") === "WebrpcRequestFailed" &&\n    ',
      "",
    ],
    "repeats unreadable errors": [
      '/^2/.test(String(memberOf(error, "status"))) &&',
      "",
    ],
    "waits for as long as the server asks": ["delayMs > maxMs ||", ""],
    "repeats unreadable responses without a key": [
      'call.headers.some((each) => memberOf(each, "idempotency-key"));',
      "true;",
    ],
  }),
  ...faultsIn("codegen/idempotency-key.ts", {
    "sends the same key for all calls": [
      "key = randomKey()",
      'key = "0".repeat(64)',
    ],
  }),
  ...faultsIn("client/client-method.ts", {
    "ignores what follows JSON": [
      'JSON.parse(/^\\s*{/.test(text) ? text : "")',
      'JSON.parse(/^\\s*{/.test(text) ? text.slice(0, text.lastIndexOf("}") + 1) : "")',
    ],
    "lets callers replace the type of streams": [
      'headers["accept"] = type;',
      'headers["accept"] ??= type;',
    ],
  }),
  ...faultsIn("client/client.ts", {
    "drops null": [
      "const body = stringify(message);",
      'const body = stringify(message)?.replace(/,"\\w+":null/gu, "");',
    ],
  }),
  ...faultsIn("wire/json.ts", {
    "ignores what follows JSON without rounding": [
      "const value = readExactJson(text, maxDepth);",
      'const value = readExactJson(text.slice(0, text.lastIndexOf("}") + 1) || text, maxDepth);',
    ],
    "rounds large integers": [
      "const value = readExactJson(text, maxDepth);",
      "const value: unknown = maxDepth ? JSON.parse(text) : readExactJson(text, maxDepth);",
    ],
  }),
];
