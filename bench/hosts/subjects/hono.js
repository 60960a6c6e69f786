import { Hono } from "hono";
import { validator } from "hono/validator";
import { list } from "../../server/contract/items.js";
import { accessKey, handlers } from "../../server/contract/messages.js";
import { zodSchema } from "../../server/contract/zod.js";
import { countBytes, streamLines } from "../../server/contract/transfers.js";
import { item, items, query } from "./zod-items.js";

export function create({ checksResponses }) {
  const app = new Hono();
  const answer = (schema) =>
    checksResponses ? (value) => schema.parse(value) : (value) => value;
  const validate = (target, schema) =>
    validator(target, (value, context) => {
      const { success, data, error } = schema.safeParse(value);
      return success ? data : context.json({ error: error.issues }, 400);
    });
  app.use(async (context, next) => {
    if (context.req.header("x-access-key") === accessKey) return next();
    return context.json({ error: "AccessKeyNotFound" }, 401);
  });
  for (const [name, handler] of Object.entries(handlers)) {
    const check = answer(zodSchema(`${name}Response`));
    app.post(
      `/${name}`,
      validate("json", zodSchema(`${name}Request`)),
      (context) => context.json(check(handler(context.req.valid("json")))),
    );
  }
  const checkItems = answer(items);
  app.get("/items", validate("query", query), (context) =>
    context.json(checkItems(list())),
  );
  app.put("/content", async (context) =>
    context.json({ bytes: await countBytes(context.req.raw.body) }),
  );
  const checkItem = answer(item);
  app.post("/Follow", () =>
    streamLines((each) => `${JSON.stringify({ item: checkItem(each) })}\n`),
  );
  return app.fetch;
}
