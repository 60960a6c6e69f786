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
  ["address_create", "post /addresses", "Addresses", "CreateAddress"],
  ["run_history", "post /runs/history", "Runs", "RunHistory"],
  ["getstopWords", "get /settings/stop-words", "Settings", "GetStopWords"],
  ["connector_get", "get /connectors/{or}", "Connectors", "GetConnector"],
  ["multi_search_with_post", "post /m", "MultiSearch", "MultiSearchWithPost"],
  ["files_api_routes_list_files", "get /files", "Files", "ListFiles"],
  ["agents_api_v1_agents_list", "get /agents", "BetaAgents", "ListAgents"],
  ["items_list_v1", "get /v1/items", "Items", "ListItemsV1"],
  ["upload_export_create", "post /exports", "Uploads", "CreateExport"],
  ["ml-close-job", "post /jobs/{id}/_close", "MlAnomaly", "CloseJob"],
  ["shop_items_get", "get /shop/items/{id}", "ShopItems", "GetItem"],
  ["search_app_get", "get /search_app/{id}", "SearchApp", "GetSearchApp"],
  ["ItemsControllerV1_listAll", "get /v1/items", "Items", "ListAll"],
])("names %s after its verb and noun: %s", (id, route, service, name) => {
  const [verb = "", path = ""] = route.split(" ");
  expect(nameMethod({ verb, path, operationId: id }, service)).toBe(name);
});
