import { expect, test } from "vitest";
import { nameMethod } from "../../tools/import/map/method-names.js";

test.each([
  ["orders_list", "get /orders", "Orders", "ListOrders"],
  ["orders_get", "get /orders/{id}", "Orders", "GetOrder"],
  ["orders_send", "post /orders", "Orders", "SendOrder"],
  ["orders_cancel", "post /orders/{id}/cancel", "Orders", "CancelOrder"],
  ["orders_export", "get /shops/{shop}/orders", "Orders", "ExportOrders"],
  ["orders_refund", "get /orders/{orders}/refund", "Orders", "OrderRefund"],
  ["ContainerList", "get /containers/json", "Container", "ListContainers"],
  ["ContainerStop", "post /containers/{id}", "Container", "StopContainer"],
  ["ContainerStats", "get /containers/{id}", "Container", "ContainerStats"],
  ["ContainerArchive", "get /containers/{id}", "Container", "ContainerArchive"],
  ["SystemInfo", "get /info", "System", "SystemInfo"],
  ["findAll", "get /find", "Find", "FindAll"],
  ["search_points", "post /search", "Search", "SearchPoints"],
  ["ExecStart", "post /exec/{id}/start", "Exec", "StartExec"],
  ["send_emails", "post /emails", "Emails", "SendEmails"],
])("names %s after its verb and noun: %s", (id, route, service, name) => {
  const [verb = "", path = ""] = route.split(" ");
  expect(nameMethod({ verb, path, operationId: id }, service)).toBe(name);
});
