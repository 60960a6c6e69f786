import { type FailureReason, maxBytes, timeoutMs } from "./send.js";

/** A description of a failure: what happened, and how to fix it. */
export interface FailureText {
  readonly title: string;
  readonly help: string;
}

/**
 * Explains to the user why a call got no response.
 *
 * Input: the address of the call, the origin of the page, and the browser's
 * message, the name of the changed file, or the status of the large response.
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
        help: "You aborted the call. The server may still have processed it.",
      };
    case "refused":
      return {
        title: "Blocked by CORS",
        help: `The server at ${host} responds, but does not allow pages from ${originName(origin)} to read its responses. Its operator can allow this origin. The commands below work anyway, because CORS only applies to browsers.`,
      };
    case "unreachable":
      return {
        title: "No response",
        help: unreachableHelp(url, host, origin),
      };
    case "redirected":
      return {
        title: "Redirected",
        help: `The server at ${host} redirects the call. To protect your keys, this page does not follow redirects. Enter the final address as the base address.`,
      };
    case "changed":
      return {
        title: "Not sent",
        help: `The file ${detail} has changed since you chose it. Choose it again.`,
      };
    case "incomplete":
      return {
        title: "Incomplete response",
        help: `The connection to ${host} was closed before the response was complete.`,
      };
    case "large":
      return {
        title: "Large response",
        help: `The response from ${host}, ${detail}, is larger than ${maxBytes / 1024 ** 2} MiB. The commands below receive all of it.`,
      };
    case "slow":
      return {
        title: "Timed out",
        help: `The response from ${host} was not complete after ${timeoutMs / 1000} seconds. The server may still process the call.`,
      };
    case "invalid":
      return {
        title: "Not sent",
        help: `The browser rejected this call: ${detail}`,
      };
  }
}

function unreachableHelp(url: string, host: string, origin: string): string {
  const isMixed =
    origin.startsWith("https:") &&
    url.startsWith("http:") &&
    // Browsers allow calls to the same machine.
    !/^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/u.test(host);
  return isMixed
    ? `This page was loaded over HTTPS, so browsers do not let it call ${host} over HTTP.`
    : `${host} does not respond. Check that the server is running and that the base address is correct.`;
}

function originName(origin: string): string {
  return origin === "null" ? "files on this computer" : origin;
}
