import type { Method, Route } from "../ir/contract.js";
import {
  type PathTemplate,
  parsePathTemplate,
  shapeOf,
} from "../ir/path-template.js";
import { rememberEach } from "../ir/remember.js";
import type { RestRoute } from "../ir/rest-route.js";
import { readRequest } from "./request.js";
import { readResponse } from "./response.js";
import type { WireAddress, WireMethod } from "./wire-method.js";

/** Returns what a method is on the wire. */
export const wireOf = rememberEach((method: Method): WireMethod => ({
  address: addressOf(method.route),
  request: readRequest(method),
  response: readResponse(method),
}));

/** Returns the address of a route, or null if the receiver chooses it. */
function addressOf(route: Route): WireAddress | null {
  switch (route.kind) {
    case "rpc": {
      const template = parsePathTemplate(route.path);
      return { verb: "POST", ...pathOf(template), target: route.path };
    }
    case "rest":
      return {
        verb: route.verb,
        ...pathOf(route.path),
        target: targetOf(route),
      };
    case "webhook":
      return null;
  }
}

function pathOf(
  template: PathTemplate,
): Pick<WireAddress, "path" | "shape" | "template"> {
  const { text } = template;
  return { template, shape: shapeOf(template), path: encodePath(text) };
}

function targetOf({ path, query }: RestRoute): string {
  const parts = query.map((each) => {
    if (each.kind === "fixed") return `${each.name}=${each.value}`;
    if (each.isJoined) return `${each.name}={${each.field},}`;
    return each.name === each.field
      ? each.name
      : `${each.name}={${each.field}}`;
  });
  return parts.length > 0 ? `${path.text}?${parts.join("&")}` : path.text;
}

function encodePath(path: string): string {
  if (/^[\w/.-]*$/u.test(path)) return path;
  return path
    .split(/(\{\w+\})/u)
    .map((part, index) => (index % 2 === 1 ? part : encodeText(part)))
    .join("");
}

/**
 * Percent-encodes text of a path, so that client and server use the same path.
 * Keeps escapes such as `%20`.
 */
function encodeText(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replace(/%25(?=[0-9a-f]{2})/giu, "%")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}
