// An email's HTML, shown without a frame: the page's policy allows neither markup from text nor styles in
// it. The browser's own parser removes scripts, and what is shown is copied from a list of what an email needs.

import { t } from "./console-mail-texts.js";
import { element } from "./console-ui.js";

const TAGS = new Set(
  ("A ABBR B BLOCKQUOTE BR CENTER CODE DIV EM FONT H1 H2 H3 H4 H5 H6 HR I IMG LI OL P PRE S SMALL SPAN STRONG SUB SUP "
    + "TABLE TBODY TD TFOOT TH THEAD TR U UL").split(" "));
const ATTRIBUTES = ["class", "dir", "lang", "alt", "align", "valign", "width", "height", "bgcolor", "cellpadding", "cellspacing", "border", "colspan", "rowspan"];

/** Undefined if the browser has no parser that is safe by itself. */
export function shownHTML(html) {
  if (!Document.parseHTML) return undefined;
  const sheets = [];
  // The policy reports each inline style and handler of what is parsed. Styles are set by script afterwards.
  const unstyled = html
    .replace(/<style\b[^>]*>([^]*?)<\/style>/gi, (_, rules) => { sheets.push(rules); return ""; })
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\s(style|on\w+)\s*=/gi, " data-$1="));
  const parsed = Document.parseHTML(unstyled, { sanitizer: {} });
  const body = element("div", { inert: true });
  describe(parsed.body, body);
  copy(parsed.body, body);
  // The email's rules reach its host (`:host`), but not the frame around, which keeps it in its place.
  const host = element("div");
  const shadow = host.attachShadow({ mode: "closed" });
  shadow.adoptedStyleSheets = sheets.map((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    return sheet;
  });
  shadow.append(body);
  return element("div", { class: "mail-frame", role: "region", "aria-label": t("preview"), tabindex: "0" }, host);
}

function copy(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.has(node.tagName)) continue;
    const made = document.createElement(node.tagName);
    describe(node, made);
    copy(node, made);
    to.append(made);
  }
}

function describe(from, to) {
  for (const name of ATTRIBUTES) if (from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name));
  // A link looks like one, and leads nowhere.
  if (from.tagName === "A") to.setAttribute("href", "#");
  const source = from.tagName === "IMG" && from.getAttribute("src");
  if (source && /^(https:|data:image\/)/i.test(source)) to.src = source;
  to.style.cssText = from.getAttribute("data-style") ?? "";
}
