// The users: search, filters, columns, and the form for a new one.

import { api, may, project } from "./console-api.js";
import { METHODS, accounts, methodBadges, methodName, nameOf, stateBadges, userPage } from "./console-account.js";
import { texts } from "./console-texts.js";
import {
  bdi, button, checkbox, details, dialog, element, emptyState, field, form, heading, input, link, pager, select, table, time, toast,
} from "./console-ui.js";

const t = texts({
  en: {
    title: "Users", count: "{count} users", "count.one": "One user", create: "Create a user", import: "Import", export: "Export",
    search: "Search", searchFor: "Name, email, phone number or ID", hint: "The beginning of a word is enough. Several words must all be found.",
    filters: "Filters", filtersOn: "Filters: {count} on", reset: "Reset", columns: "Columns", any: "Any", yes: "Yes", no: "No",
    provider: "Signs in with", disabled: "Disabled", verified: "Email verified", factor: "Second factor", deletion: "Deletion scheduled",
    createdAfter: "Created from", createdBefore: "Created until", signedInAfter: "Last sign-in from", signedInBefore: "Last sign-in until",
    claim: "Custom claim", claimValue: "has the value", claimHint: "A word, a number, true or false; a number as text in \"quotes\".",
    user: "User", id: "ID", methods: "Signs in with", state: "State", created: "Created", signedIn: "Last sign-in", phone: "Phone number", language: "Language", claims: "Claims",
    none: "No user matches", noneText: "Use fewer words or filters.",
    empty: "This project has no users", emptyText: "Create one here, import them from another system, or let the first one sign in from your app.", steps: "First steps",
    email: "Email", password: "Password", passwordHint: "Empty: the user has no password yet.", name: "Display name", isVerified: "The email address is verified",
    more: "More", uid: "User ID", uidHint: "Empty: the server chooses one.", submit: "Create", made: "The user was created.",
  },
  de: {
    title: "Benutzer", count: "{count} Benutzer", "count.one": "Ein Benutzer", create: "Benutzer anlegen", import: "Importieren", export: "Exportieren",
    search: "Suchen", searchFor: "Name, E-Mail, Telefonnummer oder ID", hint: "Der Anfang eines Wortes genügt. Mehrere Wörter müssen alle vorkommen.",
    filters: "Filter", filtersOn: "Filter: {count} aktiv", reset: "Zurücksetzen", columns: "Spalten", any: "Egal", yes: "Ja", no: "Nein",
    provider: "Meldet sich an mit", disabled: "Gesperrt", verified: "E-Mail bestätigt", factor: "Zweiter Faktor", deletion: "Löschung geplant",
    createdAfter: "Angelegt ab", createdBefore: "Angelegt bis", signedInAfter: "Letzte Anmeldung ab", signedInBefore: "Letzte Anmeldung bis",
    claim: "Custom Claim", claimValue: "hat den Wert", claimHint: "Ein Wort, eine Zahl, true oder false; eine Zahl als Text in \"Anführungszeichen\".",
    user: "Benutzer", id: "ID", methods: "Meldet sich an mit", state: "Zustand", created: "Angelegt", signedIn: "Letzte Anmeldung", phone: "Telefonnummer", language: "Sprache", claims: "Claims",
    none: "Kein Benutzer passt", noneText: "Verwenden Sie weniger Wörter oder Filter.",
    empty: "Dieses Projekt hat keine Benutzer", emptyText: "Legen Sie hier einen an, importieren Sie sie aus einem anderen System, oder lassen Sie den ersten sich in Ihrer App anmelden.", steps: "Erste Schritte",
    email: "E-Mail", password: "Passwort", passwordHint: "Leer: Der Benutzer hat noch kein Passwort.", name: "Anzeigename", isVerified: "Die E-Mail-Adresse ist bestätigt",
    more: "Weitere Angaben", uid: "Benutzer-ID", uidHint: "Leer: Der Server wählt eine.", submit: "Anlegen", made: "Der Benutzer wurde angelegt.",
  },
  vi: {
    title: "Người dùng", count: "{count} người dùng", create: "Tạo người dùng", import: "Nhập", export: "Xuất",
    search: "Tìm", searchFor: "Tên, email, số điện thoại hoặc ID", hint: "Chỉ cần phần đầu của một từ. Nếu có nhiều từ thì phải tìm thấy tất cả.",
    filters: "Bộ lọc", filtersOn: "Bộ lọc: đang bật {count}", reset: "Đặt lại", columns: "Cột", any: "Bất kỳ", yes: "Có", no: "Không",
    provider: "Đăng nhập bằng", disabled: "Đã khóa", verified: "Email đã xác minh", factor: "Yếu tố thứ hai", deletion: "Đã lên lịch xóa",
    createdAfter: "Tạo từ ngày", createdBefore: "Tạo đến ngày", signedInAfter: "Đăng nhập gần nhất từ ngày", signedInBefore: "Đăng nhập gần nhất đến ngày",
    claim: "Custom claim", claimValue: "có giá trị", claimHint: "Một từ, một số, true hoặc false; số ở dạng văn bản thì đặt trong \"ngoặc kép\".",
    user: "Người dùng", id: "ID", methods: "Đăng nhập bằng", state: "Trạng thái", created: "Ngày tạo", signedIn: "Đăng nhập gần nhất", phone: "Số điện thoại", language: "Ngôn ngữ", claims: "Claims",
    none: "Không có người dùng phù hợp", noneText: "Hãy dùng ít từ hoặc ít bộ lọc hơn.",
    empty: "Dự án này chưa có người dùng", emptyText: "Hãy tạo ở đây, nhập từ hệ thống khác, hoặc để người đầu tiên đăng nhập từ ứng dụng của bạn.", steps: "Những bước đầu",
    email: "Email", password: "Mật khẩu", passwordHint: "Để trống: người dùng chưa có mật khẩu.", name: "Tên hiển thị", isVerified: "Địa chỉ email đã được xác minh",
    more: "Thông tin khác", uid: "ID người dùng", uidHint: "Để trống: máy chủ tự chọn.", submit: "Tạo", made: "Đã tạo người dùng.",
  },
});

