// Serves the [explorer](../../explorer.md), the page that shows a contract and calls its methods.
import { readFileSync } from "node:fs";
import { createExplorerServer } from "@ridlkit/runtime/explorer";
import { composeServers } from "@ridlkit/runtime/server";
import { server } from "../shop.js";

const explorer = createExplorerServer(
  (name) => readFileSync(`generated/explorer/${name}`, "utf8"),
  {
    path: "/docs/",
    values: {
      requests: { "Shop.GetBook": { isbn: "9780262510875" } },
      fields: { isbn: "9780262510875" },
    },
  },
);
export const all = composeServers(server, explorer);
