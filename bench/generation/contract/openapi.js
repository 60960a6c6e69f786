/**
 * Writes the contract as an OpenAPI 3.1 document. Returns the JSON text of one
 * file.
 */
export function writeOpenApi(contract) {
  const { services } = contract;
  const schemas = services.flatMap(({ enums, structs }) => [
    ...enums.map((each) => [each.name, enumSchema(each)]),
    ...structs.map((each) => [each.name, structSchema(each)]),
  ]);
  const paths = services.flatMap((service) =>
    service.methods.map((method) => [
      `/rpc/${service.name}/${method.name}`,
      { post: operation(service, method) },
    ]),
  );
  const document = {
    openapi: "3.1.0",
    info: { title: "synthetic", version: "1.0.0" },
    servers: [{ url: "https://api.example.com" }],
    tags: services.map(({ name, docs }) => ({ name, description: docs })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...shared, ...Object.fromEntries(schemas) },
      securitySchemes: {
        accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const shared = {
  Address: {
    description: "An account or contract.",
    type: "string",
    pattern: "^0x[0-9a-fA-F]{40}$",
  },
  Envelope: {
    description: "The body of every error.",
    type: "object",
    required: ["error", "code", "msg", "status"],
    properties: {
      error: { type: "string" },
      code: { type: "integer" },
      msg: { type: "string" },
      status: { type: "integer" },
      cause: { type: "string" },
    },
  },
};

function operation(service, { name, docs, request, response }) {
  const body = (schema, description) => ({
    description,
    content: { "application/json": { schema: referenceTo(schema) } },
  });
  return {
    operationId: name,
    tags: [service.name],
    summary: docs,
    security: [{ accessKey: [] }],
    requestBody: { required: true, ...body(request, "The request.") },
    responses: {
      200: body(response, "The response."),
      400: body("Envelope", "Invalid argument."),
      401: body("Envelope", "Access key not found."),
      404: body("Envelope", "Not found."),
    },
  };
}

function enumSchema({ docs, members }) {
  return { description: docs, type: "string", enum: members };
}

function structSchema({ docs, fields }) {
  const required = fields
    .filter(({ isOptional }) => !isOptional)
    .map(({ name }) => name);
  return {
    description: docs,
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      fields.map(({ name, docs, type, limits }) => [
        name,
        // OpenAPI 3.1 allows a description and limits next to a reference.
        { description: docs, ...typeSchema(type), ...limits },
      ]),
    ),
  };
}

const scalars = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  uint32: { type: "integer", format: "int64", minimum: 0, maximum: 4294967295 },
  float64: { type: "number", format: "double" },
  timestamp: { type: "string", format: "date-time" },
};

function typeSchema(type) {
  switch (type.kind) {
    case "address":
      return referenceTo("Address");
    case "enum":
    case "struct":
      return referenceTo(type.name);
    case "list":
      return { type: "array", items: typeSchema(type.element) };
    case "map":
      return { type: "object", additionalProperties: typeSchema(type.value) };
    default:
      return scalars[type.kind];
  }
}

function referenceTo(name) {
  return { $ref: `#/components/schemas/${name}` };
}
