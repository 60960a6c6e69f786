import { openAsBlob } from "node:fs";

import { type Command, UsageError } from "./command.js";

/** Commands for marketplace orders. */
export const orderCommands: Readonly<Record<string, Command>> = {
  "order import": {
    values: [2, 2],
    run: async ({ orders }, _, network = "", path = "") => {
      const file = await openAsBlob(path).catch(() => {
        throw new UsageError(`${path}: cannot be read`);
      });
      const { lines } = await orders.importOrders({ network, orders: file });
      const refused = lines.filter(({ refusal }) => refusal !== undefined);
      const report = [
        ...lines.map(({ line, orderId = "", refusal }) => {
          const fate =
            refusal === undefined
              ? `stored as ${orderId}`
              : `refused: ${refusal}`;
          return `${path}:${line}: ${fate}`;
        }),
        `${lines.length - refused.length} of ${lines.length} orders stored`,
      ].join("\n");
      if (refused.length > 0) throw new UsageError(report);
      return report;
    },
  },
  "order show": {
    values: [2, 2],
    run: async ({ orders }, _, network = "", orderId = "") =>
      (await orders.getOrder({ network, orderId })).order,
  },
};
