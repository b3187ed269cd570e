"""Checks a page for accessibility, as far as a program can (WCAG 2.2, level AA): language, title,
headings, names of controls, contrast, reflow, and focus."""

MEASURE = r"""() => {
  const faults = [];
  const visible = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 0 && box.height > 0 && style.visibility !== "hidden" && element.checkVisibility();
  };
  const named = (element) => (element.getAttribute("aria-label") || element.innerText ||
    element.value || element.title || element.alt || "").trim();

  if (!/^(en|vi|de)$/.test(document.documentElement.lang)) faults.push("no lang");
  if (!document.title.trim()) faults.push("no title");
  // What is hidden, a screen reader doesn't read.
  const headings = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].filter((one) => !one.closest("[hidden]"));
  if (headings.filter((one) => one.matches("h1")).length !== 1) faults.push("not one h1");
  if (document.querySelectorAll("main").length !== 1) faults.push("not one main");
  let level = 0;
  for (const heading of headings) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push("skips a level: " + heading.innerText);
    level = next;
  }
  const scrolled = document.documentElement;
  if (scrolled.scrollWidth > scrolled.clientWidth) {
    faults.push(`scrolls sideways: ${scrolled.scrollWidth} of ${scrolled.clientWidth}`);
  }
  for (const control of document.querySelectorAll("a[href],button,summary")) {
    if (visible(control) && !named(control)) faults.push("no name: " + control.outerHTML);
  }
  for (const field of document.querySelectorAll("input:not([type=hidden]),select,textarea")) {
    const isNamed = field.labels?.length || field.getAttribute("aria-label") ||
      field.getAttribute("aria-labelledby") || ["submit", "button"].includes(field.type);
    if (visible(field) && !isNamed) faults.push("no label: " + field.outerHTML);
  }
  for (const image of document.querySelectorAll("img")) {
    if (!image.hasAttribute("alt")) faults.push("no alt: " + image.outerHTML);
  }

  // Contrast: sRGB's relative luminance (WCAG 2.2, 1.4.3).
  const parse = (color) => {
    const numbers = color.match(/[\d.]+/g).map(Number);
    return {rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1};
  };
  const over = (front, back) => front.rgb.map(
    (value, index) => value * front.alpha + back[index] * (1 - front.alpha));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (front, back) => {
    const levels = [luminance(front), luminance(back)];
    return (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05);
  };
  const background = (element) => {
    if (!element) return matchMedia("(prefers-color-scheme: dark)").matches
      && getComputedStyle(document.documentElement).colorScheme.includes("dark")
      ? [18, 18, 18] : [255, 255, 255];
    const color = parse(getComputedStyle(element).backgroundColor);
    return color.alpha === 1 ? color.rgb : over(color, background(element.parentElement));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.nodeValue.trim();
    if (!text || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    if (!visible(element) || element.closest("[disabled],[aria-disabled=true]")) continue;
    const style = getComputedStyle(element);
    const behind = background(element);
    const ratio = contrast(over(parse(style.color), behind), behind);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) {
      faults.push(`contrast ${ratio.toFixed(2)}: “${text.slice(0, 40)}” ${style.color}`);
    }
  }
  // What shows where a field is (1.4.11).
  for (const field of document.querySelectorAll("input[type=text],input[type=email],textarea")) {
    if (!visible(field)) continue;
    const style = getComputedStyle(field);
    const behind = background(field.parentElement);
    const ratio = contrast(over(parse(style.borderBottomColor), behind), behind);
    if (ratio < 3) faults.push(`a field's edge has contrast ${ratio.toFixed(2)}: ${field.name}`);
  }
  return faults;
}"""

FOCUSABLE = """() => [...document.querySelectorAll(
  "a[href],button,summary,input:not([type=hidden]),select,textarea,[tabindex]")]
  .filter((element) => element.checkVisibility() && !element.disabled && element.tabIndex >= 0)"""

# Tab continues from the last focused element, even after that element has lost the focus.
FROM_THE_START = """() => {
  const root = document.documentElement;
  root.tabIndex = -1;
  root.focus({preventScroll: true});
  root.removeAttribute("tabindex");
}"""

FOCUSED = """(all) => {
  const focused = document.activeElement;
  const style = getComputedStyle(focused);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return {
    index: all.indexOf(focused), isSeen: ring || style.boxShadow !== "none",
    // Tab reaches only one radio button of a group.
    group: focused.type === "radio" ? focused.name : null, html: focused.outerHTML.slice(0, 120)};
}"""


def faults(page):
    """The faults of the page; an empty list if there are none."""
    return page.evaluate(MEASURE) + focus_faults(page)


def focus_faults(page):
    """Checks that Tab reaches every control in the order of the page, and that the focus is visible."""
    controls = page.evaluate_handle(FOCUSABLE)
    groups = page.evaluate(
        "(all) => all.map((one) => one.type === 'radio' ? one.name : null)", controls)
    found = []
    last = -1
    reached = set()
    page.evaluate(FROM_THE_START)
    for _ in groups:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED, controls)
        if focused["index"] < 0:
            break
        if focused["index"] in reached:
            break
        if focused["index"] < last:
            found.append(f"focus goes back to {focused['html']}")
        if not focused["isSeen"]:
            found.append(f"focus isn't seen on {focused['html']}")
        last = focused["index"]
        reached.add(last)
    groups_reached = {groups[index] for index in reached if groups[index]}
    for index, group in enumerate(groups):
        if index not in reached and (group is None or group not in groups_reached):
            found.append(f"Tab doesn't reach control {index + 1} of {len(groups)}")
    return found


def check(page):
    wrong = faults(page)
    assert not wrong, f"{page.url}: " + "; ".join(wrong)
