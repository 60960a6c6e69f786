// Counts the unions in OpenAPI documents, and which of them RIDL can declare.
//   npm run build && node scripts/count-unions.js <folder> [--list]
// Each folder in the given folder has the documents of one API, as JSON or
// YAML. The script writes each union as RIDL and lets the compiler decide.
// `--list` also prints the location of every union that RIDL cannot declare.
import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { compileContract } from "../dist/cli/index.js";
import { follow, forgetDocuments, read } from "./openapi-documents.js";

const [folder = ".", option] = process.argv.slice(2);

/** The forms of `docs/unions.md`, and what is no union in RIDL. */
const forms = [
  "null",
  "one type",
  "kind",
  "tag",
  "fields",
  "choice",
  "several",
  "optional tag",
  "no",
];

/** The reason of a union with so many combinations of parts. */
const tooMany = "more than 256 variants";

const isObject = (value) => typeof value === "object" && value !== null;

const listsOf = (schema) =>
  [schema.oneOf, schema.anyOf].filter((each) => Array.isArray(each));

/** Returns the schemas that extend the schema of a discriminator. */
function subtypesOf(schema, path) {
  const names = Object.values(schema.discriminator?.mapping ?? {});
  return names.flatMap((name) => {
    const ref = /[#/]/u.test(name) ? name : `#/components/schemas/${name}`;
    const found = follow(ref, path);
    return found && found.schema !== schema ? [{ $ref: ref }] : [];
  });
}

/** Whether a schema is a union. */
function isUnion(schema) {
  return (
    listsOf(schema).some(({ length }) => length > 1) ||
    (Array.isArray(schema.type) && schema.type.length > 1) ||
    (listsOf(schema).length === 0 &&
      Object.keys(schema.discriminator?.mapping ?? {}).length > 1)
  );
}

/** Calls a function with every schema of a document and of what it refers to. */
function visit(node, path, place, seen, found) {
  if (!isObject(node) || seen.has(node)) return;
  seen.add(node);
  if (typeof node.$ref === "string" && !node.$ref.startsWith("#")) {
    const target = follow(node.$ref, path);
    if (target) visit(target.schema, target.path, node.$ref, seen, found);
    return;
  }
  if (!Array.isArray(node) && isUnion(node)) found(node, path, place);
  for (const [key, child] of Object.entries(node)) {
    if (/^(?:enum|examples?|default|const)$|^x-/u.test(key)) continue;
    visit(child, path, `${place}/${key}`, seen, found);
  }
}

class Undecided extends Error {}

/**
 * Returns the variants of a schema, with nested unions replaced by their
 * variants and `allOf` by the merged properties. The base that a schema extends
 * is not the union of all that extend it.
 */
function expand(schema, path, name, passed, isBase = false) {
  if (schema === true || !isObject(schema)) return [{ kind: "any" }];
  if (typeof schema.$ref === "string") {
    const target = follow(schema.$ref, path);
    if (target === null || passed.includes(target.schema)) {
      return [{ kind: "any" }];
    }
    const again = [...passed, target.schema];
    const found = expand(
      target.schema,
      target.path,
      target.name,
      again,
      isBase,
    );
    // An object that extends another has its own name.
    return found.length > 1
      ? found
      : found.map((each) => ({ ...each, name: target.name }));
  }
  const lists = listsOf(schema).filter(({ length }) => length > 0);
  const parts = schema.allOf ?? [];
  const isKnown = isBase || lists.length > 0;
  const subtypes = isKnown ? [] : subtypesOf(schema, path);
  if (subtypes.length > 1) {
    const found = subtypes.flatMap((each) => expand(each, path, name, passed));
    return tagVariants(schema, path, unique(found));
  }
  let variants = ownVariants(schema, path, name);
  const all = [
    ...lists.map((list) =>
      list.flatMap((each) => expand(each, path, name, passed)),
    ),
    ...parts.map((each) => expand(each, path, name, passed, true)),
  ];
  for (const choices of all) {
    variants = variants.flatMap((a) => choices.flatMap((b) => merge(a, b)));
    if (variants.length > 256) throw new Undecided(tooMany);
  }
  if (schema.nullable === true) variants = [...variants, { kind: "null" }];
  return isBase ? variants : tagVariants(schema, path, unique(variants));
}

/** Adds the tags that a discriminator gives to its variants. */
function tagVariants({ discriminator }, path, variants) {
  const tag = discriminator?.propertyName;
  if (tag === undefined) return variants;
  const mapping = Object.entries(discriminator.mapping ?? {});
  return variants.map((variant) => {
    if (variant.kind !== "object") return variant;
    const mapped = mapping
      .filter(([, ref]) => basename(ref) === variant.name)
      .map(([value]) => value);
    const declared = variant.fields.get(tag)?.values;
    const values = mapped.length > 0 ? mapped : (declared ?? [variant.name]);
    const fields = new Map(variant.fields);
    fields.set(tag, { values, isRequired: true });
    return { ...variant, fields };
  });
}

const kinds = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
  array: "array",
  object: "object",
};

