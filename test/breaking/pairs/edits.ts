import {
  addHost,
  drawEvent,
  drawField,
  drawHooks,
  drawLimits,
  drawMethod,
  drawType,
  fieldNames,
  keys,
  methodNames,
  patterns,
} from "./draw-sketch.js";
import { errorDataEdits, errorEdits, errorHeaderEdits } from "./error-data.js";
import { extraEdits } from "./extra-edits.js";
import { headerEdits, httpEdits, statusEdits } from "./http-edits.js";
import type { Random } from "../../support/random.js";
import type {
  Meta,
  Sketch,
  SketchAlias,
  SketchField,
  SketchService,
} from "./sketch.js";
import { fieldsOf } from "./sketch.js";
import { unionEdits } from "./union-edits.js";

/** Changes a contract in place. Does nothing if the edit does not apply. */
type Edit = (sketch: Sketch, random: Random) => void;

/** Returns a copy of the contract with a few edits. */
export function editSketch(sketch: Sketch, random: Random): Sketch {
  const edited = structuredClone(sketch);
  const count = 1 + random.below(2);
  for (let index = 0; index < count; index += 1) {
    const group = random.oneOf(groups);
    random.oneOf(group)(edited, random);
  }
  return edited;
}

type Edits = readonly [Edit, ...Edit[]];

/** Applies an edit to one of several parts of a contract. */
function onOne<Thing>(
  list: (sketch: Sketch) => readonly Thing[],
): (edit: (thing: Thing, random: Random, sketch: Sketch) => void) => Edit {
  return (edit) => (sketch, random) => {
    const thing = random.maybeOneOf(list(sketch));
    if (thing) edit(thing, random, sketch);
  };
}

/** Methods that clients call. */
const onMethod = onOne(({ services }) =>
  services
    .filter(({ isWebhook }) => !isWebhook)
    .flatMap((service) => service.methods),
);

/** The field lists of structs and arguments. */
const onFields = onOne((sketch): readonly SketchField[][] => [
  ...sketch.services
    .flatMap(({ methods }) => methods)
    .flatMap(({ input, output }) => [input, output])
    .map((message) => fieldsOf(sketch, message)),
  ...sketch.types.flatMap((type) =>
    type.kind === "struct" ? [type.fields] : [],
  ),
]);

function onField(edit: (field: SketchField, random: Random) => void): Edit {
  return onFields((fields, random) => {
    const field = random.maybeOneOf(fields);
    if (field) edit(field, random);
  });
}

const aliasesOf = ({ types }: Sketch): readonly SketchAlias[] =>
  types.filter((type) => type.kind === "alias");

const onAlias = onOne((sketch) =>
  aliasesOf(sketch).filter(
    ({ meta }) => meta["header"] === undefined && meta["dataOf"] === undefined,
  ),
);

const onCredential = onOne((sketch) =>
  aliasesOf(sketch).filter(({ meta }) => meta["header"] !== undefined),
);

const onEnum = onOne(({ types }) =>
  types.filter((type) => type.kind === "enum"),
);

const onHost = onOne(({ hosts }) => hosts);

function onHooks(
  edit: (hooks: SketchService, random: Random, sketch: Sketch) => void,
): Edit {
  return (sketch, random) => {
    const hooks = sketch.services.find(({ isWebhook }) => isWebhook);
    if (hooks) edit(hooks, random, sketch);
    else sketch.services.push(drawHooks(random, sketch));
  };
}

function unused(taken: readonly string[], names: readonly string[]) {
  return names.find((name) => !taken.includes(name)) ?? "extra";
}

function remove<Item>(items: Item[], random: Random): void {
  items.splice(random.below(items.length), 1);
}

/** Renames a declared type and all its uses. */
function renameType(sketch: Sketch, from: string, to: string): void {
  const word = new RegExp(`\\b${from}\\b`, "u");
  const rename = (text: string): string => text.replace(word, to);
  for (const type of sketch.types) {
    if (type.name === from) type.name = to;
    if (type.kind === "alias") {
      type.type = rename(type.type);
      if (type.meta["known"] === from) type.meta["known"] = to;
      renameVariants(type.meta, rename);
    }
    if (type.kind === "struct") {
      for (const field of type.fields) {
        field.type = rename(field.type);
        renameVariants(field.meta, rename);
      }
    }
  }
  for (const method of sketch.services.flatMap(({ methods }) => methods)) {
    for (const side of ["input", "output"] as const) {
      const message = method[side];
      if (typeof message === "string") method[side] = rename(message);
      else for (const field of message) field.type = rename(field.type);
    }
  }
}

