// Starts the console: who uses it, what is around the pages, and which page the address names.

import { api, begin, enter, mayServer, mode, pages, project, role, session } from "./console-api.js";
import { ask } from "./console-part.js";
import { loadSession, signInPage, signOut } from "./console-session.js";
import { language, languages, setLanguage, texts } from "./console-texts.js";
import { badge, button, complain, element, heading, link, select } from "./console-ui.js";

const t = texts({
  en: {
    console: "Console", skip: "Skip to the page", menu: "Menu", project: "Project", language: "Language", pages: "Pages", signOut: "Sign out",
    development: "Development", developmentHint: "Started with --dev: everyone on this machine is an owner.",
    overview: "Overview", users: "Users", methods: "Sign-in methods", apps: "Apps & keys", mail: "Mail", policies: "Policies",
    hooks: "Hooks & functions", events: "Events", tools: "Tools", settings: "Server settings", start: "First steps",
    loading: "Loading …",
    unknown: "There is no such page", unknownText: "The address may be mistyped.", toOverview: "To the overview",
    failed: "The page could not be loaded", again: "Try again",
    leave: "Leave without saving?", leaveText: "What you changed on this page is not saved.", leaveButton: "Leave",
    noServer: "The server does not answer", noServerText: "Check that it is running, then load this page again.",
  },
  de: {
    console: "Konsole", skip: "Zur Seite springen", menu: "Menü", project: "Projekt", language: "Sprache", pages: "Seiten", signOut: "Abmelden",
    development: "Entwicklung", developmentHint: "Mit --dev gestartet: Jeder auf diesem Rechner ist Owner.",
    overview: "Übersicht", users: "Benutzer", methods: "Anmeldeverfahren", apps: "Apps & Schlüssel", mail: "E-Mail", policies: "Richtlinien",
    hooks: "Hooks & Funktionen", events: "Ereignisse", tools: "Werkzeuge", settings: "Servereinstellungen", start: "Erste Schritte",
    loading: "Wird geladen …",
    unknown: "Diese Seite gibt es nicht", unknownText: "Vielleicht enthält die Adresse einen Tippfehler.", toOverview: "Zur Übersicht",
    failed: "Die Seite konnte nicht geladen werden", again: "Noch einmal versuchen",
    leave: "Ohne Speichern verlassen?", leaveText: "Die Änderungen auf dieser Seite sind nicht gespeichert.", leaveButton: "Verlassen",
    noServer: "Der Server antwortet nicht", noServerText: "Prüfen Sie, ob er läuft, und laden Sie diese Seite neu.",
  },
  vi: {
    console: "Bảng điều khiển", skip: "Đến nội dung trang", menu: "Menu", project: "Dự án", language: "Ngôn ngữ", pages: "Các trang", signOut: "Đăng xuất",
    development: "Phát triển", developmentHint: "Khởi động với --dev: mọi người trên máy này đều là owner.",
    overview: "Tổng quan", users: "Người dùng", methods: "Cách đăng nhập", apps: "Ứng dụng & khóa", mail: "Email", policies: "Chính sách",
    hooks: "Hook & hàm", events: "Sự kiện", tools: "Công cụ", settings: "Cài đặt máy chủ", start: "Những bước đầu",
    loading: "Đang tải …",
    unknown: "Không có trang này", unknownText: "Có thể địa chỉ bị gõ sai.", toOverview: "Về trang tổng quan",
    failed: "Không tải được trang", again: "Thử lại",
    leave: "Rời đi mà không lưu?", leaveText: "Những thay đổi trên trang này chưa được lưu.", leaveButton: "Rời đi",
    noServer: "Máy chủ không trả lời", noServerText: "Hãy kiểm tra máy chủ đang chạy rồi tải lại trang này.",
  },
});

const PROJECT_PAGES = ["overview", "users", "methods", "apps", "mail", "policies", "hooks", "events", "tools"];
const KNOWN = { project: [...PROJECT_PAGES, "start"], server: ["settings", "start", "events", "me"] };
const LAST_PROJECT = "gatehouse-console-project";

let projects = [];

async function start() {
  let found;
  try {
    found = await loadSession();
  } catch {
    return bare((main) => main.append(heading(t("noServer"), { text: t("noServerText") })));
  }
  begin(found, () => bare(signInPage));
  // An invitation that is opened in this tab changes only what is behind the #.
  window.addEventListener("hashchange", (event) => (document.getElementById("side") ? leave(event) : bare(signInPage)));
  if (found.mode === "signedOut") return bare(signInPage);
  await loadProjects().catch(() => {});
  draw();
  await go(true);
}

/** The projects that the reader may see; pages that add or delete one call this. */
export async function loadProjects() {
  projects = [];
  if (session().user?.project) {
    projects.push(await api.get(`/v2/projects/${session().user.project}`));
  } else {
    for await (const page of pages("/v2/projects", "projects")) projects.push(...page);
  }
}

/** A page alone, such as the one to sign in. */
function bare(render) {
  document.documentElement.lang = language();
  const main = element("main", { id: "main", class: "bare", tabindex: "-1" });
  document.body.replaceChildren(
    element("header", { class: "top" }, brand(), languageMenu(() => bare(render))), main, toasts());
  return render(main);
}

const brand = () => link([element("span", { class: "gate", "aria-hidden": "true" }), element("span", {}, "Gatehouse"), element("small", {}, t("console"))], "#/", { class: "brand" });
const toasts = () => element("div", { id: "toasts", role: "status", "aria-live": "polite" });

