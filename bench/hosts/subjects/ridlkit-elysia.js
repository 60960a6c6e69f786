import { Elysia } from "elysia";
import { create as createFetch } from "./ridlkit.js";

export function create(options) {
  const fetch = createFetch(options);
  const app = new Elysia();
  app.all("/*", ({ request }) => fetch(request), { parse: "none" });
  return app.fetch;
}
