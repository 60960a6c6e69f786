import { createRandom } from "../../harness/random.js";

/** The number of methods in each service, and therefore in each document. */
export const methodsPerService = 50;

const nouns = [
  "Account",
  "Balance",
  "Collection",
  "Contract",
  "Contact",
  "Currency",
  "Event",
  "Listing",
  "Offer",
  "Order",
  "Project",
  "Receipt",
  "Token",
  "Transfer",
  "Wallet",
  "Webhook",
];

const verbs = ["Get", "List", "Find", "Create", "Update", "Remove", "Check"];

const fieldNames = [
  "id",
  "owner",
  "title",
  "amount",
  "status",
  "labels",
  "items",
  "balances",
  "createdAt",
  "isActive",
  "price",
  "limit",
  "matrix",
  "parent",
  "history",
  "score",
  "notes",
  "contractAddress",
];

/**
 * Creates a contract of N methods that is independent of any notation and
 * depends only on N and the seed. The other modules in this folder write it as
 * RIDL, OpenAPI, TypeSpec, and Protocol Buffers.
 *
 * Returns services of at most `perService` methods, each with two structs per
 * method (request and response, of 6 to 10 fields) and an enum for every ten
 * methods.
 */
export function createContract(
  methodCount,
  { seed = 1, perService = methodsPerService } = {},
) {
  const random = createRandom(seed);
  const serviceCount = Math.ceil(methodCount / perService);
  const services = Array.from({ length: serviceCount }, (_, index) => {
    const first = index * perService;
    const count = Math.min(perService, methodCount - first);
    return createService(index, first, count, random);
  });
  return { methodCount, services };
}

function createService(index, first, count, random) {
  const name = `Service${index}`;
  const enums = Array.from({ length: Math.ceil(count / 10) }, (_, number) => ({
    name: `${random.pick(nouns)}Status${index}x${number}`,
    docs: `The status of an item of group ${number}.`,
    members: ["unknown", "active", "inactive", "expired", "cancelled"],
  }));
  const structs = [];
  const methods = [];
  for (let number = first; number < first + count; number++) {
    const noun = random.pick(nouns);
    const method = `${random.pick(verbs)}${noun}${number}`;
    for (const side of ["Request", "Response"]) {
      // The depth is limited, because some tools write out nested schemas
      // repeatedly.
      const others = structs.slice(-20).filter(({ depth }) => depth < 3);
      const fields = createFields(random, enums, others);
      structs.push({
        name: `${method}${side}`,
        depth:
          1 + Math.max(0, ...fields.map(({ type }) => depthOf(type, others))),
        docs: `The ${side.toLowerCase()} of ${method} about one ${noun.toLowerCase()}.`,
        fields,
      });
    }
    methods.push({
      name: method,
      docs: `Processes one ${noun.toLowerCase()} as its owner has requested it.`,
      request: `${method}Request`,
      response: `${method}Response`,
    });
  }
  return {
    name,
    docs: `Everything about group ${index}.`,
    enums,
    structs,
    methods,
  };
}

/** Returns the nesting depth of structs in a type. */
function depthOf(type, structs) {
  if (type.kind === "list") return depthOf(type.element, structs);
  if (type.kind === "map") return depthOf(type.value, structs);
  if (type.kind !== "struct") return 0;
  return structs.find(({ name }) => name === type.name)?.depth ?? 0;
}

function createFields(random, enums, structs) {
  const count = 6 + random.below(5);
  const start = random.below(fieldNames.length);
  return Array.from({ length: count }, (_, index) => {
    const name = fieldNames[(start + index) % fieldNames.length];
    return {
      name,
      docs: `The ${name} as its owner sees it.`,
      isOptional: random.below(4) === 0,
      ...createType(random, enums, structs),
    };
  });
}

const scalars = [
  { type: { kind: "string" }, limits: { minLength: 1, maxLength: 80 } },
  { type: { kind: "string" }, limits: {} },
  { type: { kind: "address" }, limits: {} },
  { type: { kind: "boolean" }, limits: {} },
  { type: { kind: "uint32" }, limits: { minimum: 1, maximum: 1000 } },
  { type: { kind: "uint32" }, limits: {} },
  { type: { kind: "float64" }, limits: {} },
  { type: { kind: "timestamp" }, limits: {} },
];

function createType(random, enums, structs) {
  const scalar = random.pick(scalars);
  const { type } = scalar;
  const reference = { kind: "enum", name: random.pick(enums).name };
  const struct =
    structs.length === 0
      ? reference
      : { kind: "struct", name: random.pick(structs).name };
  const choices = [
    scalar,
    scalar,
    scalar,
    { type: reference, limits: {} },
    { type: { kind: "list", element: type }, limits: { maxItems: 100 } },
    { type: { kind: "list", element: struct }, limits: { maxItems: 50 } },
    {
      type: { kind: "list", element: { kind: "list", element: type } },
      limits: {},
    },
    { type: { kind: "map", value: type }, limits: { maxProperties: 20 } },
    { type: { kind: "map", value: struct }, limits: {} },
    { type: struct, limits: {} },
  ];
  return random.pick(choices);
}

/** Adds a field to one struct, as a typical edit to a contract does. */
export function editContract(contract) {
  const [service, ...services] = contract.services;
  const [struct, ...structs] = service.structs;
  const added = {
    name: "edited",
    docs: "Added by an edit.",
    isOptional: true,
    type: { kind: "string" },
    limits: { maxLength: 20 },
  };
  const changed = { ...struct, fields: [...struct.fields, added] };
  return {
    ...contract,
    services: [{ ...service, structs: [changed, ...structs] }, ...services],
  };
}
