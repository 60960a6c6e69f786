/**
 * Draws a chart of horizontal bars in groups.
 *
 * Input: a title, and groups with a name and bars. A bar has a name, a value,
 * and a label. The length of a bar is relative to the largest value in its
 * group. Returns SVG that is legible on light and dark pages.
 */
export function drawChart(title, groups) {
  const width = 840;
  const nameWidth = 250;
  const barWidth = width - nameWidth - 230;
  const parts = [text(16, 28, title, 'font-size="16" font-weight="600"')];
  let y = 44;
  for (const { name, bars } of groups) {
    y += 18;
    parts.push(text(16, y, name, 'font-weight="600"'));
    y += 8;
    const largest = Math.max(...bars.map(({ value }) => value));
    for (const bar of bars) {
      const length = Math.max(2, (bar.value / largest) * barWidth);
      const color = bar.isOwn ? "#0a7d5a" : "#8a94a6";
      parts.push(
        text(nameWidth - 8, y + 13, bar.name, 'text-anchor="end"'),
        `<rect x="${nameWidth}" y="${y}" width="${length.toFixed(1)}" height="17" rx="2" fill="${color}"/>`,
        text(nameWidth + length + 8, y + 13, bar.label),
      );
      y += 23;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 16}" width="${width}" height="${y + 16}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${escape(title)}">
<rect width="100%" height="100%" rx="6" fill="#ffffff"/>
${parts.join("\n")}
</svg>
`;
}

function text(x, y, content, attributes = "") {
  return `<text x="${x.toFixed(1)}" y="${y}" fill="#1c2430" ${attributes}>${escape(content)}</text>`;
}

function escape(content) {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