/** Returns the variants that a schema has without its parts. */
function ownVariants(schema, path, name) {
  const values = schema.enum ?? ("const" in schema ? [schema.const] : null);
  const types =
    schema.type !== undefined
      ? [schema.type].flat()
      : values !== null
        ? [...new Set(values.map(typeOfValue))]
        : schema.properties || schema.required || schema.additionalProperties
          ? ["object"]
          : schema.items
            ? ["array"]
            : schema.pattern || schema.minLength || schema.maxLength
              ? ["string"]
              : [undefined];
  return types.map((type) => {
    const kind = kinds[type];
    if (kind === undefined) return { kind: "any" };
    if (schema.format === "binary") return { kind: "file" };
    if (kind === "object") return objectOf(schema, path, name);
    const own = values?.filter((each) => typeOfValue(each) === kind) ?? null;
    const details = kind === "array" ? JSON.stringify(schema.items) : "";
    const limits = schema.format ?? schema.pattern ?? "";
    return { kind, values: own, details: `${details}${limits}` };
  });
}

function typeOfValue(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function objectOf(schema, path, name) {
  const required = new Set(
    Array.isArray(schema.required) ? schema.required : [],
  );
  const fields = new Map(
    Object.entries(schema.properties ?? {}).map(([key, property]) => [
      key,
      {
        values: valuesOf(property, path),
        isRequired: required.has(key),
      },
    ]),
  );
  // A requirement about a property that another part declares.
  for (const key of required) {
    if (!fields.has(key)) fields.set(key, { values: null, isRequired: true });
  }
  const extra = schema.additionalProperties;
  const isMap = fields.size === 0 && extra !== false;
  return { kind: "object", name, fields, isMap, extra: JSON.stringify(extra) };
}

/** Returns the only values of a property, or null. */
function valuesOf(property, path, depth = 0) {
  if (!isObject(property) || depth > 8) return null;
  if (typeof property.$ref === "string") {
    const target = follow(property.$ref, path);
    return target && valuesOf(target.schema, target.path, depth + 1);
  }
  const values = "const" in property ? [property.const] : property.enum;
  if (Array.isArray(values)) {
    return property.nullable || values.some(isObject) || values.includes(null)
      ? null
      : values;
  }
  const [only, ...others] = property.allOf ?? [];
  return others.length === 0 ? valuesOf(only, path, depth + 1) : null;
}

/** Returns the variant with the properties of two, or none if there is none. */
function merge(a, b) {
  if (a.kind === "any") return [b];
  if (b.kind === "any") return [a];
  if (a.kind !== b.kind) return [];
  if (a.kind !== "object") return [b.values || b.details ? b : a];
  const fields = new Map(a.fields);
  for (const [key, field] of b.fields) {
    const before = fields.get(key);
    fields.set(key, {
      values: narrower(before?.values, field.values),
      isRequired: field.isRequired || before?.isRequired === true,
    });
  }
  const name = a.name === undefined || a.isMap ? b.name : a.name;
  return [{ ...a, name, fields, isMap: a.isMap && b.isMap }];
}

function narrower(before, after) {
  if (!before || !after) return before ?? after ?? null;
  return before.length < after.length ? before : after;
}

function textOf(variant) {
  return variant.kind === "object"
    ? JSON.stringify([[...variant.fields].sort(), variant.isMap, variant.extra])
    : JSON.stringify({ ...variant, name: "" });
}

function unique(variants) {
  return [...new Map(variants.map((each) => [textOf(each), each])).values()];
}

/** Joins the variants of one kind, except objects. */
function joinKinds(variants) {
  let isWider = false;
  const joined = ["string", "number", "boolean", "null", "array"].flatMap(
    (kind) => {
      const own = variants.filter((each) => each.kind === kind);
      if (own.length === 0) return [];
      // All values together, or a type that contains the others.
      const isSame =
        own.length === 1 ||
        own.every(({ values }) => values) ||
        own.some(({ values, details }) => !values && !details);
      isWider ||= !isSame;
      return kind;
    },
  );
  return { joined, isWider };
}

const ridlTypes = {
  string: "string",
  number: "float64",
  boolean: "bool",
  null: "null",
  array: "[]string",
};

/** Whether the compiler accepts a union of these types. */
function compiles(structs, types, tag, more = "") {
  const text = [
    "webrpc = v1\nname = a\nversion = v1\n",
    ...structs,
    more,
    `type Union: any\n  + oneOf = "${types.join(" | ")}"${tag}\n`,
  ].join("\n");
  const { diagnostics } = compileContract(["a.ridl"], { read: () => text });
  return !diagnostics.some(({ severity }) => severity === "error");
}

const quote = (value) => `'${String(value).replaceAll("'", "''")}'`;

/** Writes an object as a struct. A tag lists its values. */
function printStruct({ fields }, name, tag) {
  const lines = [...fields].map(([key, { isRequired, values }], index) => {
    const isTag = key === tag;
    const [first] = values ?? [];
    const type =
      typeof first === "number"
        ? "float64"
        : typeof first === "boolean"
          ? "bool"
          : "string";
    const list = (values ?? [])
      .map((each) => (type === "string" ? quote(each) : each))
      .join("|");
    return [
      `  - f${index}${isRequired ? "" : "?"}: ${isTag ? type : "string"}`,
      `    + json = ${JSON.stringify(key)}`,
      ...(isTag ? [`    + enum = ${JSON.stringify(list)}`] : []),
    ].join("\n");
  });
  return `struct ${name}\n${lines.join("\n")}\n`;
}

/** Whether each of some fields is in exactly one variant, as in a choice. */
function isChoice(objects) {
  const names = new Set(objects.flatMap(({ fields }) => [...fields.keys()]));
  const own = (object) =>
    [...names].filter(
      (name) =>
        object.fields.get(name)?.isRequired &&
        !objects.some(
          (other) => other !== object && other.fields.get(name)?.isRequired,
        ),
    );
  return objects.every(
    (object) =>
      own(object).length === 1 &&
      [...object.fields].every(
        ([name, { isRequired }]) =>
          isRequired || objects.some((other) => own(other).includes(name)),
      ),
  );
}

/** Returns the names of the fields that could be a tag of some variants. */
function tagsIn(objects) {
  const names = objects.flatMap(({ fields }) =>
    [...fields].flatMap(([name, { isRequired, values }]) =>
      isRequired && values?.length ? name : [],
    ),
  );
  return [...new Set(names)];
}

const byRequired = (a, b) => requiredOf(b) - requiredOf(a);
const requiredOf = ({ fields }) =>
  [...fields.values()].filter(({ isRequired }) => isRequired).length;

/** Returns the form in which RIDL has a union of objects and other kinds. */
function formOf(objects, others) {
  const structs = objects.filter(({ isMap }) => !isMap);
  const maps = objects.some(({ isMap }) => isMap) ? ["map<string,string>"] : [];
  const rest = others.map((kind) => ridlTypes[kind]);
  const isAlone = rest.length === 0;
  if (structs.length === 0 || structs.length + maps.length === 1) {
    const types = [...structs.map((_, index) => `S${index}`), ...maps, ...rest];
    const printed = structs.map((each, index) =>
      printStruct(each, `S${index}`),
    );
    return compiles(printed, types, "") ? "kind" : null;
  }
  for (const tag of tagsIn(structs)) {
    const has = ({ fields }) =>
      fields.get(tag)?.isRequired === true && fields.get(tag)?.values?.length;
    const tagged = structs.filter(has);
    if (tagged.length < 2) continue;
    const plain = structs.filter((each) => !has(each)).sort(byRequired);
    const printed = [
      ...tagged.map((each, index) => printStruct(each, `S${index}`, tag)),
      ...plain.map((each, index) => printStruct(each, `P${index}`)),
    ];
    const list = tagged.map((_, index) => `S${index}`);
    const meta = `\n  + tag = ${JSON.stringify(tag)}`;
    const inner = `type Inner: any\n  + oneOf = "${list.join(" | ")}"${meta}\n`;
    if (isAlone && plain.length + maps.length === 0) {
      if (compiles(printed, list, meta)) return "tag";
      continue;
    }
    const names = plain.map((_, index) => `P${index}`);
    const orders = [
      ["Inner", ...names, ...maps, ...rest],
      [...names, "Inner", ...maps, ...rest],
    ];
    if (orders.some((each) => compiles(printed, each, "", inner))) {
      return "several";
    }
  }
  const sorted = [...structs].sort(byRequired);
  const printed = sorted.map((each, index) => printStruct(each, `S${index}`));
  const types = [...sorted.map((_, index) => `S${index}`), ...maps, ...rest];
  if (isAlone && maps.length === 0 && isChoice(structs)) return "choice";
  if (!compiles(printed, types, "")) return null;
  return isAlone ? "fields" : "several";
}

/** Returns the form of a union, or why there is none. */
function classify(schema, path) {
  const variants = expand(schema, path, "Union", [schema]);
  if (variants.some(({ kind }) => kind === "any")) {
    return { form: "no", reason: "a variant allows any value" };
  }
  if (variants.some(({ kind }) => kind === "file")) {
    return { form: "no", reason: "a variant is a file" };
  }
  const objects = variants.filter(({ kind }) => kind === "object");
  const { joined, isWider } = joinKinds(variants);
  const others = joined.filter((kind) => kind !== "null");
  const hasNull = joined.includes("null");
  if (objects.length + others.length < 2) {
    const isOne =
      variants.filter(({ kind }) => kind !== "null").length > 1 || !hasNull;
    return { form: isOne ? "one type" : "null", isWider };
  }
  const form = formOf(objects, others);
  if (form !== null) return { form, isWider };
  // Many documents do not say that the tag is required.
  return formOf(objects.map(requireTags), others) === null
    ? { form: "no", reason: reasonOf(objects) }
    : { form: "optional tag", isWider };
}

/** Returns an object that requires its fields with one value. */
function requireTags(object) {
  const fields = [...object.fields].map(([name, field]) => [
    name,
    field.values?.length === 1 ? { ...field, isRequired: true } : field,
  ]);
  return { ...object, fields: new Map(fields) };
}

function reasonOf(objects) {
  const structs = objects.filter(({ isMap }) => !isMap);
  if (structs.length < objects.length) {
    return "an object without fields beside others";
  }
  if (structs.some((each) => requiredOf(each) === 0)) {
    return "an object without required fields beside others";
  }
  const isTagged = tagsIn(structs).some((tag) =>
    structs.every(({ fields }) => fields.get(tag)?.values?.length),
  );
  return isTagged
    ? "two objects with the same tag"
    : "an object with all required fields of another";
}

const reasons = new Map();
const rows = readdirSync(folder)
  .filter((name) => statSync(join(folder, name)).isDirectory())
  .map((name) => {
    const counts = new Map();
    const add = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
    const seen = new Set();
    for (const path of filesIn(join(folder, name))) {
      const document = read(path);
      if (!document?.openapi && !document?.swagger) continue;
      visit(document, path, "#", seen, (schema, file, place) => {
        let result;
        try {
          result = classify(schema, file);
        } catch (error) {
          if (!(error instanceof Undecided)) throw error;
          result = { form: "no", reason: error.message };
        }
        add(result.form);
        if (result.isWider) add("wider");
        if (result.reason === undefined) return;
        reasons.set(result.reason, (reasons.get(result.reason) ?? 0) + 1);
        if (option === "--list") {
          console.log(`${result.reason}: ${basename(file)} ${place}`);
        }
      });
    }
    forgetDocuments();
    return { name, counts };
  });

function filesIn(path) {
  return readdirSync(path, { recursive: true })
    .map((each) => resolve(path, each))
    .filter((each) => /\.(?:json|ya?ml)$/u.test(each))
    .sort();
}

function printRow(name, counts) {
  const of = (key) => counts.get(key) ?? 0;
  const all = forms.reduce((sum, form) => sum + of(form), 0);
  if (all === 0) return;
  // Unions that only add null or that are one type need no form of a union.
  const real = all - of("null") - of("one type");
  const share = (count, total) =>
    total === 0 ? "" : `${((100 * count) / total).toFixed(1)} %`;
  const cells = forms.map(of);
  console.log(
    `| ${[name, all, ...cells, of("wider"), share(all - of("no"), all), share(real - of("no"), real)].join(" | ")} |`,
  );
}

const heads = ["API", "unions", ...forms, "wider", "share", "of unions proper"];
console.log(`| ${heads.join(" | ")} |\n|${"---|".repeat(heads.length)}`);
const total = new Map();
for (const { name, counts } of rows) {
  printRow(name, counts);
  for (const [key, count] of counts) {
    total.set(key, (total.get(key) ?? 0) + count);
  }
}
printRow("all", total);
console.log("");
for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a)) {
  console.log(`${count} ${reason}`);
}
