import { Link } from "wouter";
import { Page } from "../parts/page.js";

/** The page for an address that names nothing. */
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