function renameVariants(meta: Meta, rename: (text: string) => string): void {
  const { oneOf } = meta;
  if (oneOf !== undefined) meta["oneOf"] = rename(oneOf);
}

const fieldEdits: Edits = [
  onFields((fields, random) => {
    const taken = fields.map(({ name }) => name);
    fields.push(drawField(random, unused(taken, fieldNames)));
  }),
  onFields(remove),
  onFields((fields) => fields.reverse()),
  onField((field) => {
    field.isOptional = !field.isOptional;
  }),
  onField((field) => {
    if (field.meta["nullable"] === undefined) field.meta["nullable"] = "true";
    else delete field.meta["nullable"];
  }),
  onField((field) => {
    field.isOptional = !field.isOptional;
    if (field.isOptional) delete field.meta["nullable"];
    else field.meta["nullable"] = "true";
  }),
  onField((field) => {
    field.name = `${field.name}2`;
  }),
  onField((field) => {
    field.meta["json"] = field.name;
    field.name = `${field.name}3`;
  }),
  onField((field, random) => {
    field.meta["json"] = random.oneOf(["z", "y"]);
  }),
];

const numbers = [
  ...["int8", "uint8", "int32", "uint32", "int64", "uint64"],
  ...["int", "uint", "float32", "float64"],
] as const;

const typeEdits: Edits = [
  onField((field, random) => {
    field.type = drawType(random);
    field.meta = {};
  }),
  onField((field, random) => {
    if (/int|float/u.test(field.type)) field.type = random.oneOf(numbers);
  }),
  onField((field, random) => {
    const texts = ["string", "Word", "Short", "Id", "Color", "Hue"] as const;
    if (/string|Word|Short|Id|Color|Hue/u.test(field.type)) {
      field.type = random.oneOf(texts);
    }
  }),
  onField((field, random) => {
    field.type = field.type.replace(/^map<[^,]+/u, () => {
      return `map<${random.oneOf(keys)}`;
    });
  }),
  onField((field, random) => {
    field.type = field.type.startsWith("[]")
      ? field.type.slice(2)
      : random.oneOf([`[]${field.type}`, `map<string,${field.type}>`]);
    field.meta = {};
  }),
  onAlias((alias, random) => {
    if (/int|float/u.test(alias.type)) alias.type = random.oneOf(numbers);
  }),
];

const limitEdits: Edits = [
  onField((field, random) => {
    field.meta = { ...field.meta, ...drawLimits(random, field.type) };
  }),
  onField((field) => {
    const { nullable, json } = field.meta;
    field.meta = {
      ...(nullable !== undefined && { nullable }),
      ...(json !== undefined && { json }),
    };
  }),
  onField((field, random) => {
    for (const key of Object.keys(field.meta)) {
      if (/^(?:min|max)/u.test(key)) {
        field.meta[key] = String(random.below(6));
      }
    }
  }),
  onAlias((alias, random) => {
    const { accept, known, oneOf } = alias.meta;
    if (oneOf !== undefined) return;
    alias.meta = {
      ...drawLimits(random, alias.type === "string" ? "Word" : alias.type),
      ...(accept !== undefined && { accept }),
      ...(known !== undefined && { known }),
    };
  }),
  onAlias((alias, random) => {
    if (alias.meta["pattern"] !== undefined) {
      alias.meta["pattern"] = random.oneOf(patterns);
    }
  }),
  onAlias((alias) => {
    if (alias.name !== "Slot") return;
    if (alias.meta["nullable"] === undefined) alias.meta["nullable"] = "true";
    else delete alias.meta["nullable"];
  }),
  onAlias((alias) => {
    if (alias.type !== "string") return;
    if (alias.meta["accept"] === undefined) alias.meta["accept"] = "integer";
    else delete alias.meta["accept"];
  }),
  (sketch, random) => {
    // Repeat the limit of an alias on a field of that type.
    const alias = random.maybeOneOf(
      sketch.types.filter((type) => type.kind === "alias"),
    );
    const fields = sketch.types.flatMap((type) =>
      type.kind === "struct" ? type.fields : [],
    );
    for (const field of fields) {
      if (alias === undefined || field.type !== alias.name) continue;
      const limits = Object.entries(alias.meta).filter(([key]) =>
        /^(?:min|max|pattern)/u.test(key),
      );
      field.meta = { ...field.meta, ...Object.fromEntries(limits) };
    }
  },
];

