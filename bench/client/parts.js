import { bundle, gzipped } from "./workspace.js";

const validator = `
  export { checkGetThing0Request } from "./ridlkit/validators.js";
  export { validate } from "@ridlkit/runtime/validation";
`;
const schema = 'export { getThing0RequestSchema } from "./ridlkit/schemas.js";';
const query = 'export { createThingsQueries } from "./ridlkit/query.js";';

/**
 * Measures the bytes that a validator, a schema, and queries add to a client.
 */
export async function measureParts(client, folder) {
  const sizeOf = async (part) => gzipped(await bundle(client + part, folder));
  const alone = await sizeOf("");
  const validated = await sizeOf(validator);
  return {
    validator: validated - alone,
    schema: (await sizeOf(schema)) - alone,
    schemaOverValidator: (await sizeOf(validator + schema)) - validated,
    query: (await sizeOf(query)) - alone,
  };
}