const COLUMNS = {
  user: (user) => [
    link(bdi(nameOf(user)), userPage(user.localId)),
    user.email && user.email !== nameOf(user) && element("small", { class: "below" }, bdi(user.email)),
  ],
  state: stateBadges,
  methods: methodBadges,
  created: (user) => time(user.createdAt),
  signedIn: (user) => time(user.lastLoginAt),
  phone: (user) => user.phoneNumber ?? "",
  language: (user) => user.language ?? "",
  claims: (user) => (user.customAttributes && user.customAttributes !== "{}" ? element("code", {}, bdi(user.customAttributes)) : ""),
  id: (user) => element("code", {}, bdi(user.localId)),
};
const KEY = "gatehouse-console-user-columns";
const DEFAULT_COLUMNS = ["user", "state", "methods", "created", "signedIn"];

const FLAGS = { disabled: "disabled", verified: "emailVerified", factor: "hasSecondFactor", deletion: "deletionScheduled" };
const TIMES = ["createdAfter", "createdBefore", "signedInAfter", "signedInBefore"];

export async function render(main, route) {
  if (route.parts[0]) return (await import("./console-user.js")).render(main, route);
  const view = route.query.get("view");
  if (view) return (await import("./console-import.js")).render(main, view);

  const list = element("div", { class: "stack" });
  const count = element("p", { class: "lead", role: "status" });
  const top = heading(t("title"), { actions: [
    may("support") && button(t("create"), createUser, { kind: "primary" }),
    may("administrator") && link(t("import"), `#/${project()}/users?view=import`, { class: "button" }),
    may("administrator") && link(t("export"), `#/${project()}/users?view=export`, { class: "button" }),
  ] });
  top.firstChild.append(count);
  const show = () => showList(list, new URLSearchParams(location.hash.split("?")[1]));
  main.append(top, await searchForm(route.query, show), list);
  api.post(accounts(":query"), { returnUserInfo: false })
    .then(({ recordsCount }) => { count.textContent = t("count", { count: Number(recordsCount) }); })
    .catch(() => {});
  await show();
}

async function searchForm(query, show) {
  const own = await api.get(`/v2/projects/${project()}/oauthIdpConfigs`).catch(() => ({}));
  const providers = [...METHODS.map((id) => [id, methodName(id)]), ...(own.oauthIdpConfigs ?? []).map(({ name, displayName }) => {
    const id = name.split("/").at(-1);
    return [id, displayName ? `${displayName} (${id})` : id];
  })];
  const yesNo = (name) => field(t(name), select([["", t("any")], ["true", t("yes")], ["false", t("no")]], query.get(name) ?? "", { name }));
  const fields = element("div", { class: "columns narrow" },
    field(t("provider"), select([["", t("any")], ...providers], query.get("provider") ?? "", { name: "provider" })),
    Object.keys(FLAGS).map(yesNo),
    TIMES.map((name) => field(t(name), input({ type: "date", name, value: query.get(name) }))),
    field(t("claim"), input({ name: "claim", value: query.get("claim") })),
    field(t("claimValue"), input({ name: "value", value: query.get("value") }), { hint: t("claimHint") }));
  const filters = details(t("filters"), fields);
  const label = () => {
    const on = [...made.elements].filter(({ name, value }) => name && name !== "q" && name !== "value" && value).length;
    filters.firstChild.textContent = on ? t("filtersOn", { count: on }) : t("filters");
    return on;
  };
  const run = async () => {
    const asked = new URLSearchParams([...new FormData(made)].filter(([, value]) => value));
    history.replaceState(null, "", `#/${project()}/users${asked.size ? `?${asked}` : ""}`);
    label();
    await show();
  };
  const reset = button(t("reset"), () => {
    for (const control of made.elements) if (control.name) control.value = "";
    return run();
  });
  const made = form([
    field(t("searchFor"), input({ type: "search", name: "q", value: query.get("q") }), { hint: t("hint") }),
    element("div", { class: "row filters" }, filters, columnChoice(show)),
  ], run, { submit: t("search"), kind: "plain", others: [reset] });
  made.classList.add("search");
  made.setAttribute("role", "search");
  filters.open = label() > 0;
  return made;
}