const enumEdits: Edits = [
  onEnum(({ members, base }) =>
    members.push({ name: "More", value: base === "string" ? null : "9" }),
  ),
  onEnum(({ members }, random) => remove(members, random)),
  onEnum(({ members, base }, random) => {
    const member = random.maybeOneOf(members);
    if (member) member.value = base === "string" ? "other" : "5";
  }),
  onEnum(({ members }, random) => {
    const member = random.maybeOneOf(members);
    if (member === undefined) return;
    member.value ??= member.name;
    member.name = `${member.name}er`;
  }),
  onEnum(({ members }) => members.reverse()),
];

const methodEdits: Edits = [
  (sketch, random) => {
    const service = sketch.services.find(({ isWebhook }) => !isWebhook);
    const taken = service?.methods.map(({ name }) => name) ?? [];
    const name = unused(taken, methodNames);
    service?.methods.push(drawMethod(random, name, sketch));
  },
  (sketch, random) => {
    const service = sketch.services.find(({ isWebhook }) => !isWebhook);
    if (service && service.methods.length > 1) remove(service.methods, random);
  },
  onMethod((method) => {
    method.name = `${method.name}All`;
  }),
  onMethod((method, random) => {
    method.safety = random.oneOf([null, "readonly", "idempotent"]);
  }),
  onMethod((method) => {
    method.isStream = !method.isStream;
  }),
  onMethod((method, random) => {
    method.errors = random.chance(0.3)
      ? null
      : ["Gone", "NotFound"].slice(random.below(2));
  }),
  onMethod((method, _, sketch) => {
    // Write the same fields in the other form.
    if (typeof method.input === "string" && typeof method.output === "string") {
      method.input = fieldsOf(sketch, method.input);
      method.output = fieldsOf(sketch, method.output);
    }
  }),
  onMethod((method) => {
    if (typeof method.input === "string") return;
    const at = method.input.findIndex(({ type }) => type === "file");
    const file = { name: "file", type: "file", isOptional: true, meta: {} };
    if (at === -1) method.input.push(file);
    else method.input.splice(at, 1);
  }),
  onMethod((method, random) => {
    method.auth = random
      .shuffled(["X-Access-Key", "Authorization"])
      .slice(random.below(3));
  }),
  onMethod((method) => {
    method.auth.reverse();
  }),
];

const routeEdits: Edits = [
  onMethod((method) => {
    method.get = method.get?.replace(/(\{\w\})\/(\{\w\})$/u, "$2/$1") ?? null;
  }),
  onMethod((method, _, sketch) => {
    if (method.get === null) return;
    method.get = method.get.replace("{p}", "{r}");
    for (const field of fieldsOf(sketch, method.input)) {
      if (field.name === "p") field.name = "r";
    }
  }),
  onMethod((method, _, sketch) => {
    const [only] = fieldsOf(sketch, method.output);
    if (method.get === null || only === undefined) return;
    if (method.body === null) {
      method.body = only.meta["json"] ?? only.name;
    } else method.body = null;
  }),
  onMethod((method, _, sketch) => {
    const [only] = fieldsOf(sketch, method.output);
    if (method.body === null || only === undefined) return;
    delete only.meta["json"];
    only.name = "whole";
    method.body = "whole";
  }),
  onMethod((method, random, sketch) => {
    // Add a literal next to a parameter.
    if (method.get === null) return;
    const get = method.get.replace(/\{\w\}/u, "latest");
    const service = sketch.services.find(({ isWebhook }) => !isWebhook);
    const gone = /\{(\w)\}/u.exec(method.get)?.[1];
    const rest = fieldsOf(sketch, method.input).filter(
      ({ name }) => name !== gone,
    );
    const name = random.oneOf(["Latest", "Newest"]);
    const auth: string[] = [];
    service?.methods.push({ ...method, name, get, auth, input: rest });
  }),
  onMethod((method, random, sketch) => {
    // Add a pattern next to a parameter.
    if (method.get === null) return;
    const around = random.oneOf(["v$&", "$&.json", "$&:x", "v$&.json"]);
    const get = method.get.replace(/\{\w\}/u, around);
    const service = sketch.services.find(({ isWebhook }) => !isWebhook);
    const name = random.oneOf(["Latest", "Newest"]);
    service?.methods.push({ ...method, name, get, auth: [] });
  }),
  onMethod((method, random) => {
    const around = random.oneOf(["v$&", "$&.json", "$&:x"]);
    method.get = method.get?.replace(/\{\w\}/u, around) ?? null;
  }),
  onMethod((method) => {
    method.get = method.get === null ? "/fixed" : `${method.get}/more`;
  }),
  onMethod((method) => {
    method.get = method.get === null ? "/" : `${method.get}/`;
  }),
  onHost((host, random) => {
    host.basepath = random.oneOf([
      ...(["/rpc", "/{chain}/rpc", "/{stage}/{network}", "/api"] as const),
      ...(["/{network}/rpc", "/{network}/{stage}"] as const),
    ]);
  }),
];

