import { apiClient } from "./api-client.js";

/** Configures the calls of the whole program. */
export function configure(): void {
  apiClient.setConfig({
    baseUrl: `${process.env["SHOP"]}/v2`,
    auth: () => process.env["TOKEN"],
  });
  apiClient.interceptors.request.use((request) => {
    request.headers.set("X-Program", "stock");
    return request;
  });
}