function chosenColumns() {
  const kept = (localStorage.getItem(KEY) ?? "").split(",").filter((name) => name in COLUMNS);
  return kept.length ? kept : DEFAULT_COLUMNS;
}

function columnChoice(show) {
  const boxes = Object.keys(COLUMNS).slice(1).map((name) => {
    const box = checkbox(t(name), chosenColumns().includes(name));
    box.control.addEventListener("change", () => {
      const chosen = new Set(chosenColumns());
      if (box.control.checked) chosen.add(name);
      else chosen.delete(name);
      localStorage.setItem(KEY, Object.keys(COLUMNS).filter((one) => chosen.has(one)).join(","));
      show();
    });
    return box;
  });
  return details(t("columns"), element("div", { class: "columns narrow" }, boxes));
}

/** The body of `accounts:search` for the form's values. */
function searchBody(query) {
  const filter = {};
  if (query.get("provider")) filter.providerIds = [query.get("provider")];
  for (const [name, member] of Object.entries(FLAGS)) {
    if (query.get(name)) filter[member] = query.get(name) === "true";
  }
  for (const name of TIMES) {
    if (!query.get(name)) continue;
    const day = new Date(`${query.get(name)}T00:00`);
    // The API's interval ends before its last time; the reader's ends with that day.
    if (name.endsWith("Before")) day.setDate(day.getDate() + 1);
    filter[name] = day.toISOString();
  }
  if (query.get("claim")) filter.claim = { name: query.get("claim"), value: claimValue(query.get("value") ?? "") };
  return { query: query.get("q") ?? "", filter, pageSize: 50 };
}

function claimValue(text) {
  try {
    const value = JSON.parse(text);
    if (["string", "number", "boolean"].includes(typeof value)) return value;
  } catch { /* A word without quotes. */ }
  return text;
}

async function showList(list, query) {
  const body = searchBody(query);
  const isAll = !body.query && !Object.keys(body.filter).length;
  const users = table({
    caption: t("title"),
    columns: chosenColumns().map((name) => ({ title: t(name), cell: COLUMNS[name], wide: ["user", "claims", "id"].includes(name) })),
    empty: isAll ? emptyProject() : emptyState(t("none"), t("noneText")),
    onRow: ({ localId }) => { location.hash = userPage(localId); },
  });
  const more = pager(async (pageToken) => {
    const page = await api.post(`/v2/projects/${project()}/accounts:search`, { ...body, pageToken });
    return { rows: page.users, next: page.nextPageToken };
  }, users);
  list.replaceChildren(users, more);
  await more.ready;
}

function emptyProject() {
  return emptyState(t("empty"), t("emptyText"), link(t("steps"), `#/${project()}/start`, { class: "button" }));
}

function createUser() {
  const shown = dialog(t("create"), form([
    field(t("email"), input({ type: "email", name: "email" })),
    field(t("password"), input({ type: "password", name: "password", autocomplete: "new-password" }), { hint: t("passwordHint") }),
    field(t("name"), input({ name: "displayName", maxlength: 256 })),
    checkbox(t("isVerified"), false, { name: "emailVerified" }),
    details(t("more"), element("div", { class: "stack" },
      field(t("phone"), input({ type: "tel", name: "phoneNumber", placeholder: "+49…" })),
      field(t("uid"), input({ name: "localId" }), { hint: t("uidHint") }))),
  ], async (data) => {
    const body = Object.fromEntries([...data].filter(([, value]) => value));
    if (body.emailVerified) body.emailVerified = true;
    const { localId } = await api.post(accounts(), body);
    shown.close();
    toast(t("made"));
    location.hash = userPage(localId);
  }, { submit: t("submit") }));
}
