import fastify from "fastify";
import { list, put } from "../contract/items.js";
import { accessKey } from "../contract/messages.js";
import { addressPattern, amountPattern } from "../contract/shapes.js";

const text = { type: "string" };
const tags = { type: "array", items: text };
const seller = { type: "string", pattern: addressPattern };
const price = { type: "string", pattern: amountPattern, maxLength: 78 };
const limit = { type: "integer", minimum: 1, maximum: 100 };
const content = { name: text, seller, price, tags };

function object(properties, required = Object.keys(properties)) {
  return { type: "object", properties, required };
}

const item = object({ id: text, ...content });

export async function listen() {
  const app = fastify();
  app.addHook("onRequest", async (request, reply) => {
    if (request.headers["x-access-key"] === accessKey) return;
    return reply.code(401).send({ error: "AccessKeyNotFound" });
  });
  app.put(
    "/items/:id",
    {
      schema: {
        params: object({ id: text }),
        querystring: object({ notify: { type: "boolean" } }, []),
        body: object(content),
        response: { 200: item },
      },
    },
    ({ params, body }, reply) => {
      reply.send(put({ ...params, ...body }));
    },
  );
  app.get(
    "/items",
    {
      schema: {
        querystring: object({ seller, limit, tag: tags }, ["seller"]),
        response: { 200: { type: "array", items: item } },
      },
    },
    (_request, reply) => {
      reply.send(list());
    },
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}
