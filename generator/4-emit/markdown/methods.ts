import type { Field, Message, Method, Service } from "../../ir/contract.js";
import { type Anchors, headingOf, linkTo } from "./anchors.js";
import { describeFields } from "./fields.js";
import { markdownDocs, markdownCode, markdownText } from "./markdown-text.js";

/** Returns paragraphs about a method. Input: HTTP statuses by error name. */
export function describeMethod(
  method: Method,
  service: Service,
  anchors: Anchors,
  statuses: ReadonlyMap<string, number>,
): readonly string[] {
  const { deprecated, docs, request, response } = method;
  const reason = markdownText(deprecated ?? "");
  return [
    `### ${markdownText(headingOf(method))}`,
    deprecated === null ? "" : `**Deprecated.** ${reason}`.trim(),
    markdownDocs(docs),
    describeRoute(method, service),
    listFacts(method),
    ...describeMessage("Request", request, anchors),
    describeUpload(request),
    ...describeMessage(
      response.isStream ? "Each item of the stream" : "Response",
      response,
      anchors,
    ),
    describeBody(method),
    listErrors(method, anchors, statuses),
  ];
}

function describeRoute({ name, route }: Method, { methods }: Service): string {
  switch (route.kind) {
    case "rpc":
      return markdownCode(`POST ${route.path}`);
    case "rest":
      return markdownCode(`GET ${route.path.text}`);
    case "webhook": {
      const header = markdownCode(`webhook-event: ${name}`);
      const more = methods.length > 1 ? ` with the header ${header}` : "";
      return `\`POST\` to the receiver's address${more}.`;
    }
  }
}

/** Lists credentials and whether a call can be repeated. */
export function listFacts({ credentials, safety }: Method): string {
  const headers = credentials.map(markdownCode).join(" and ");
  const sentences = [
    headers === "" ? "" : `Requires ${headers}.`,
    safety === "readonly" ? "Has no side effects." : "",
    safety === "idempotent" ? "Can be retried safely." : "",
  ];
  return sentences.filter((text) => text !== "").join(" ");
}

function describeMessage(
  title: string,
  { fields, struct }: Message,
  anchors: Anchors,
): readonly string[] {
  if (fields.length === 0) return [`**${title}:** empty.`];
  if (struct === null) {
    return [`**${title}:**`, describeFields(fields, anchors)];
  }
  return [`**${title}:** ${linkTo(struct, anchors.types.get(struct))}`];
}

function describeUpload({ fields }: Message): string {
  if (!fields.some(isFile)) return "";
  const form = "The request is `multipart/form-data`.";
  return fields.every(isFile)
    ? form
    : `${form} Its first part, \`json\`, contains the fields that are not files.`;
}

function isFile({ type }: Field): boolean {
  const inner = type.kind === "list" ? type.element : type;
  return inner.kind === "scalar" && inner.name === "file";
}

/** Describes how a response differs from one JSON object. */
function describeBody({ response, route }: Method): string {
  if (response.isStream) {
    return "The response is `application/x-ndjson`, one item on each line.";
  }
  if (response.fields.some(isFile)) return "The response is the file itself.";
  return route.kind === "rest" && route.body !== null
    ? `The response body is the value of ${markdownCode(route.body)} alone.`
    : "";
}

function listErrors(
  { errors, route }: Method,
  anchors: Anchors,
  statuses: ReadonlyMap<string, number>,
): string {
  if (route.kind === "webhook") return "";
  if (errors === null) {
    return `**Errors:** any declared or built-in [error](#${anchors.errors}).`;
  }
  if (errors.length === 0) return "**Errors:** only built-in errors.";
  const links = errors.map((name) => {
    const status = statuses.get(name);
    const link = linkTo(name, anchors.errors);
    return status === undefined ? link : `${link} (${status})`;
  });
  return `**Errors:** ${links.join(", ")}`;
}
