import { client } from "./api/client.gen.js";

/** Configures the calls of the whole program. */
export function configure(): void {
  client.setConfig({
    baseUrl: `${process.env["SHOP"]}/v2`,
    auth: () => process.env["TOKEN"],
  });
  client.interceptors.request.use((request) => {
    request.headers.set("X-Program", "stock");
    return request;
  });
}
