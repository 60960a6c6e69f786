import { ordersRequest, priceRequest } from "./contract/messages.js";

/**
 * The measurements of every subject. Memory is measured after each cell's
 * request has been sent `requests` times.
 */
export const cells = [
  {
    name: "GetOrders, 10 items, 10 connections",
    method: "GetOrders",
    message: ordersRequest(10),
    connections: 10,
    requests: 2_000,
    /** Minimum capacity of our server, relative to node:http and to Fastify. */
    goals: { bare: 1, rival: 1.1 },
  },
  {
    name: "GetOrders, 10 items, 100 connections",
    method: "GetOrders",
    message: ordersRequest(10),
    connections: 100,
    requests: 2_000,
    goals: { bare: 1, rival: 1.1 },
  },
  {
    name: "GetPrice, 10 connections",
    method: "GetPrice",
    message: priceRequest,
    connections: 10,
    requests: 5_000,
    goals: { bare: 1.05, rival: 1.05 },
  },
  {
    name: "GetPrice, 100 connections",
    method: "GetPrice",
    message: priceRequest,
    connections: 100,
    requests: 5_000,
    goals: { bare: 0.97, rival: 1.05 },
  },
  {
    name: "GetOrders, 1,000 items, 10 connections",
    method: "GetOrders",
    message: ordersRequest(1_000),
    connections: 10,
    requests: 150,
    goals: { bare: null, rival: 1.6 },
  },
];

const orders = ordersRequest(10);
const lastOrder = orders.input.at(-1);

/** Requests that our server refuses, by method. */
export const refusals = [
  {
    name: "GetOrders, 10 items",
    method: "GetOrders",
    message: orders,
    kinds: kindsFor("GetOrders", orders, {
      input: [...orders.input.slice(0, -1), { ...lastOrder, orderId: "" }],
    }),
  },
  {
    name: "GetPrice",
    method: "GetPrice",
    message: priceRequest,
    kinds: [
      ...kindsFor("GetPrice", priceRequest, {
        ...priceRequest,
        tokenId: "-1",
      }),
      {
        name: "handler throws a declared error",
        status: 404,
        body: JSON.stringify({ ...priceRequest, tokenId: "404" }),
        isThrown: true,
      },
    ],
  },
];

function kindsFor(method, message, invalid) {
  const body = JSON.stringify(message);
  return [
    {
      name: "unknown route",
      status: 404,
      body,
      path: `/rpc/Market/${method}s`,
    },
    { name: "wrong verb", status: 405, body, change: { verb: "PUT" } },
    {
      name: "wrong content type",
      status: 415,
      body,
      change: { headers: { "content-type": "text/plain" } },
    },
    {
      name: "missing credential",
      status: 401,
      body,
      change: { headers: { "x-access-key": null } },
    },
    {
      name: "refused credential",
      status: 401,
      body,
      change: { headers: { "x-access-key": "another" } },
    },
    { name: "broken JSON", status: 400, body: body.slice(0, -1) },
    {
      name: "invalid field",
      status: 400,
      body: JSON.stringify(invalid),
    },
  ];
}
