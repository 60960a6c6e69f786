import { createReportsServer } from "./generated/server.js";
import type { Format } from "./generated/types.js";

export function mediaType(format: Format): string {
  switch (format) {
    case "pdf":
      return "application/pdf";
    case "html":
      return "text/html";
    case "csv":
      return "text/csv";
  }
}

export const reports = createReportsServer({
  handlers: {
    reports: {
      render: ({ format }) => ({ report: { id: 1, format } }),
    },
  },
});
