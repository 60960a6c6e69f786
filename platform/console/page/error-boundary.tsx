import { Component, type ReactNode } from "react";
import { FailureNote } from "./parts/failure-note.js";

/** Shows a message instead of a blank page if its content fails to render. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="alone">
        <h1>Project console</h1>
        <FailureNote
          error={new Error("this page could not be shown")}
          retry={() => location.reload()}
        />
        <p>
          <a href="/">All projects</a>
        </p>
      </main>
    );
  }
}
