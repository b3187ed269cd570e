// The console's components. Texts become text nodes and never markup: the page's policy allows
// nothing else.

import { language, texts } from "./console-texts.js";

const t = texts({
  en: {
    more: "More", nothingYet: "Nothing found so far. There is more to search.", copy: "Copy", copied: "Copied.", cannotCopy: "Press Ctrl+C to copy.", cancel: "Cancel", close: "Close",
    type: "Type {word} to confirm", refused: "That did not work", dismiss: "Dismiss", never: "never",
    ok: "OK", warning: "Warning", failed: "Failed", save: "Save",
    "remedy.EMAIL_EXISTS": "Another user has this email address.",
    "remedy.PHONE_NUMBER_EXISTS": "Another user has this phone number.",
    "remedy.DUPLICATE_LOCAL_ID": "Another user has this ID.",
    "remedy.INVALID_EMAIL": "Check the email address.",
    "remedy.INVALID_PHONE_NUMBER": "Write the number with its country code, such as +49 170 1234567.",
    "remedy.FORBIDDEN_CLAIM": "This name is reserved. Choose another one.",
    "remedy.SERVER_UNREACHABLE": "The server does not answer. Check that it is running and that this machine reaches it, then try again.",
    "remedy.403": "Your role does not allow this. Ask an owner of this server.",
    "remedy.401": "Sign in again.",
    "remedy.404": "It does not exist, or someone else deleted it. Load the page again.",
    "remedy.429": "Too many requests at once. Wait a moment, then try again.",
    "remedy.500": "The server failed. The reason is in its log.",
    "remedy.503": "The server cannot do this at the moment. Wait a moment, then try again.",
    "remedy.script": "The console itself failed here. Load the page again; if it happens again, report it with this text.",
  },
  de: {
    more: "Mehr", nothingYet: "Bis jetzt nichts gefunden. Es gibt noch mehr zu durchsuchen.", copy: "Kopieren", copied: "Kopiert.", cannotCopy: "Drücken Sie Strg+C zum Kopieren.", cancel: "Abbrechen", close: "Schließen",
    type: "Geben Sie zur Bestätigung {word} ein", refused: "Das hat nicht geklappt", dismiss: "Ausblenden", never: "nie",
    ok: "In Ordnung", warning: "Warnung", failed: "Fehler", save: "Speichern",
    "remedy.EMAIL_EXISTS": "Ein anderer Benutzer hat diese E-Mail-Adresse.",
    "remedy.PHONE_NUMBER_EXISTS": "Ein anderer Benutzer hat diese Telefonnummer.",
    "remedy.DUPLICATE_LOCAL_ID": "Ein anderer Benutzer hat diese ID.",
    "remedy.INVALID_EMAIL": "Prüfen Sie die E-Mail-Adresse.",
    "remedy.INVALID_PHONE_NUMBER": "Geben Sie die Nummer mit Landesvorwahl an, etwa +49 170 1234567.",
    "remedy.FORBIDDEN_CLAIM": "Dieser Name ist reserviert. Wählen Sie einen anderen.",
    "remedy.SERVER_UNREACHABLE": "Der Server antwortet nicht. Prüfen Sie, ob er läuft und von hier erreichbar ist, und versuchen Sie es noch einmal.",
    "remedy.403": "Ihre Rolle erlaubt das nicht. Fragen Sie einen Owner dieses Servers.",
    "remedy.401": "Melden Sie sich noch einmal an.",
    "remedy.404": "Das gibt es nicht, oder jemand hat es gelöscht. Laden Sie die Seite neu.",
    "remedy.429": "Zu viele Anfragen auf einmal. Warten Sie einen Moment und versuchen Sie es noch einmal.",
    "remedy.500": "Im Server ist ein Fehler aufgetreten. Die Ursache steht in seinem Protokoll.",
    "remedy.503": "Der Server kann das gerade nicht. Warten Sie einen Moment und versuchen Sie es noch einmal.",
    "remedy.script": "In der Konsole selbst ist ein Fehler aufgetreten. Laden Sie die Seite neu; wenn es wieder geschieht, melden Sie es mit diesem Text.",
  },
  vi: {
    more: "Xem thêm", nothingYet: "Chưa tìm thấy gì. Vẫn còn phần chưa tìm.", copy: "Sao chép", copied: "Đã sao chép.", cannotCopy: "Nhấn Ctrl+C để sao chép.", cancel: "Hủy", close: "Đóng",
    type: "Nhập {word} để xác nhận", refused: "Không thực hiện được", dismiss: "Ẩn", never: "chưa bao giờ",
    ok: "Tốt", warning: "Cảnh báo", failed: "Lỗi", save: "Lưu",
    "remedy.EMAIL_EXISTS": "Một người dùng khác đang dùng địa chỉ email này.",
    "remedy.PHONE_NUMBER_EXISTS": "Một người dùng khác đang dùng số điện thoại này.",
    "remedy.DUPLICATE_LOCAL_ID": "Một người dùng khác có ID này.",
    "remedy.INVALID_EMAIL": "Hãy kiểm tra lại địa chỉ email.",
    "remedy.INVALID_PHONE_NUMBER": "Hãy ghi số kèm mã quốc gia, ví dụ +84 901 234 567.",
    "remedy.FORBIDDEN_CLAIM": "Tên này đã được dành riêng. Hãy chọn tên khác.",
    "remedy.SERVER_UNREACHABLE": "Máy chủ không trả lời. Hãy kiểm tra máy chủ đang chạy và truy cập được từ máy này, rồi thử lại.",
    "remedy.403": "Vai trò của bạn không cho phép việc này. Hãy hỏi một owner của máy chủ.",
    "remedy.401": "Hãy đăng nhập lại.",
    "remedy.404": "Mục này không tồn tại hoặc đã bị người khác xóa. Hãy tải lại trang.",
    "remedy.429": "Quá nhiều yêu cầu cùng lúc. Hãy chờ một lát rồi thử lại.",
    "remedy.500": "Máy chủ gặp lỗi. Nguyên nhân nằm trong nhật ký của máy chủ.",
    "remedy.503": "Hiện máy chủ chưa làm được việc này. Hãy chờ một lát rồi thử lại.",
    "remedy.script": "Chính bảng điều khiển gặp lỗi. Hãy tải lại trang; nếu lỗi lặp lại, hãy báo lại kèm nội dung này.",
  },
});

