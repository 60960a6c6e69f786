// Judges a request by what a document says about it (`expected.js`).
import { isDeepStrictEqual } from "node:util";
import { file, fileText, formOf, pairsOf, textOf } from "./expected.js";

/**
 * Returns what differs between a request and an operation with one of its bodies,
 * or null. The path of the server is not compared.
 */
export async function judge({ path, verb, values }, body, request) {
  if (request.method.toLowerCase() !== verb) return "verb";
  const url = new URL(request.url);
  const [template, fixed = ""] = path.split("#")[0].split("?");
  const wanted = template.replaceAll(/\{([^}]+)\}/gu, (_, name) => {
    const found = values.find(
      (each) => each.in === "path" && each.name === name,
    );
    return found === undefined ? `{${name}}` : plain(found.value);
  });
  if (!decodeURIComponent(url.pathname).endsWith(wanted)) return "path";
  const query = values
    .filter((each) => each.in === "query")
    .flatMap(pairsOf)
    .concat([...new URLSearchParams(fixed)]);
  if (!isSame(query, [...url.searchParams])) {
    return `query ${url.search} in place of ${query.join("&")}`;
  }
  const header = values.find(
    (each) =>
      each.in === "header" &&
      request.headers.get(each.name) !== plain(each.value),
  );
  if (header !== undefined) return `header ${header.name}`;
  return body === null ? null : await judgeBody(body, request);
}

async function judgeBody(body, request) {
  const sent = request.headers.get("content-type") ?? "";
  const type = sent.split(";")[0].toLowerCase();
  const [start] = body.type.split("*");
  if (body.type.includes("*") ? !type.startsWith(start) : type !== body.type) {
    return "media type";
  }
  if (type === "multipart/form-data") return await judgeParts(body, request);
  const text = await request.text();
  if (type === "application/x-www-form-urlencoded") {
    return isSame(formOf(body), [...new URLSearchParams(text)]) ? null : "form";
  }
  if (body.value === file) return text === fileText ? null : "content";
  return isDeepStrictEqual(JSON.parse(text), plainValue(body.value))
    ? null
    : "body";
}

/** Compares the parts of a form. Objects in parts are JSON. */
async function judgeParts({ value, encoding }, request) {
  const wanted = Object.entries(value).flatMap(([name, each]) =>
    [each].flat().map((item) => [name, partOf(item, encoding[name])]),
  );
  const found = [];
  for (const [name, part] of await request.formData()) {
    found.push([name, typeof part === "string" ? part : await part.text()]);
  }
  return isSame(wanted, found) ? null : "parts";
}

function partOf(value) {
  if (value === file) return fileText;
  return typeof value === "object" ? JSON.stringify(value) : textOf(value);
}

/** The text of a parameter in a path or a header. */
function plain(value) {
  if (Array.isArray(value)) return value.map(textOf).join();
  if (typeof value !== "object") return textOf(value);
  return Object.entries(value).flat().map(textOf).join();
}

/** A file in JSON is text. */
function plainValue(value) {
  if (value === file) return fileText;
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, plainValue(each)]),
  );
}

/** Whether two lists have the same pairs, in any order. */
function isSame(wanted, found) {
  const texts = (pairs) => pairs.map((pair) => pair.join("=")).sort();
  return isDeepStrictEqual(texts(wanted), texts(found));
}
