import { sentNameOf } from "../credential-names.js";
import { type Case, change, type Drawn } from "./cases.js";
import { Draws, type KnownValues } from "./draw-message.js";
import {
  createRequest,
  type DrawnRequest,
  type Parameters,
} from "./drawn-request.js";
import { SpecialFinder } from "./find-specials.js";
import { isBasic } from "../../generator/ir/credentials-of.js";
import { headerOf } from "../../generator/http/credentials.js";
import type { WireObject } from "../../generator/values/json.js";
import { maySend, type Permission } from "./may-send.js";
import { hasOwnRefusals } from "./own-refusals.js";
import { oddCredentials, oddPaths, oddRequests } from "./odd-requests.js";
import {
  hasFiles,
  jsonBodyOf,
  jsonFieldsOf,
  missingCredentials,
  type TestedMethod,
} from "./tested-method.js";

/** The subject of a check. */
export type CheckName =
  | "valid messages"
  | "limits"
  | "malformed bodies"
  | "routes and verbs"
  | "odd requests"
  | "content types"
  | "credentials";

/** Requests of a method that test the same thing. */
export interface Check {
  readonly name: CheckName;
  readonly cases: readonly Case[];
}

/** The parts that all requests to a server have in common. */
export interface Sending extends Permission {
  readonly parameters: Parameters;
  /** Headers that are sent with each request, by lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly values: KnownValues;
}

/**
 * Creates the checks of a method. Without its credentials, there are fewer.
 * Requests that must not be sent are null.
 */
export function checksOf(
  tested: TestedMethod,
  sending: Sending,
): readonly Check[] {
  return createChecks(tested, sending).flatMap(({ cases, name }) => {
    const spared = cases.map(({ requests, what }) => ({
      what,
      requests: requests.map((request) =>
        request && maySend(request, tested, sending) ? request : null,
      ),
    }));
    return spared.length > 0 ? { name, cases: spared } : [];
  });
}

function createChecks(
  tested: TestedMethod,
  sending: Sending,
): readonly Check[] {
  const { contract } = tested;
  const draws = new Draws(contract, sending.values);
  const fields = jsonFieldsOf(tested);
  const toRequest = (message: WireObject): DrawnRequest | null => {
    const request = createRequest(tested, message, sending.parameters);
    // Many frameworks decode a path before they split it.
    const isSplit = hasOwnRefusals(tested) && /%2f/iu.test(request?.path ?? "");
    return isSplit ? null : request;
  };
  const messages = draws.object(fields);
  const valid = messages.map(toRequest);
  const always: readonly Check[] = [
    {
      name: "routes and verbs",
      cases: [
        ...routeCases(tested, valid),
        // The routers of many frameworks ignore the case of a path.
        ...(hasOwnRefusals(tested) ? [] : oddPaths(tested, valid)),
      ],
    },
    {
      name: "credentials",
      cases: [
        ...credentialCases(tested, valid),
        ...oddCredentials(tested, valid, sending.headers),
      ],
    },
  ];
  const missing = missingCredentials(tested, sending.headers);
  if (missing.length > 0) return always;
  const specials = new SpecialFinder(contract, draws).inFields(fields);
  const limits = specials.map(({ value, what }) => ({
    what,
    requests: value.map(toRequest),
  }));
  const hasBody = jsonBodyOf(tested) !== "none";
  const noMessage = change("null", valid, () => ({ body: "null" }));
  return [
    { name: "valid messages", cases: [{ what: "", requests: valid }] },
    {
      name: "limits",
      cases: hasBody && !hasFiles(tested) ? [...limits, noMessage] : limits,
    },
    {
      name: "odd requests",
      cases: oddRequests(tested, {
        messages,
        requests: valid,
        parameters: sending.parameters,
      }),
    },
    { name: "malformed bodies", cases: hasBody ? bodyCases(valid) : [] },
    {
      name: "content types",
      cases: hasBody ? contentTypeCases(tested, valid) : [],
    },
    ...always,
  ];
}

/** Malformed bodies by description, made from valid JSON. */
const bodies: Readonly<Record<string, (json: string) => string>> = {
  "an empty body": () => "",
  "a body that ends early": (json) => json.slice(0, -1),
  "a body followed by extra text": (json) => `${json}}`,
  "a body that is a list": (json) => `[${json}]`,
  "a body that is a string": (json) => JSON.stringify(json),
  "a body with single quotes": () => "{'a':1}",
  "a body with a trailing comma": () => '{"a":1,}',
};

function bodyCases(valid: Drawn): readonly Case[] {
  return Object.entries(bodies).map(([what, alter]) =>
    change(what, valid, ({ body }) => {
      if (body === null || typeof body === "string") {
        return { body: alter(body ?? "{}") };
      }
      const texts = body.texts.map(
        ([name, text]) => [name, alter(text)] as const,
      );
      return { body: { ...body, texts } };
    }),
  );
}

function contentTypeCases(tested: TestedMethod, valid: Drawn): readonly Case[] {
  const types = ["text/plain", "application/xml", "application/jsonx"];
  const wrong = [...types, ...(hasFiles(tested) ? ["application/json"] : [])];
  const asText = ({ body }: DrawnRequest): string =>
    typeof body === "string" ? body : (body?.texts[0]?.[1] ?? "{}");
  return [...wrong, null].map((type) =>
    change(
      type === null ? "no content type" : `content type ${type}`,
      valid,
      (request) => ({
        body: asText(request),
        headers: { ...request.headers, "content-type": type },
      }),
    ),
  );
}

function routeCases(
  { method: { method, wire } }: TestedMethod,
  valid: Drawn,
): readonly Case[] {
  const isRpc = method.route.kind === "rpc";
  // A server may also accept GET for reads.
  const isGet = method.safety === "readonly";
  const all = ["GET", "POST", "PUT", "DELETE"] as const;
  const verbs = all.filter(
    (verb) => !(isGet && verb === "GET") && verb !== wire.address?.verb,
  );
  return [
    ...verbs.map((verb) =>
      change(`verb ${verb}`, valid, ({ body, headers }) =>
        verb === "GET"
          ? { verb, body: null, headers: { ...headers, "content-type": null } }
          : { verb, body },
      ),
    ),
    ...(isRpc
      ? [
          change("a method that does not exist", valid, ({ path }) => ({
            path: `${path}NoSuchMethod`,
          })),
        ]
      : []),
  ];
}

function credentialCases(
  { method: { credentials } }: TestedMethod,
  valid: Drawn,
): readonly Case[] {
  return credentials.flatMap((credential) => {
    const { key, scheme } = credential;
    const { prefix = "" } = headerOf(credential) ?? {};
    const set = (what: string, value: string | null): Case =>
      change(what, valid, ({ headers }) => ({
        headers: { ...headers, [sentNameOf(credential)]: value },
      }));
    // A server may have another error for what is not base64.
    const wrong = isBasic(credential)
      ? btoa("no-such-user:no-such-password")
      : "no-such-credential";
    return [
      set(`no ${key}`, null),
      set(`a wrong ${key}`, prefix + wrong),
      ...(scheme === null
        ? []
        : [set(`${key} without ${scheme}`, `Other ${wrong}`)]),
    ];
  });
}