const credentialEdits: Edits = [
  onCredential((alias, random) => {
    alias.meta["error"] = random.oneOf(["NotFound", "Forbidden"]);
  }),
  onCredential((alias) => {
    if (alias.meta["scheme"] === undefined) alias.meta["scheme"] = "Key";
    else delete alias.meta["scheme"];
  }),
  (sketch, random) => {
    const from = random.oneOf(["AccessKey", "Token"]);
    renameType(sketch, from, `${from}2`);
  },
  (sketch) => {
    sketch.types.push({
      kind: "alias",
      name: "Unneeded",
      type: "string",
      meta: { header: "X-Unneeded", error: "Forbidden" },
    });
  },
  (sketch) => {
    for (const type of sketch.types) {
      if (type.kind === "alias" && type.meta["header"] === "X-Access-Key") {
        type.meta["header"] = "X-Key";
      }
    }
    for (const method of sketch.services.flatMap(({ methods }) => methods)) {
      method.auth = method.auth.map((header) =>
        header === "X-Access-Key" ? "X-Key" : header,
      );
    }
  },
];

const hookEdits: Edits = [
  onHooks(({ methods }, random, sketch) => {
    const taken = methods.map(({ name }) => name);
    const name = unused(taken, ["Sold", "Moved", "Burnt"]);
    methods.push(drawEvent(random, name, sketch));
  }),
  onHooks(({ methods }, random, sketch) => {
    if (methods.length > 1) remove(methods, random);
    else sketch.services = sketch.services.filter((each) => !each.isWebhook);
  }),
  onHooks((hooks) => {
    hooks.name = "Events";
  }),
  onHooks(({ methods }) => {
    const [first] = methods;
    if (first) first.name = `${first.name}Out`;
  }),
];

const nameEdits: Edits = [
  (sketch, random) => {
    const names = [
      ...(["Item", "Color", "Word", "Count", "Level"] as const),
      ...([
        "Round",
        "Square",
        "Shape",
        "Mixed",
        "Payment",
        "Dot",
        "Loss",
      ] as const),
    ] as const;
    const from = random.oneOf(names);
    renameType(sketch, from, `${from}Now`);
  },
  (sketch) => {
    const service = sketch.services.find(({ isWebhook }) => !isWebhook);
    if (service) service.name = "Store";
  },
  (sketch, random) => {
    const get = drawMethod(random, random.oneOf(methodNames), sketch);
    sketch.services.push({
      name: "Depot",
      address: "trial",
      isWebhook: false,
      methods: [get],
    });
  },
];

const hostEdits: Edits = [
  (sketch, random) => addHost(sketch, random, "third"),
  (sketch, random) => {
    if (sketch.hosts.length > 1) remove(sketch.hosts, random);
    sketch.services = sketch.services.filter(({ address }) =>
      sketch.hosts.some((host) => host.address === address),
    );
  },
  ({ hosts, services }, random) => {
    const inbound = services.filter(({ isWebhook }) => !isWebhook);
    const service = random.maybeOneOf(inbound);
    const host = random.maybeOneOf(hosts);
    if (service && host) service.address = host.address;
  },
  onHost((host) => {
    host.name = "other";
  }),
];

const groups: readonly [Edits, ...Edits[]] = [
  fieldEdits,
  ...[fieldEdits, typeEdits, typeEdits, limitEdits, limitEdits, httpEdits],
  ...[headerEdits, statusEdits],
  ...[enumEdits, methodEdits, routeEdits, credentialEdits, errorEdits],
  ...[hookEdits, nameEdits, hostEdits, unionEdits, unionEdits],
  ...[errorDataEdits, errorHeaderEdits, extraEdits, extraEdits],
];
