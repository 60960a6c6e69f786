import { createHash } from "node:crypto";

/** A script that hides a page inside a page of another site. */
export const refuseFrames = `try{if(top.location.origin!==location.origin)throw 0}catch{document.documentElement.hidden=true;stop()}`;

/**
 * Adds a content security policy to a page, as its first element. The policy
 * allows the site's own files and the scripts that are part of the page. A page
 * cannot set `frame-ancestors`; only a header can.
 */
export function addPolicy(html) {
  const scripts = html.matchAll(
    /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/gu,
  );
  const hashes = [...scripts].map(
    ([, text]) =>
      `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html.replace("<head>", `<head>\n    ${meta}`);
}