let lastID = 0;
const newID = () => `ui-${++lastID}`;

/** An element. Functions become listeners (`onclick`), `false` and `undefined` leave an attribute out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

/** A user's own text, whose direction doesn't change the text around it. */
export const bdi = (text) => element("bdi", {}, text);

/** A button, disabled while its action runs. What the action throws is shown. */
export function button(label, action, { kind = "plain", ...attributes } = {}) {
  const made = element("button", { type: "button", class: kind, ...attributes }, label);
  made.addEventListener("click", async () => {
    const hadFocus = document.activeElement === made;
    made.disabled = true;
    try {
      await action(made);
    } catch (error) {
      complain(error);
    } finally {
      made.disabled = false;
      if (hadFocus && document.activeElement === document.body) made.focus();
    }
  });
  return made;
}

export function link(label, hash, attributes = {}) { return element("a", { href: hash, ...attributes }, label); }

/** A link to another site, which opens there; as plain text if it isn't https. */
export function outside(label, url) {
  if (!/^https:\/\//i.test(url)) return element("span", {}, label);
  return element("a", { href: url, target: "_blank", rel: "noopener noreferrer", class: "outside" }, label);
}

export function buttons(...children) { return element("div", { class: "buttons" }, ...children); }

// Forms

export function input(attributes = {}) { return element("input", { type: "text", autocomplete: "off", ...attributes }); }

export function select(options, value, attributes = {}) {
  const made = element("select", attributes, options.map(([of, label]) => element("option", { value: of }, label ?? of)));
  if (value !== undefined) made.value = value;
  return made;
}

export function textarea({ value = "", ...attributes } = {}) {
  const made = element("textarea", { rows: 6, spellcheck: "false", ...attributes });
  made.value = value;
  return made;
}

/** A label around its box, which is its `.control`. */
export function checkbox(label, checked = false, attributes = {}) {
  const control = element("input", { type: "checkbox", ...attributes });
  control.checked = checked;
  // A label's `control` is the input in it.
  return element("label", { class: "check" }, control, element("span", {}, label));
}

/** A control with its label and a hint. A control of several elements names its input in `.control`. */
export function field(label, control, { hint } = {}) {
  const target = control.control ?? control;
  target.id ||= newID();
  const about = hint && element("small", { id: `${target.id}-hint` }, hint);
  if (about) target.setAttribute("aria-describedby", about.id);
  // A browser adds the title to its own words about a pattern.
  if (target.pattern && typeof hint === "string") target.title ||= hint;
  if (control.matches(".check")) return element("div", { class: "field" }, control, about);
  return element("div", { class: "field" }, element("label", { for: target.id }, label), control, about);
}

/**
 * A form that saves is marked while it has changes that aren't saved: leaving the page asks.
 *
 * @param onSubmit `(data: FormData, form) => …`. What it throws is shown in the form.
 * @param saves Whether the form marks itself.
 * @param others Buttons beside the primary one.
 */
export function form(children, onSubmit, { submit = t("save"), saves = submit === t("save"), kind = "primary", others = [] } = {}) {
  const problem = element("div", { class: "problem", role: "alert", tabindex: "-1", hidden: true });
  const send = element("button", { type: "submit", class: kind }, submit);
  const made = element("form", {}, children, problem, buttons(send, others));
  if (saves) made.addEventListener("input", () => { made.dataset.changed = ""; });
  // A browser says what is wrong only at a field that it can show.
  made.addEventListener("invalid", ({ target }) => {
    for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
  }, true);
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.disabled) return;
    const hadChanges = "changed" in made.dataset;
    delete made.dataset.changed;
    send.disabled = true;
    problem.hidden = true;
    try {
      await onSubmit(new FormData(made), made);
    } catch (error) {
      if (hadChanges) made.dataset.changed = "";
      problem.replaceChildren(...explanation(error));
      problem.hidden = false;
      problem.focus();
    } finally {
      send.disabled = false;
    }
  });
  return made;
}

