// Signs of life of a project, and the state of the server.

import { api, mayServer, project } from "./console-api.js";
import { accounts, methodName, userPage } from "./console-account.js";
import { actor, subject } from "./console-part.js";
import { plot, seriesOf } from "./console-plot.js";
import { texts } from "./console-texts.js";
import { badge, bdi, button, card, details, element, emptyState, facts, findings, heading, link, section, table, time } from "./console-ui.js";

const t = texts({
  en: {
    title: "Overview", empty: "This project is new", emptyText: "Four steps lead to the first user who signs in.", steps: "First steps",
    users: "Users", signUps: "Sign-ups", signIns: "Sign-ins of existing users", failures: "Failed sign-ins", inDays: "in {count} days",
    events: "Latest events", allEvents: "All events", noEvents: "No events yet", when: "Time", what: "Event", who: "By", user: "User",
    checks: "Checks of the server", healthy: "Everything is in order.", passed: "{count} checks passed", "passed.one": "One check passed", again: "Check again", checking: "Checking …",
    server: "Server", version: "Version", mode: "Mode", development: "development", production: "production", url: "Address",
    keys: "Signing keys", use: "For", algorithm: "Algorithm", state: "State", since: "Signs since", key: "Key ID",
    idTokens: "ID tokens", sessionCookies: "session cookies", eventLog: "the event log", next: "next", active: "active", retired: "retired",
  },
  de: {
    title: "Übersicht", empty: "Dieses Projekt ist neu", emptyText: "Vier Schritte führen zum ersten Benutzer, der sich anmeldet.", steps: "Erste Schritte",
    users: "Benutzer", signUps: "Registrierungen", signIns: "Anmeldungen vorhandener Benutzer", failures: "Fehlgeschlagene Anmeldungen", inDays: "in {count} Tagen",
    events: "Letzte Ereignisse", allEvents: "Alle Ereignisse", noEvents: "Noch keine Ereignisse", when: "Zeit", what: "Ereignis", who: "Durch", user: "Benutzer",
    checks: "Prüfung des Servers", healthy: "Alles ist in Ordnung.", passed: "{count} Prüfungen bestanden", "passed.one": "Eine Prüfung bestanden", again: "Noch einmal prüfen", checking: "Wird geprüft …",
    server: "Server", version: "Version", mode: "Betriebsart", development: "Entwicklung", production: "Produktion", url: "Adresse",
    keys: "Signaturschlüssel", use: "Für", algorithm: "Algorithmus", state: "Zustand", since: "Signiert seit", key: "Schlüssel-ID",
    idTokens: "ID-Tokens", sessionCookies: "Sitzungs-Cookies", eventLog: "das Ereignisprotokoll", next: "als nächster", active: "aktiv", retired: "abgelöst",
  },
  vi: {
    title: "Tổng quan", empty: "Đây là dự án mới", emptyText: "Chỉ bốn bước là có người dùng đầu tiên đăng nhập.", steps: "Những bước đầu",
    users: "Người dùng", signUps: "Lượt đăng ký", signIns: "Lượt đăng nhập của người dùng đã có", failures: "Đăng nhập thất bại", inDays: "trong {count} ngày",
    events: "Sự kiện mới nhất", allEvents: "Mọi sự kiện", noEvents: "Chưa có sự kiện", when: "Thời gian", what: "Sự kiện", who: "Bởi", user: "Người dùng",
    checks: "Kiểm tra máy chủ", healthy: "Mọi thứ đều ổn.", passed: "{count} mục kiểm tra đạt", again: "Kiểm tra lại", checking: "Đang kiểm tra …",
    server: "Máy chủ", version: "Phiên bản", mode: "Chế độ", development: "phát triển", production: "sản xuất", url: "Địa chỉ",
    keys: "Khóa ký", use: "Dùng cho", algorithm: "Thuật toán", state: "Trạng thái", since: "Ký từ", key: "ID khóa",
    idTokens: "ID token", sessionCookies: "cookie phiên", eventLog: "nhật ký sự kiện", next: "kế tiếp", active: "đang dùng", retired: "đã thay thế",
  },
});

const DAYS = 30;
const MEASURES = ["signUps", "signIns", "failures"];

export async function render(main) {
  const [{ recordsCount }, statistics, events] = await Promise.all([
    api.post(accounts(":query"), { returnUserInfo: false }),
    api.get(`/v2/projects/${project()}/statistics`, { days: DAYS }),
    api.get(`/v2/projects/${project()}/events`, { pageSize: 8 }),
  ]);
  const count = Number(recordsCount);
  main.append(heading(t("title")));
  if (count === 0) {
    main.append(emptyState(t("empty"), t("emptyText"), link(t("steps"), `#/${project()}/start`, { class: "button primary" })));
  }
  const days = everyDay(statistics.days);
  main.append(numbers(count, days), plots(days), latest(events.events));
  if (mayServer()) main.append(...server());
}

