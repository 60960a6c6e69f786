import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startQueries } from "./api/first-queries.js";
import { createQueryClient } from "./api/query-client.js";
import { App } from "./app.js";
import { ErrorBoundary } from "./error-boundary.js";
import { Notices } from "./parts/notices.js";
import { applyRememberedTheme } from "./parts/theme-choice.js";
import { guardUnsaved } from "./parts/unsaved.js";

guardUnsaved();
applyRememberedTheme();

const queryClient = createQueryClient();
await startQueries(queryClient, window.location.pathname);

const root = document.getElementById("console");
if (root === null) throw new Error("the page has no element for the console");
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Notices>
          <App />
        </Notices>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
);
