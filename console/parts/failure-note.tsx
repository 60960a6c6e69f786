import { TransportError } from "@ridlkit/runtime/client";
import { Button } from "./button.js";

/** Says what went wrong, in words for the person who reads it. */
export function failureText(error: Error): string {
  if (error instanceof TransportError) {
    return error.reason === "timeout"
      ? "The platform did not answer in time."
      : "The platform cannot be reached.";
  }
  const detail = typeof error.cause === "string" ? `: ${error.cause}` : "";
  return sentence(`${error.message}${detail}`);
}

/** A text as a sentence, with a capital letter and a stop. */
export function sentence(text: string): string {
  const [first = ""] = text;
  return `${first.toUpperCase()}${text.slice(1)}${/[.?!]$/u.test(text) ? "" : "."}`;
}

/** What stands in place of something that could not be loaded or done. */
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
