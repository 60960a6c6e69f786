const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const zeroWidth = /[\u0300-\u036f\u200b-\u200d\ufe00-\ufe0f]/u;

const plain = /^[ -~]*$/u;

/** Whether text is printable ASCII, which it nearly always is. */
function isPlain(text: string): boolean {
  // For short strings, a loop is faster than a regular expression.
  if (text.length > 16) return plain.test(text);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Returns the width of text. Wide characters count as two columns. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (zeroWidth.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}
