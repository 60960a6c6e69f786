/**
 * Draws a chart of horizontal bars in groups.
 *
 * Input: a title, and groups with a name and bars. A bar has a name, a value,
 * and a label. The length of a bar is relative to the largest value in its
 * group. Returns SVG that follows the color scheme of the page. A narrow chart is
 * legible on phones: it puts the name and the label of a bar above the bar.
 */
export function drawChart(title, groups, { isNarrow = false } = {}) {
  const width = isNarrow ? 400 : 840;
  const nameWidth = isNarrow ? 16 : 250;
  const barWidth = width - nameWidth - (isNarrow ? 16 : 230);
  const parts = [text(16, 28, title, 'font-size="16" font-weight="600"')];
  let y = 44;
  for (const { name, bars } of groups) {
    y += 18;
    parts.push(text(16, y, name, 'font-weight="600"'));
    y += 8;
    const largest = Math.max(...bars.map(({ value }) => value));
    for (const bar of bars) {
      const length = Math.max(2, (bar.value / largest) * barWidth);
      const own = bar.isOwn ? ' class="own"' : "";
      const [barY, height] = isNarrow ? [y + 18, 8] : [y, 17];
      parts.push(
        isNarrow
          ? text(16, y + 13, bar.name)
          : text(nameWidth - 8, y + 13, bar.name, 'text-anchor="end"'),
        `<rect${own} x="${nameWidth}" y="${barY}" width="${length.toFixed(1)}" height="${height}" rx="2"/>`,
        isNarrow
          ? text(width - 16, y + 13, bar.label, 'text-anchor="end"')
          : text(nameWidth + length + 8, y + 13, bar.label),
      );
      y += isNarrow ? 33 : 23;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 16}" width="${width}" height="${y + 16}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${escape(title)}">
${style}
<rect class="paper" width="100%" height="100%" rx="6"/>
${parts.join("\n")}
</svg>
`;
}

/** The colors of the site, which are in apps/explorer/views/tokens.css. */
const style = `<style>
text { fill: #1d1f1e } rect { fill: #868a82 } .own { fill: #0b5566 } .paper { fill: #fdfdfb }
@media (prefers-color-scheme: dark) { text { fill: #e7e6e1 } rect { fill: #737873 } .own { fill: #84cbd9 } .paper { fill: #17191b } }
</style>`;

function text(x, y, content, attributes = "") {
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escape(content)}</text>`;
}

function escape(content) {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
