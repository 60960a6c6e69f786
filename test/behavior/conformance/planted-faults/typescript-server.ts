import { faultsIn, type PlantedFault } from "./fault.js";

/** Faults of servers in TypeScript. */
export const typescriptServer: readonly PlantedFault[] = [
  ...faultsIn("server/credentials-check.ts", {
    "accepts every credential": ["answer === true ? null", "true ? null"],
    "accepts calls without a credential": [
      "if (value === null) return new Refusal(check.error, describeMissing(check));",
      "if (value === null) return null;",
    ],
  }),
  ...faultsIn("server/model/credential-place.ts", {
    "ignores schemes": [
      "if (prefix !== `${scheme.toLowerCase()} `) return null;",
      "",
    ],
    "reads schemes as they are written": [
      "text.slice(0, scheme.length + 1).toLowerCase()",
      "text.slice(0, scheme.length + 1)",
    ],
    "takes the first of two cookies": ["values.length > 1 ? null :", ""],
    "verifies all alternatives": [
      "if (alternatives === undefined) return credentials;",
      "return credentials;",
    ],
    "treats a wrong credential as none": [
      "? !credentials.some((rule) => isSent(rule, read))",
      "? true",
    ],
    "requires optional credentials": [
      "? !credentials.some((rule) => isSent(rule, read))",
      "? false",
    ],
    "verifies the last alternative": [
      "?? alternatives[0]",
      "?? alternatives.at(-1)",
    ],
  }),
  ...faultsIn("server/requests/query-credentials.ts", {
    "takes the last of two keys": [
      'values.has(key) ? "" : (value ?? "")',
      'value ?? ""',
    ],
  }),
  ...faultsIn("server/requests/query.ts", {
    "accepts more than 1,000 parameters": [
      "const maxPairs = 1000;",
      "const maxPairs = 1e9;",
    ],
    "reads numbers in queries as they are": [
      "if (!isNumber) return text;",
      "return text;",
    ],
  }),
  ...faultsIn("server/requests/request-message.ts", {
    "accepts every content type": [
      "return unsupportedContentType(contentType, expected);",
      "return null;",
    ],
    "compares content types exactly": [
      "type?.trim().toLowerCase() === expected",
      "type === expected",
    ],
    "reads compressed bodies": [
      "if (coding === null || /^(?:identity)?$/iu.test(coding.trim())) return null;",
      "return null;",
    ],
    "accepts sessions on pages of other sites": [
      'const isOther = site === "cross-site" || site === "same-site";',
      'const isOther = site === "cross-site";',
    ],
    "accepts origins of others": [
      "if (origin === null || isOwn(origin, request)) return null;",
      "return null;",
    ],
    "ignores the port of origins": [
      "new URL(url).host === host",
      'new URL(url).hostname === host.split(":")[0]',
    ],
    "does not validate requests": [
      "const failures = validate(method.checkRequest, message, asRequest);",
      "const failures = validate(method.checkRequest, message, asRequest).slice(0, 0);",
    ],
    "accepts lists as requests": [
      "if (isRecord(message)) return toHandlerForm(method, message);",
      "if (isRecord(message) || Array.isArray(message)) return toHandlerForm(method, message);",
    ],
  }),
  ...faultsIn("server/requests/rest-message.ts", {
    "lets bodies replace fields of the path": [
      "if (Object.hasOwn(bound, name)) setOwn(body, name, bound[name]);",
      "if (Object.hasOwn(bound, name)) { if (!Object.hasOwn(body, name)) setOwn(body, name, bound[name]); }",
    ],
    "keeps fields in bodies that are elsewhere": [
      "else if (Object.hasOwn(body, name)) Reflect.deleteProperty(body, name);",
      "",
    ],
  }),
  ...faultsIn("codegen/read-requests.ts", {
    "requires bodies": ['if (text === "") return withMembers(bound, {});', ""],
  }),
  ...faultsIn("server/responses/response.ts", {
    "sends other statuses of errors": [
      "  const status = statusOf(error);",
      "  const status = 400;",
    ],
    "sends no challenge": [
      'return { [challengeHeader]: challenges.join(", ") || "ApiKey" };',
      "return {};",
    ],
    "sends no cause": ['typeof cause === "string" ?', "false ?"],
    "sends a body with 204": [
      'if (status === 204) return { status, headers: {}, body: "" };',
      "",
    ],
    "sends codes as texts": [
      '"code":${Number.isFinite(code) ? code : 0}',
      '"code":"${code}"',
    ],
  }),
  ...faultsIn("server/responses/failed-answer.ts", {
    "shows secrets of exceptions": [
      "const cause = isFromHost ? failure.message : undefined;",
      "const cause = String(failure);",
    ],
    "repeats queries in causes": [
      "const path = pathOf(request.target);",
      "const path = request.target;",
    ],
    "takes broken routes for bad requests": [
      "return new Refusal(builtInErrors.WebrpcBadRoute, cause);",
      "return new Refusal(builtInErrors.WebrpcBadRequest, cause);",
    ],
  }),
  ...faultsIn("server/responses/error-data.ts", {
    "sends no data of errors": [
      "if (known === undefined || (data === undefined && !errorBody)) return null;",
      "return null;",
    ],
    "sends invalid data of errors": ["if (failures.length === 0)", "if (true)"],
  }),
  ...faultsIn("server/responses/line-stream.ts", {
    "drops the first item": [
      "return open(source, idle + format.item(print(first.value)));",
      "print(first.value); return open(source, idle);",
    ],
    "ends streams without their errors": [
      "return this.#parts.format.failure(answer.response);",
      "return this.#parts.format.end;",
    ],
    "sends no first line feed": [
      "return open(source, idle + format.item(print(first.value)));",
      "return open(source, format.item(print(first.value)));",
    ],
  }),
  ...faultsIn("server/unmatched.ts", {
    "does not say which verbs it allows": [
      "refuse(request, unmatched, refusal, { allow })",
      "refuse(request, unmatched, refusal)",
    ],
  }),
  ...faultsIn("server/model/deadline.ts", {
    "ignores deadlines of clients": [
      "return Math.min(Number(header), limitMs);",
      "return limitMs;",
    ],
    "lets clients extend deadlines": [
      "return Math.min(Number(header), limitMs);",
      "return Number(header);",
    ],
  }),
];
