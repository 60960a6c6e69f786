import type { FailureReason } from "./send.js";

/** A description of a failure: what happened, and how to fix it. */
export interface FailureText {
  readonly title: string;
  readonly help: string;
}

/**
 * Explains to users why a call got no response.
 *
 * Input: the address of the call, the origin of the page, the browser's
 * message.
 */
export function explainFailure(
  reason: FailureReason,
  url: string,
  origin: string,
  detail: string,
): FailureText {
  const host = URL.canParse(url) ? new URL(url).host : url;
  switch (reason) {
    case "aborted":
      return {
        title: "Aborted",
        help: "You ended the call. The server may have done its work all the same.",
      };
    case "refused":
      return {
        title: "Refused by CORS",
        help: `The server at ${host} answers, but does not let pages of ${originName(origin)} read its answers. Its operator can allow this origin; the commands below work all the same, for they are no page.`,
      };
    case "unreachable":
      return {
        title: "No answer",
        help: unreachableHelp(url, host, origin),
      };
    case "redirected":
      return {
        title: "Redirected",
        help: `The server at ${host} sends the call elsewhere. Keys are not taken along: enter the address that it leads to.`,
      };
    case "invalid":
      return {
        title: "Not sent",
        help: `The browser does not take this call: ${detail}`,
      };
  }
}

function unreachableHelp(url: string, host: string, origin: string): string {
  const isMixed = origin.startsWith("https:") && url.startsWith("http:");
  return isMixed
    ? `This page came by https, and browsers do not let it call ${host} by http.`
    : `Nothing answers at ${host}. Is the server running, and is the base address right?`;
}

function originName(origin: string): string {
  return origin === "null" ? "files on this computer" : origin;
}
