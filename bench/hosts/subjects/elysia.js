import { Elysia, t } from "elysia";
import { list } from "../../server/contract/items.js";
import { accessKey, handlers } from "../../server/contract/messages.js";
import {
  addressPattern,
  amountPattern,
  describe,
  sides,
  statuses,
} from "../../server/contract/shapes.js";
import { countBytes } from "../../server/contract/transfers.js";

const address = t.String({ pattern: addressPattern });
const amount = t.String({ pattern: amountPattern, maxLength: 78 });

const values = {
  text: t.String(),
  reference: t.String({ minLength: 1, maxLength: 256 }),
  address,
  amount,
  count: t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  number: t.Number(),
  time: t.String({ format: "date-time" }),
  side: t.UnionEnum(sides),
  status: t.UnionEnum(statuses),
};

/** Returns a message as a schema of Elysia. */
function schemaOf(name) {
  return describe(name, {
    object: (fields) =>
      t.Object(
        Object.fromEntries(
          fields.map(([key, schema, isOptional]) => [
            key,
            isOptional ? t.Optional(schema) : schema,
          ]),
        ),
      ),
    list: (item, maxItems) =>
      t.Array(item, maxItems === null ? {} : { maxItems }),
    constant: (text) => t.Literal(text),
    union: (variants) => t.Union(variants),
    value: (kind) => values[kind],
  });
}

const items = t.Array(
  t.Object({
    id: t.String(),
    name: t.String(),
    seller: address,
    price: amount,
    tags: t.Array(t.String()),
  }),
);
const query = t.Object({
  seller: address,
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 100 })),
  tag: t.Optional(t.Array(t.String())),
});

/** Returns the program, which serves itself on Bun. */
export function createApp({ checksResponses }) {
  const answer = (schema) => (checksResponses ? { response: schema } : {});
  const app = new Elysia().onRequest(({ request, status }) => {
    if (request.headers.get("x-access-key") === accessKey) return;
    return status(401, { error: "AccessKeyNotFound" });
  });
  for (const [name, handler] of Object.entries(handlers)) {
    app.post(`/${name}`, ({ body }) => handler(body), {
      body: schemaOf(`${name}Request`),
      ...answer(schemaOf(`${name}Response`)),
    });
  }
  app.get("/items", () => list(), { query, ...answer(items) });
  app.put(
    "/content",
    async ({ request }) => ({ bytes: await countBytes(request.body) }),
    { parse: "none" },
  );
  return app;
}

export const create = (options) => createApp(options).fetch;
