import { deepStrictEqual, strictEqual } from "node:assert";
import { mediaType, reports } from "./reports.js";

async function render(format: string): Promise<unknown> {
  const request = new Request("http://localhost/rpc/Reports/Render", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ format }),
  });
  const response = await reports.fetch(request);
  return response.ok ? response.json() : response.status;
}

for (const format of ["pdf", "html", "csv"]) {
  deepStrictEqual(await render(format), { report: { id: 1, format } });
}
strictEqual(await render("docx"), 400);
strictEqual(mediaType("csv"), "text/csv");
strictEqual(mediaType("html"), "text/html");