/** The answer leaves out days on which nothing happened. */
function everyDay(counted) {
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, at) => {
    const date = new Date(today - (DAYS - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return counted.find((day) => day.date === date) ?? { date };
  });
}

const total = (days, measure) => days.flatMap((day) => Object.values(day[measure] ?? {})).reduce((sum, one) => sum + one, 0);

function numbers(count, days) {
  const number = (label, value, hint) => element("div", {}, element("dt", {}, label), element("dd", {}, value.toLocaleString(document.documentElement.lang), hint && element("small", {}, hint)));
  return element("dl", { class: "numbers card" }, number(t("users"), count),
    MEASURES.map((measure) => number(t(measure), total(days, measure), t("inDays", { count: DAYS }))));
}

function plots(days) {
  const providers = seriesOf(days, MEASURES);
  const shown = MEASURES.filter((measure) => total(days, measure) > 0);
  return element("div", { class: "columns plots" }, shown.map((measure) => section(t(measure), card(plot(days, measure, providers, t(measure), methodName)))));
}

function latest(events) {
  const made = section(t("events"), table({
    caption: t("events"),
    columns: [
      { title: t("when"), cell: ({ time: at }) => time(at) },
      { title: t("what"), cell: ({ kind, details: all }) => [element("code", { class: "kind" }, kind), " ", all.what && bdi(`${subject(all.what)} ${all.name ?? ""}`)] },
      { title: t("who"), cell: (event) => actor(event.actor) },
      { title: t("user"), cell: ({ uid }) => uid && link(element("code", {}, bdi(uid)), userPage(uid)), wide: true },
    ],
    rows: events,
    empty: emptyState(t("noEvents")),
  }));
  if (events.length) made.append(element("p", {}, link(t("allEvents"), `#/${project()}/events`)));
  return made;
}

// The server

function server() {
  const checks = element("div", { class: "stack" }, element("p", { class: "quiet", role: "status" }, t("checking")));
  const about = element("div", { class: "stack" });
  const run = async (isFresh) => checks.replaceChildren(...report(await doctor(isFresh), () => run(true)));
  const parts = [section(t("checks"), card(checks)), section(t("server"), about)];
  run(false).catch(() => parts[0].remove());
  aboutServer(about).catch(() => parts[1].remove());
  return parts;
}

let lastCheck;

/** The doctor asks providers and the mail server too: once for some minutes is enough. */
async function doctor(isFresh) {
  if (isFresh || !lastCheck || Date.now() - lastCheck.at > 600_000) {
    lastCheck = { at: Date.now(), answer: await api.post("/v2/server/doctor") };
  }
  return lastCheck.answer;
}

function report({ findings: all }, again) {
  const wrong = all.filter(({ verdict }) => verdict !== "ok").sort((one) => (one.verdict === "failed" ? -1 : 1));
  const passed = all.filter(({ verdict }) => verdict === "ok");
  return [
    wrong.length ? findings(wrong) : element("p", {}, t("healthy")),
    details(t("passed", { count: passed.length }), findings(passed)),
    element("p", { class: "line" }, button(t("again"), again, { class: "small" }), element("small", {}, time(lastCheck.at))),
  ];
}

async function aboutServer(place) {
  const [about, { keys }] = await Promise.all([api.get("/v2/server/version"), api.get("/v2/server/signingKeys")]);
  place.append(
    card(facts([
      [t("version"), about.version],
      [t("mode"), t.has(about.mode) ? t(about.mode) : about.mode],
      [t("url"), element("code", {}, about.publicUrl)],
    ])),
    element("h3", {}, t("keys")),
    table({
      caption: t("keys"),
      columns: [
        { title: t("use"), cell: ({ use }) => (t.has(use) ? t(use) : use) },
        { title: t("algorithm"), cell: ({ algorithm }) => algorithm },
        { title: t("state"), cell: ({ state }) => badge(t.has(state) ? t(state) : state, state === "active" ? "good" : "quiet") },
        { title: t("since"), cell: ({ signsFrom, publishTime }) => time(signsFrom ?? publishTime) },
        { title: t("key"), cell: ({ keyId }) => element("code", {}, keyId), wide: true },
      ],
      rows: keys,
    }));
}
