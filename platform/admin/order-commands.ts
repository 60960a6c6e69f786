import { command, CommandError } from "./command.js";
import { show } from "./output.js";
import { readInput } from "./read-input.js";

/** Commands for marketplace orders. */
export const orderCommands = [
  command(
    "order import <network> <file>",
    "stores signed orders that are not on chain; each line of the file is one order in JSON, as seaport-js creates it",
    async ({ client }, { file, network }) => {
      const orders = await readInput(file, "application/jsonl");
      const { lines } = await client.orders.importOrders({ network, orders });
      const refused = lines.filter(({ refusal }) => refusal !== undefined);
      const report = [
        ...lines.map(({ line, orderId = "", refusal }) => {
          const fate =
            refusal === undefined
              ? `stored as ${orderId}`
              : `rejected: ${refusal}`;
          return `${file}:${line}: ${fate}`;
        }),
        `${lines.length - refused.length} of ${lines.length} orders stored`,
      ].join("\n");
      if (refused.length > 0) throw new CommandError(report);
      return show(lines, report);
    },
  ),
  command(
    "order show <network> <order id>",
    "prints an order with its signature as a line of JSON, for a buyer",
    async ({ client }, request) => {
      const { order } = await client.orders.getOrder(request);
      return show(JSON.parse(order), order);
    },
  ),
];
