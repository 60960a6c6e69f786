// Sends the requests of a document with the client that is generated from its
// import.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileContract } from "../../dist/generator/compile.js";
import { wireOf } from "../../dist/generator/http/wire-of.js";
import { valuesOf } from "../../dist/generator/values/value.js";
import { file, fileText, pairsOf, textOf } from "./expected.js";

const bin = resolve(import.meta.dirname, "../../bin/ridl.js");

/** Generates the clients of the contracts in a folder. */
export async function createOurs(folder, fetch) {
  const schema = readdirSync(folder).filter((each) => each.endsWith(".ridl"));
  const config = {
    schema,
    out: "out",
    emit: ["client", "validators"],
    language: "javascript",
    runtime: "copy",
  };
  writeFileSync(join(folder, "ridl.config.yaml"), JSON.stringify(config));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bin, "generate", "--force"],
    { cwd: folder, encoding: "utf8", maxBuffer: 1e9 },
  );
  if (status !== 0) throw new Error(stdout + stderr);
  const { value: contract } = compileContract(schema, {
    read: (path) => readFileSync(join(folder, path), "utf8"),
  });
  const values = valuesOf(contract);
  const services = new Map();
  const out = join(folder, "out");
  for (const name of readdirSync(out, { recursive: true })) {
    if (!/(?:^|\/)client\.js$/u.test(name)) continue;
    const exported = await import(pathToFileURL(join(out, name)).href);
    for (const [key, create] of Object.entries(exported)) {
      const service = /^create(\w+)Client$/u.exec(key)?.[1];
      if (service === undefined || key.endsWith("HostClient")) continue;
      const client = create({
        baseUrl: "http://host",
        fetch,
        retry: false,
        credentials: {},
      });
      services.set(plain(service), client);
    }
  }
  const methods = new Map();
  for (const { name, methods: own } of contract.hosts.flatMap(
    (host) => host.services,
  )) {
    const client = services.get(plain(name)) ?? {};
    for (const method of own) {
      const wire = wireOf(method);
      if (wire.address === null) continue;
      const key = Object.keys(client).find(
        (each) => plain(each) === plain(method.name),
      );
      const call = key === undefined ? null : client[key];
      const list = methods.get(wire.address.verb.toLowerCase()) ?? [];
      list.push({ wire, call, method, shape: wire.address.template.text });
      methods.set(wire.address.verb.toLowerCase(), list);
    }
  }
  return (operation) => {
    const end = shapeOf(operation.path.split("#")[0].split("?")[0]);
    const candidates = (methods.get(operation.verb) ?? []).filter(({ shape }) =>
      shapeOf(shape).endsWith(end),
    );
    return candidates
      .sort((a, b) => a.shape.length - b.shape.length)
      .map(({ call, wire }) => async (body) => {
        if (call === null) throw new Error("no method");
        await call(inputOf(wire, operation, body, values));
      });
  };
}

const plain = (name) => name.replaceAll(/[^A-Za-z0-9]/gu, "").toLowerCase();
const shapeOf = (path) => path.replaceAll(/\{[^}]*\}/gu, "{}");

/** Returns the arguments of a call that sends all values of an operation. */
function inputOf({ request }, operation, body, values) {
  const input = {};
  const inPath = operation.path.split("#")[0].match(/\{[^}]+\}/gu) ?? [];
  const slots = request.slots.filter(({ place }) => place === "path");
  for (const slot of request.slots) {
    const { field, name, place } = slot;
    let found;
    switch (place) {
      case "fixed":
        continue;
      case "path": {
        // Paths of servers have parameters, too.
        const index = slots.indexOf(slot) + inPath.length - slots.length;
        found = valueIn(operation, "path", inPath[index]?.slice(1, -1) ?? "");
        break;
      }
      case "query":
      case "header":
        found = valueIn(operation, place, name);
        break;
      case "whole":
        found = body?.value;
        break;
      case "member":
      case "part":
        found = body?.value?.[name];
    }
    if (found === undefined) continue;
    input[field.jsonName ?? field.name] = convert(found, field, values, body);
  }
  const extra = request.body.fields.find(({ isExtra }) => isExtra);
  if (extra !== undefined && typeof body?.value === "object") {
    const known = new Set(request.slots.map(({ name }) => name));
    input[extra.jsonName ?? extra.name] = Object.fromEntries(
      Object.entries(body.value).filter(([name]) => !known.has(name)),
    );
  }
  return input;
}

/** Returns the value of a parameter, or of a member of an object in the query. */
function valueIn({ values }, place, name) {
  const own = values.filter((each) => each.in === place);
  const found = own.find(
    (each) => each.name.toLowerCase() === name.toLowerCase(),
  );
  if (found !== undefined) {
    return found.isJson ? textOf(found.value) : found.value;
  }
  for (const each of own) {
    if (typeof each.value !== "object" || each.isJson) continue;
    for (const [key, member] of Object.entries(each.value)) {
      const [[pair] = []] = pairsOf({ ...each, value: { [key]: member } });
      if (pair === name || pair === `${name}[]`) return member;
    }
  }
  return undefined;
}

/** Converts JSON to the TypeScript value of a type. */
function convert(json, subject, values, body) {
  if (json === file) {
    return new Blob([fileText], { type: body?.type.replace("*", "a") ?? "" });
  }
  if (json === null) return null;
  const value = values.valueOf(subject);
  const isObject = typeof json === "object" && !Array.isArray(json);
  switch (value.kind) {
    case "bytes":
      return typeof json === "string"
        ? new Uint8Array(Buffer.from(json, "base64"))
        : json;
    case "list":
      return [json].flat().map((each) => convert(each, value.element, values));
    case "map":
      return isObject
        ? mapEntries(json, (each) => convert(each, value.held, values))
        : json;
    case "struct": {
      if (!isObject) return json;
      const { fields } = value.declaration;
      const result = {};
      const extra = fields.find(({ isExtra }) => isExtra);
      for (const [name, each] of Object.entries(json)) {
        const field = fields.find(
          (own) => !own.isExtra && (own.jsonName ?? own.name) === name,
        );
        if (field !== undefined) result[name] = convert(each, field, values);
        else if (extra !== undefined) {
          result[extra.jsonName ?? extra.name] ??= {};
          result[extra.jsonName ?? extra.name][name] = each;
        }
      }
      return result;
    }
    case "scalar":
      return value.scalar === "string" && typeof json !== "string"
        ? textOf(json)
        : json;
    default:
      return json;
  }
}

function mapEntries(value, map) {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, map(each)]),
  );
}