// Lists

/**
 * A table, whose rows are cards on a narrow screen. `add(rows)` appends; without `rows` the table
 * says nothing about being empty before the first `add`.
 *
 * @param columns `{title, cell: (row) => node | string, wide}`
 */
export function table({ columns, rows, empty, onRow, caption }) {
  const body = element("tbody");
  const grid = element("table", {},
    caption && element("caption", { class: "hidden" }, caption),
    element("thead", {}, element("tr", {}, columns.map(({ title, wide }) => element("th", { scope: "col", class: wide && "wide" }, title)))),
    body);
  const made = element("div", { class: "table" }, grid);
  made.add = (added) => {
    body.append(...added.map((row) => line(row, columns, onRow)));
    const isEmpty = !body.hasChildNodes() && empty;
    made.replaceChildren(isEmpty ? empty : grid);
  };
  made.clear = () => body.replaceChildren();
  if (rows) made.add(rows);
  return made;
}

function line(row, columns, onRow) {
  const cells = columns.map(({ title, cell, wide }) => {
    const content = cell(row);
    // On a narrow screen a cell has two columns: the label and one thing.
    return element("td", { "data-label": title, class: wide && "wide" }, Array.isArray(content) ? element("div", {}, content) : content);
  });
  const made = element("tr", {}, cells);
  if (!onRow) return made;
  made.classList.add("pressable");
  made.addEventListener("click", (event) => {
    if (!event.target.closest("a, button, input, select, label, summary") && !getSelection().toString()) onRow(row);
  });
  if (!cells[0].querySelector("a, button")) {
    const opener = element("button", { type: "button", class: "text", onclick: () => onRow(row) }, ...cells[0].childNodes);
    cells[0].replaceChildren(opener);
  }
  return made;
}

/**
 * Loads the first page at once and offers the next ones.
 *
 * @param load `async (token) => ({rows, next})`
 * @param into A table that gets the rows; without it, `load` shows them itself.
 */
