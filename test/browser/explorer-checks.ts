/**
 * Runs accessibility checks in the page. Returns one line for each violation.
 */
export function findFaults(): readonly string[] {
  const faults: string[] = [];
  const all = <E extends Element = HTMLElement>(selector: string): E[] => [
    ...document.querySelectorAll<E>(selector),
  ];
  const nameOf = (element: Element): string => {
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const byId = ids.map((id) => document.getElementById(id)?.textContent);
    const labels = [
      ...("labels" in element
        ? ((element as HTMLInputElement).labels ?? [])
        : []),
    ].map((label) => label.textContent);
    const own = element.matches("button, a, summary")
      ? [element.textContent]
      : [];
    return [element.getAttribute("aria-label"), ...byId, ...labels, ...own]
      .join("")
      .trim();
  };
  const describe = (element: Element): string =>
    element.outerHTML.slice(0, 120);

  if (all("h1").length !== 1) faults.push(`${all("h1").length} h1`);
  for (const landmark of ["header", "nav", "main"]) {
    if (all(landmark).length !== 1) faults.push(`not one ${landmark}`);
  }
  const ids = all("[id]").map(({ id }) => id);
  for (const id of ids.filter((each, index) => ids.indexOf(each) < index)) {
    faults.push(`id ${id} twice`);
  }
  for (const element of all(
    "input, select, textarea, button, a, summary, nav, form, [role=region], [role=group], [role=img]",
  )) {
    if (nameOf(element) === "") faults.push(`no name: ${describe(element)}`);
  }
  for (const element of all(
    "[aria-labelledby], [aria-describedby], [aria-controls], label[for]",
  )) {
    for (const name of [
      "aria-labelledby",
      "aria-describedby",
      "aria-controls",
      "for",
    ]) {
      for (const id of element.getAttribute(name)?.split(" ") ?? []) {
        if (document.getElementById(id) === null) {
          faults.push(`${name} leads nowhere: ${describe(element)}`);
        }
      }
    }
  }
  let level = 0;
  for (const heading of all("main h1, main h2, main h3, main h4")) {
    const next = Number(heading.tagName.slice(1));
    if (next > level + 1) faults.push(`h${level} then h${next}`);
    level = next;
  }
  for (const fieldset of all("fieldset")) {
    if (fieldset.querySelector(":scope > legend") === null) {
      faults.push(`no legend: ${describe(fieldset)}`);
    }
  }
  for (const list of all("ul")) {
    if ([...list.children].some((child) => child.tagName !== "LI")) {
      faults.push(`not only items: ${describe(list)}`);
    }
  }
  if (document.documentElement.lang === "") faults.push("no language");
  if (document.title === "") faults.push("no title");
  return faults;
}

/**
 * Finds text with too little contrast (WCAG 2.2 requires 4.5, or 3 for large
 * text) and input borders with a contrast below 3. Returns one line for each
 * fault, with the contrast.
 */
export function findLowContrastText(): readonly string[] {
  type Rgb = readonly [number, number, number];
  const parse = (color: string): Rgb | null => {
    const numbers = color.match(/[\d.]+/gu)?.map(Number) ?? [];
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
    return alpha === 0 ? null : [red, green, blue];
  };
  const behind = (element: Element | null): Rgb => {
    for (let each = element; each !== null; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      if (color !== null) return color;
    }
    return [255, 255, 255];
  };
  const luminance = (color: Rgb): number => {
    const [red = 0, green = 0, blue = 0] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: Rgb, other: Rgb): number => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort(
      (left, right) => left - right,
    );
    return (high + 0.05) / (low + 0.05);
  };
  const faults = new Set<string>();
  const checkContrast = (
    element: Element,
    color: string,
    back: Rgb,
    least: number,
  ): void => {
    const ink = parse(color);
    const ratio = ink === null ? 21 : contrast(ink, back);
    if (ratio < least) {
      const place = `${element.tagName.toLowerCase()}.${element.className}`;
      faults.add(
        `${place} ${color} on rgb(${back.join()}): ${ratio.toFixed(2)}`,
      );
    }
  };
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent?.trim() !== "",
    );
    const isInput = element.matches("input, select, textarea");
    if (hasText || isInput) {
      const size = Number.parseFloat(style.fontSize);
      const isLarge =
        size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      checkContrast(element, style.color, behind(element), isLarge ? 3 : 4.5);
    }
    if (!isInput) continue;
    checkContrast(
      element,
      style.borderTopColor,
      behind(element.parentElement),
      3,
    );
    const hint = getComputedStyle(element, "::placeholder");
    checkContrast(element, hint.color, behind(element), 4.5);
  }
  return [...faults];
}
