import { Link } from "wouter";
import { Page } from "./page.js";

/** The page for an unknown address. */
export function NotFound() {
  return (
    <div className="alone">
      <Page title="Page not found">
        <p>
          The console has no page at this address. Go to{" "}
          <Link href="/">all projects</Link>.
        </p>
      </Page>
    </div>
  );
}