function languageMenu(changed) {
  const menu = select(Object.entries(languages), language(), { "aria-label": t("language"), class: "small" });
  menu.addEventListener("change", () => { setLanguage(menu.value); changed(); });
  return menu;
}

/** What is around the pages. */
function draw() {
  document.documentElement.lang = language();
  const toggle = element("button", {
    type: "button", class: "menu", "aria-expanded": "false", "aria-controls": "side", onclick: () => fold(toggle.getAttribute("aria-expanded") === "true"),
  }, t("menu"));
  const skip = element("a", {
    class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); document.querySelector("main").focus(); },
  }, t("skip"));
  document.body.replaceChildren(skip,
    element("header", { class: "top" }, brand(), toggle,
      element("div", { class: "who" }, languageMenu(() => { draw(); go(); }), who())),
    element("div", { class: "frame" },
      element("nav", { id: "side", "aria-label": t("pages") }),
      element("main", { id: "main", tabindex: "-1" })),
    toasts());
}

function who() {
  if (mode() === "development") return element("span", { title: t("developmentHint") }, badge(t("development"), "warn"));
  const { uid } = session().user;
  return [element("span", { class: "name" }, link(uid, "#/server/me"), element("small", {}, role())), button(t("signOut"), signOut, { class: "small" })];
}

function fold(folds = true) {
  document.querySelector(".menu").setAttribute("aria-expanded", String(!folds));
  document.getElementById("side").classList.toggle("open", !folds);
}

function drawNavigation(route) {
  const item = (page, hash) => element("li", {}, link(t(page), hash, { "aria-current": route.page === page && "page" }));
  const current = project() || projects[0]?.projectId;
  const names = projects.map(({ projectId, displayName }) => [projectId, displayName || projectId]);
  if (!projects.some(({ projectId }) => projectId === current)) names.push([current]);
  const switcher = select(names, current, { "aria-label": t("project") });
  switcher.addEventListener("change", () => {
    location.hash = `#/${switcher.value}/${PROJECT_PAGES.includes(route.page) ? route.page : "overview"}`;
  });
  document.getElementById("side").replaceChildren(...[
    projects.length > 0 && switcher,
    current && element("ul", {}, PROJECT_PAGES.map((page) => item(page, `#/${current}/${page}`))),
    mayServer() && element("ul", { class: "server" }, item("settings", "#/server/settings")),
  ].filter(Boolean));
  fold();
}

function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [scope, page, ...parts] = path.split("/").map(decoded);
  return { scope, page, parts, query: new URLSearchParams(query) };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function home() {
  const last = localStorage.getItem(LAST_PROJECT);
  const chosen = projects.find(({ projectId }) => projectId === last) ?? projects[0];
  return chosen ? `#/${encodeURIComponent(chosen.projectId)}/overview` : "#/server/start";
}

/** Goes to another page; asks first if something isn't saved. */
function leave({ oldURL }) {
  const changed = document.querySelectorAll("main form[data-changed]");
  if (!changed.length) return go();
  const next = location.hash;
  history.replaceState(null, "", oldURL);
  return ask(t("leave"), element("p", {}, t("leaveText")), () => {
    changed.forEach((form) => delete form.dataset.changed);
    location.hash = next;
  }, t("leaveButton"));
}

/** Shows the page that the address names. */
async function go(isFirst = false) {
  // Nobody is signed in any more.
  if (!document.getElementById("side")) return;
  if (!read().scope) history.replaceState(null, "", home());
  const { scope, page = scope === "server" ? "settings" : "overview", ...rest } = read();
  // A project's id becomes a part of paths: one that no project can have must not reach others.
  const isProject = scope !== "server" && /^[A-Za-z0-9][\w-]*$/.test(scope);
  const isKnown = (isProject ? KNOWN.project : scope === "server" ? KNOWN.server : []).includes(page);
  const route = { page, ...rest };
  // What is left of the old page must not ask in the new project's name.
  document.querySelector("main").replaceChildren();
  enter(isProject ? scope : "");
  if (project()) localStorage.setItem(LAST_PROJECT, project());
  if (project() && !projects.some(({ projectId }) => projectId === project())) await loadProjects().catch(() => {});
  drawNavigation(route);

  const main = document.querySelector("main");
  const place = element("div", { class: "page" });
  const waiting = element("p", { class: "loading", role: "status" }, t("loading"));
  main.replaceChildren(waiting, place);
  document.querySelectorAll("dialog[open]").forEach((open) => open.close());
  try {
    await (isKnown ? show(place, route) : showUnknown(place));
  } catch (error) {
    if (!place.isConnected) return;
    if (!place.querySelector("h1")) place.append(heading(t("failed"), { actions: [button(t("again"), () => go())] }));
    complain(error);
  }
  waiting.remove();
  if (!place.isConnected) return;
  const title = place.querySelector("h1");
  document.title = `${title?.textContent ?? ""} · Gatehouse`;
  if (!isFirst && !main.contains(document.activeElement)) title?.focus();
  if (!isFirst) window.scrollTo(0, 0);
}

async function show(place, route) {
  const module = await import(`./console-${route.page}.js`);
  await module.render(place, route);
}

function showUnknown(place) {
  place.append(heading(t("unknown"), { text: t("unknownText") }), link(t("toOverview"), "#/"));
}

start();
