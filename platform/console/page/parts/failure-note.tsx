import { TransportError } from "@ridlkit/runtime/client";
import { Button } from "./button.js";

/** Returns an error message for the user. */
export function failureText(error: Error): string {
  if (error instanceof TransportError) {
    return error.reason === "timeout"
      ? "The platform did not respond in time."
      : "The platform cannot be reached.";
  }
  const detail = typeof error.cause === "string" ? `: ${error.cause}` : "";
  return sentence(`${error.message}${detail}`);
}

/** Formats text as a sentence, with a capital letter and a period. */
export function sentence(text: string): string {
  const [first = ""] = text;
  return `${first.toUpperCase()}${text.slice(1)}${/[.?!]$/u.test(text) ? "" : "."}`;
}

/** Shows an error, with a button to try again. */
export function FailureNote({
  error,
  retry,
}: {
  readonly error: Error | null;
  readonly retry?: () => unknown;
}) {
  if (error === null) return null;
  return (
    <div role="alert" className="failure">
      <p>{failureText(error)}</p>
      {retry && <Button onClick={() => void retry()}>Try again</Button>}
    </div>
  );
}
