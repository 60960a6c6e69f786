/** A command and its colored output. */
export interface TerminalStep {
  readonly command: string;
  readonly output: string;
}

/** CSS classes by the code of the escape sequence that the command prints. */
const classes: Readonly<Record<string, string>> = {
  "1": "bold",
  "1;31": "bold red",
  "1;33": "bold yellow",
  "32": "green",
  "34": "blue",
};

const lineHeight = 20;
const characterWidth = 8.43;
const margin = 16;

/** Draws commands and their output as SVG for light and dark pages. */
export function drawTerminal(
  title: string,
  steps: readonly TerminalStep[],
): string {
  const rows = steps.flatMap(({ command, output }) => [
    { text: command, isCommand: true },
    ...output.split("\n").map((text) => ({ text, isCommand: false })),
  ]);
  const columns = Math.max(
    ...rows.map(({ text }) => text.replace(/\u001B\[[\d;]*m/gu, "").length + 2),
  );
  const width = Math.ceil(columns * characterWidth) + 2 * margin;
  const height = rows.length * lineHeight + 2 * margin;
  const lines = rows.flatMap(({ text, isCommand }, index) => {
    if (text === "") return [];
    const y = margin + (index + 1) * lineHeight - 6;
    const shown = isCommand
      ? `<tspan class="green">$</tspan> <tspan class="bold">${escape(text)}</tspan>`
      : toSpans(text);
    return [`<text x="${margin}" y="${y}">${shown}</text>`];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xml:space="preserve" role="img" aria-label="${escape(title)}">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #1f2328 }
rect { fill: #f6f8fa; stroke: #d1d9e0 }
.bold { font-weight: 600 } .red { fill: #c4141c } .yellow { fill: #8a5a00 } .green { fill: #0b6e34 } .blue { fill: #0758c0 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #161b22; stroke: #3d444d }
.red { fill: #ff7b72 } .yellow { fill: #e3b341 } .green { fill: #56d364 } .blue { fill: #79c0ff }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${lines.join("\n")}
</svg>
`;
}

/** Converts a line with color escape sequences to spans. */
function toSpans(line: string): string {
  const [plain = "", ...colored] = line.split("\u001B[");
  const spans = colored.map((part) => {
    const end = part.indexOf("m");
    const color = part.slice(0, end);
    const text = escape(part.slice(end + 1));
    if (color === "0" || text === "") return text;
    const name = classes[color];
    if (name === undefined) throw new Error(`no class for the color ${color}`);
    return `<tspan class="${name}">${text}</tspan>`;
  });
  return escape(plain) + spans.join("");
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