export function pager(load, into) {
  let token;
  const next = async (pressed) => {
    let page;
    // A page of a search may be empty and not the last one.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      page = await load(token);
      token = page.next;
      if (page.rows.length || !token) break;
    }
    more.hidden = !token;
    nothing.hidden = !token || page.rows.length > 0;
    if (page.rows.length || !token) into?.add(page.rows);
    // The button that had the focus is gone.
    if (pressed && !token) into?.querySelector("tbody tr:last-child :is(a, button)")?.focus();
  };
  const nothing = element("p", { role: "status", hidden: true }, t("nothingYet"));
  const more = button(t("more"), next, { hidden: true });
  const made = element("div", { class: "pager" }, nothing, more);
  made.ready = next().catch(complain);
  return made;
}

// Dialogs

/** A modal dialog, removed when it closes. `closed` is a promise. */
export function dialog(title, ...content) {
  const id = newID();
  const shown = element("dialog", { "aria-labelledby": id },
    element("div", { class: "dialog-top" },
      element("h2", { id }, title),
      element("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => shown.close() }, "×")),
    content);
  const closed = new Promise((resolve) => {
    shown.addEventListener("close", () => {
      if (shown.contains(reports)) ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(reports);
      shown.remove();
      resolve();
    });
  });
  document.body.append(shown);
  shown.showModal();
  // What is outside a modal dialog is neither above it nor announced.
  const reports = document.getElementById("toasts");
  shown.append(reports);
  const first = shown.querySelector("form :is(input, select, textarea):not([type=hidden])");
  first?.focus();
  return { element: shown, closed, close: () => shown.close() };
}

/** Asks before something happens. @param typed The word that the reader has to type. */
export function confirm({ title, text, action, kind = "primary", typed }) {
  return new Promise((resolve) => {
    let answer = false;
    const word = typed && input({ required: true, pattern: escaped(typed), title: typed, spellcheck: "false", autocapitalize: "off" });
    const asked = dialog(title, element("div", { class: "stack" },
      [text].flat().map((one) => (one instanceof Node ? one : element("p", {}, one))),
      form([word && field(t("type", { word: typed }), word)], () => { answer = true; asked.close(); }, {
        submit: action, kind, others: [button(t("cancel"), () => asked.close())],
      })));
    asked.closed.then(() => resolve(answer));
    if (!word) asked.element.querySelector("form button:last-of-type").focus();
  });
}

// The expression of a `pattern` is in the mode v, which refuses an escaped hyphen.
const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// Reports

export function toast(text) {
  const shown = element("p", {}, text);
  document.getElementById("toasts").replaceChildren(shown);
  setTimeout(() => shown.remove(), 6000);
}

function explanation(error) {
  const remedy = [error.code, `${error.status}`].map((name) => `remedy.${name}`).find(t.has)
    // A plain error is a page's own sentence about the input; any other kind is a mistake in a script.
    ?? (error.name === "Error" ? undefined : "remedy.script");
  return [
    element("strong", {}, t("refused")),
    (error.detail || !error.code) && element("p", {}, bdi(error.detail || error.message)),
    error.code && element("p", {}, element("code", {}, error.code)),
    remedy && element("p", {}, t(remedy)),
  ].filter(Boolean);
}

/** Shows an error above the page, or in the dialog that is open. */
export function complain(error) {
  if (error.name !== "Error") console.error(error);
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector("main");
  place.querySelector(":scope > .problem")?.remove();
  const shown = element("div", { class: "problem", role: "alert", tabindex: "-1" }, explanation(error),
    buttons(element("button", { type: "button", onclick: () => shown.remove() }, t("dismiss"))));
  if (place.matches("dialog")) place.append(shown);
  else place.prepend(shown);
  shown.focus();
}

/** What the server checked: `[{check, verdict, detail, remedy}]`. */
export function findings(list) {
  const marks = { ok: "✓", warning: "!", failed: "×" };
  return element("ul", { class: "findings" }, list.map(({ check, verdict, detail, remedy }) => element("li", { class: verdict },
    element("span", { class: "mark", role: "img", "aria-label": t(verdict) }, marks[verdict] ?? "?"),
    element("div", {}, element("strong", {}, check), element("p", {}, detail), remedy && element("p", { class: "remedy" }, remedy)))));
}

export function badge(text, kind = "quiet") { return element("span", { class: `badge ${kind}` }, text); }

// Texts

export function copyable(value) {
  const shown = element("code", {}, value);
  return element("span", { class: "copyable" }, shown, copyButton(value, shown));
}

function copyButton(value, shown) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toast(t("copied"));
    } catch {
      getSelection().selectAllChildren(shown);
      toast(t("cannotCopy"));
    }
  };
  return button(t("copy"), copy, { class: "small", "aria-label": `${t("copy")}: ${value.slice(0, 60)}` });
}

