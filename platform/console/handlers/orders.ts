import { decodeAbiParameters, getAbiItem } from "viem";

import type { Network, Networks } from "../../network/networks.js";
import { seaportAbi } from "../../seaport/abi.js";
import { requireBook } from "../../services/marketplace/book/book.js";
import { importOrders } from "../../services/marketplace/book/import-orders.js";
import type { OrdersHandler } from "../generated/server.js";
import { notFound } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });

/** The longest time that the last lines of an import and its report can take. */
const maxReportMs = 30_000;

/** Creates the handler that imports signed orders and returns stored orders. */
export function createOrdersHandler({
  platform: { networks },
  store: { database },
}: ConsoleParts): OrdersHandler<OperatorState> {
  return {
    importOrders: async ({ network, orders }, context) => {
      const text = await new Response(orders.stream()).text();
      const found = requireNetwork(networks, network);
      const reportMs = Math.min(maxReportMs, context.remainingMs() / 4);
      const isOver = () =>
        context.signal.aborted || context.remainingMs() < reportMs;
      const lines = await importOrders(database, found, text, isOver);
      return {
        lines: lines.map(({ line, orderId, refusal }) => ({
          line,
          ...(orderId !== null && { orderId }),
          ...(refusal !== null && { refusal }),
        })),
      };
    },

    getOrder: async ({ network, orderId }) => {
      const book = requireBook(requireNetwork(networks, network));
      const row = await database
        .selectFrom("marketplace_orders")
        .select(["data", "signature"])
        .where("chain_id", "=", book.chainId)
        .where("contract", "=", book.contract)
        .where("order_hash", "=", `0x${orderId.slice(2).toLowerCase()}`)
        .executeTakeFirst();
      if (row === undefined) {
        return notFound("orderId", `there is no order ${orderId}`);
      }
      const [, parameters] = decodeAbiParameters(inputs, row.data);
      const { signature } = row;
      const order = { parameters, signature: signature ?? "0x" };
      return { order: JSON.stringify(order, digits) };
    },
  };
}

function digits(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function requireNetwork(
  networks: Pick<Networks, "find">,
  name: string,
): Network {
  return (
    networks.find(name) ?? notFound("network", `there is no network ${name}`)
  );
}
