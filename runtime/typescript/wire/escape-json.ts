/** Matches all characters that `JSON.stringify` may escape. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Escapes text for JSON, without the surrounding quotes. */
export function escapeJson(text: string): string {
  return special.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}