/** Some lines of code, with a button that copies them. */
export function snippet(code) {
  const shown = element("pre", { tabindex: "0" }, code);
  return element("div", { class: "snippet" }, shown, copyButton(code, shown));
}

export function facts(pairs) {
  return element("dl", {}, pairs.filter(Boolean).map(([label, value]) => [element("dt", {}, label), element("dd", {}, value ?? "–")]));
}

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** A time, as RFC 3339 or in milliseconds (also as digits), in words; the title has it exactly. */
export function time(value) {
  if (value === undefined || value === null || value === "") return element("span", { class: "quiet" }, t("never"));
  const at = new Date(/^\d+$/.test(value) ? Number(value) : value);
  const seconds = (at - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  const isNear = Math.abs(seconds) < 7 * 86400;
  const words = isNear
    ? new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(Math.round(seconds / length), unit)
    : at.toLocaleDateString(language(), { dateStyle: "medium" });
  const exact = at.toLocaleString(language(), { dateStyle: "full", timeStyle: "long" });
  return element("time", { datetime: at.toISOString(), title: exact }, words);
}

// Structure

/** The page's one h1, with what explains it and its actions. */
export function heading(title, { text, actions = [] } = {}) {
  return element("header", { class: "heading" },
    element("div", {}, element("h1", { tabindex: "-1" }, title), text && element("p", { class: "lead" }, text)),
    actions.length > 0 && buttons(actions));
}

export function section(title, ...children) {
  const id = newID();
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), children);
}

export function card(...children) { return element("div", { class: "card" }, ...children); }

export function details(summary, ...children) { return element("details", {}, element("summary", {}, summary), children); }

export function emptyState(title, text, action) {
  return element("div", { class: "empty" }, element("strong", {}, title), text && element("p", {}, text), action && buttons(action));
}

/**
 * Tabs, of which the address keeps the chosen one.
 *
 * @param list `{id, label, render: (panel) => …}`; rendered when it is first shown.
 */
export function tabs(list, { name = "tab" } = {}) {
  const prefix = newID();
  const [path, query] = location.hash.split("?");
  const asked = new URLSearchParams(query).get(name);
  const heads = list.map(({ id, label }) => element("button", {
    type: "button", role: "tab", id: `${prefix}-${id}`, "aria-controls": `${prefix}-${id}-panel`, onclick: () => show(id),
  }, label));
  const panels = list.map(({ id }) => element("div", {
    role: "tabpanel", id: `${prefix}-${id}-panel`, "aria-labelledby": `${prefix}-${id}`, hidden: true,
  }));
  const show = (id, keeps = true) => {
    list.forEach((tab, at) => {
      const isShown = tab.id === id;
      heads[at].setAttribute("aria-selected", String(isShown));
      heads[at].tabIndex = isShown ? 0 : -1;
      panels[at].hidden = !isShown;
      // A strip wider than the screen scrolls.
      if (isShown) requestAnimationFrame(() => heads[at].scrollIntoView({ block: "nearest", inline: "nearest" }));
      if (!isShown || panels[at].dataset.shown) return;
      panels[at].dataset.shown = "yes";
      Promise.resolve().then(() => tab.render(panels[at])).catch(complain);
    });
    if (!keeps) return;
    const all = new URLSearchParams(location.hash.split("?")[1]);
    all.set(name, id);
    history.replaceState(null, "", `${path}?${all}`);
  };
  const strip = element("div", {
    role: "tablist",
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const at = (heads.indexOf(document.activeElement) + step + heads.length) % heads.length;
      heads[at].focus();
      show(list[at].id);
    },
  }, heads);
  show(list.some(({ id }) => id === asked) ? asked : list[0].id, false);
  return element("div", { class: "tabs" }, strip, panels);
}

/** Offers a file to save. */
export function download(name, content, type = "application/json") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
