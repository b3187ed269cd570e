// First steps: from an empty server to a user who has signed in.

import { api, may, mayServer, mode, project } from "./console-api.js";
import { methodName, nameOf, userPage } from "./console-account.js";
import { texts } from "./console-texts.js";
import {
  badge, bdi, button, buttons, copyable, download, element, field, findings, form, heading, input, link, select, time, toast,
} from "./console-ui.js";

const t = texts({
  en: {
    title: "First steps", text: "Four steps to the first user who signs in.", done: "done", now: "this step", later: "later",
    project: "Create a project", projectText: "A project is one set of users, for one or more apps. It has its own settings and keys.", projectName: "Name", projectID: "Project ID", projectIDHint: "A lower-case letter, then 2 to 62 lower-case letters, digits and hyphens. It is in all tokens and cannot be changed.", createProject: "Create the project", noProjects: "Ask an owner of this server for a project.",
    app: "Add an app", appText: "Apps name your project with an API key, which is not a secret.", kind: "The app runs on", ios: "iPhone, iPad or Mac", android: "Android", web: "the web", bundleId: "Bundle ID", teamId: "Team ID", teamIdHint: "Ten capital letters and digits, from Apple's developer account. Optional.", packageName: "Package name", domain: "Domain", domainHint: "The host of your page, such as app.example.com.", addApp: "Add the app", another: "Another app",
    file: "Download {name}", fileText: "Add the file to the app in Xcode.", key: "API key", appsPage: "Apps & keys",
    method: "Choose how users sign in", methodText: "Turn on at least one way. Each provider's page says what to enter where at the provider.", password: "Email and password", on: "on", off: "off", turnOn: "Turn on", test: "Test", testing: "Testing …", setUp: "Set up {name}", methodsPage: "All sign-in methods",
    user: "Sign in a test user", userText: "Start your app and sign in. The new user appears here.", userSignUp: "Or sign up with an email address now, as an app would do it:", email: "Email", signUp: "Sign up", signUpAnother: "Sign up another user", welcome: "Try every provider on the page of this server", waiting: "Waiting for a sign-in …", arrived: "{name} has signed in.", open: "Open the user", usersPage: "All users", finished: "Everything is ready", finishedText: "Next: invite your own users, import them from another system, or read the events.",
  },
  de: {
    title: "Erste Schritte", text: "Vier Schritte bis zum ersten Benutzer, der sich anmeldet.", done: "erledigt", now: "dieser Schritt", later: "später",
    project: "Ein Projekt anlegen", projectText: "Ein Projekt ist eine Menge von Benutzern für eine oder mehrere Apps. Es hat eigene Einstellungen und Schlüssel.", projectName: "Name", projectID: "Projekt-ID", projectIDHint: "Ein Kleinbuchstabe, dann 2 bis 62 Kleinbuchstaben, Ziffern und Bindestriche. Sie steht in allen Tokens und lässt sich nicht ändern.", createProject: "Projekt anlegen", noProjects: "Bitten Sie einen Owner dieses Servers um ein Projekt.",
    app: "Eine App hinzufügen", appText: "Apps nennen Ihr Projekt mit einem API-Schlüssel, der nicht geheim ist.", kind: "Die App läuft auf", ios: "iPhone, iPad oder Mac", android: "Android", web: "dem Web", bundleId: "Bundle-ID", teamId: "Team-ID", teamIdHint: "Zehn Großbuchstaben und Ziffern, aus Apples Entwicklerkonto. Freiwillig.", packageName: "Paketname", domain: "Domain", domainHint: "Der Host Ihrer Seite, etwa app.example.com.", addApp: "App hinzufügen", another: "Noch eine App",
    file: "{name} herunterladen", fileText: "Fügen Sie die Datei in Xcode zur App hinzu.", key: "API-Schlüssel", appsPage: "Apps & Schlüssel",
    method: "Wählen, wie Benutzer sich anmelden", methodText: "Schalten Sie mindestens einen Weg ein. Die Seite jedes Anbieters sagt, was dort wo einzutragen ist.", password: "E-Mail und Passwort", on: "ein", off: "aus", turnOn: "Einschalten", test: "Testen", testing: "Wird getestet …", setUp: "{name} einrichten", methodsPage: "Alle Anmeldeverfahren",
    user: "Einen Testbenutzer anmelden", userText: "Starten Sie Ihre App und melden Sie sich an. Der neue Benutzer erscheint hier.", userSignUp: "Oder registrieren Sie sich jetzt mit einer E-Mail-Adresse, so wie eine App es täte:", email: "E-Mail", signUp: "Registrieren", signUpAnother: "Noch einen Benutzer registrieren", welcome: "Jeden Anbieter auf der Seite dieses Servers ausprobieren", waiting: "Wartet auf eine Anmeldung …", arrived: "{name} hat sich angemeldet.", open: "Benutzer öffnen", usersPage: "Alle Benutzer", finished: "Alles ist bereit", finishedText: "Als Nächstes: Laden Sie Ihre Benutzer ein, importieren Sie sie aus einem anderen System, oder lesen Sie die Ereignisse.",
  },
  vi: {
    title: "Những bước đầu", text: "Bốn bước để có người dùng đầu tiên đăng nhập.", done: "đã xong", now: "bước này", later: "để sau",
    project: "Tạo một dự án", projectText: "Một dự án là một tập người dùng cho một hoặc nhiều ứng dụng, có cài đặt và khóa riêng.", projectName: "Tên", projectID: "ID dự án", projectIDHint: "Một chữ thường, rồi 2 đến 62 chữ thường, chữ số và dấu gạch nối. ID có trong mọi token và không thể đổi.", createProject: "Tạo dự án", noProjects: "Hãy xin một owner của máy chủ tạo dự án cho bạn.",
    app: "Thêm một ứng dụng", appText: "Ứng dụng cho biết dự án bằng một khóa API; khóa này không phải bí mật.", kind: "Ứng dụng chạy trên", ios: "iPhone, iPad hoặc Mac", android: "Android", web: "web", bundleId: "Bundle ID", teamId: "Team ID", teamIdHint: "Mười chữ in hoa và chữ số, lấy từ tài khoản nhà phát triển của Apple. Không bắt buộc.", packageName: "Tên gói", domain: "Tên miền", domainHint: "Tên máy chủ của trang, ví dụ app.example.com.", addApp: "Thêm ứng dụng", another: "Thêm ứng dụng khác",
    file: "Tải {name}", fileText: "Thêm tệp này vào ứng dụng trong Xcode.", key: "Khóa API", appsPage: "Ứng dụng & khóa",
    method: "Chọn cách người dùng đăng nhập", methodText: "Hãy bật ít nhất một cách. Trang của mỗi nhà cung cấp cho biết phải điền gì ở đâu.", password: "Email và mật khẩu", on: "bật", off: "tắt", turnOn: "Bật", test: "Kiểm thử", testing: "Đang kiểm thử …", setUp: "Thiết lập {name}", methodsPage: "Mọi cách đăng nhập",
    user: "Cho một người dùng thử đăng nhập", userText: "Hãy mở ứng dụng và đăng nhập. Người dùng mới sẽ hiện ở đây.", userSignUp: "Hoặc đăng ký ngay bằng một địa chỉ email, giống như ứng dụng làm:", email: "Email", signUp: "Đăng ký", signUpAnother: "Đăng ký người dùng khác", welcome: "Thử mọi nhà cung cấp trên trang của máy chủ này", waiting: "Đang chờ một lượt đăng nhập …", arrived: "{name} đã đăng nhập.", open: "Mở người dùng", usersPage: "Mọi người dùng", finished: "Mọi thứ đã sẵn sàng", finishedText: "Tiếp theo: mời người dùng của bạn, nhập họ từ hệ thống khác, hoặc đọc các sự kiện.",
  },
});

const base = () => `/v2/projects/${project()}`;
const page = (name) => `#/${project()}/${name}`;
const VENDORS = ["apple.com", "google.com"];
const TITLES = ["project", "app", "method", "user"];
const POLL_MS = 3000;

export async function render(main) {
  const state = project() ? await load() : { isDone: [false, false, false, false] };
  const again = async (done) => {
    main.replaceChildren();
    await render(main);
    if (done) toast(done);
    main.querySelector("h1").focus();
  };
  const now = state.isDone.indexOf(false);
  const steps = [projectStep, appStep, methodStep, userStep];
  const list = element("ol", { class: "steps" }, steps.map((draw, at) => {
    const kind = state.isDone[at] ? "done" : at === now ? "now" : "later";
    // Without a project, the later steps have only their titles.
    const [title, ...content] = at > 0 && !project() ? [t(TITLES[at])] : draw({ ...state, kind, again });
    return element("li", { class: kind, "aria-current": kind === "now" && "step" },
      element("span", { class: "number", role: "img", "aria-label": t(kind) }, kind === "done" ? "✓" : String(at + 1)),
      element("div", { class: "stack" }, element("h2", {}, title), content));
  }));
  main.append(heading(t("title"), { text: t(now < 0 ? "finished" : "text") }), list);
  if (now < 0) {
    main.append(element("p", { class: "quiet" }, t("finishedText")), buttons(link(t("usersPage"), page("users"), { class: "button" })));
  }
}

async function load() {
  const [{ projectId, displayName }, config, ios, android, keys, own, vendors, signedIn] = await Promise.all([
    api.get(base()), api.get(`${base()}/config`), api.get(`${base()}/iosApps`), api.get(`${base()}/androidApps`), api.get(`${base()}/apiKeys`),
    api.get(`${base()}/oauthIdpConfigs`), api.get(`${base()}/defaultSupportedIdpConfigs`),
    api.post(`${base()}/accounts:search`, { filter: { signedInAfter: "1970-01-01T00:00:00Z" }, pageSize: 1 }),
  ]);
  const providers = [...(vendors.defaultSupportedIdpConfigs ?? []), ...(own.oauthIdpConfigs ?? [])].filter(({ enabled }) => enabled);
  const domains = (config.authorizedDomains ?? []).filter((host) => !["localhost", "127.0.0.1", location.hostname].includes(host));
  const hasPassword = Boolean(config.signIn?.email?.enabled);
  return {
    projectId, displayName, config, domains, providers, hasPassword, ios: ios.apps, android: android.apps, keys: keys.apiKeys,
    isDone: [true, ios.apps.length + android.apps.length + domains.length > 0, hasPassword || providers.length > 0, signedIn.users.length > 0],
  };
}

/** A button in place of a form that a finished step needs no more. */
function later(label, form) {
  return button(label, (pressed) => {
    pressed.replaceWith(form);
    form.querySelector("input, select").focus();
  }, { class: "small" });
}

const submitKind = (kind) => (kind === "now" ? "primary" : "plain");

// 1

function projectStep({ kind, projectId, displayName }) {
  if (kind === "done") return [t("project"), element("p", {}, bdi(displayName || projectId), " ", element("code", {}, projectId))];
  if (!mayServer()) return [t("project"), element("p", {}, t("noProjects"))];
  const name = input({ name: "displayName", required: true });
  const id = input({ name: "projectId", required: true, pattern: "[a-z][a-z0-9\\-]{2,62}", spellcheck: "false", autocapitalize: "off" });
  let isOwnID = false;
  id.addEventListener("input", () => { isOwnID = true; });
  name.addEventListener("input", () => { if (!isOwnID) id.value = suggestion(name.value); });
  return [t("project"), element("p", { class: "quiet" }, t("projectText")), form([
    field(t("projectName"), name),
    field(t("projectID"), id, { hint: t("projectIDHint") }),
  ], async (data) => {
    const made = await api.post("/v2/projects", { projectId: data.get("projectId"), displayName: data.get("displayName") });
    location.hash = `#/${made.projectId}/start`;
  }, { submit: t("createProject") })];
}

const suggestion = (name) => name.normalize("NFKD").replace(/đ/gi, "d").toLowerCase()
  .replace(/[^a-z0-9]+/g, (run) => (/^[\u0300-\u036f]+$/.test(run) ? "" : "-")).replace(/^[^a-z]+|-+$/g, "").slice(0, 63);

// 2

function appStep({ kind, ios, android, domains, keys, config, again }) {
  const line = (...content) => element("li", { class: "line" }, content);
  const others = [...android.map((app) => [app.displayName, app.packageName]), ...domains.map((domain) => [undefined, domain])];
  const known = element("ul", { class: "plain stack" },
    ios.map((app) => line(app.displayName && bdi(app.displayName), element("code", {}, app.bundleId), t("key"), copyable(app.apiKey), fileButton(app))),
    others.map(([name, id]) => line(name && bdi(name), element("code", {}, id))),
    // An app of Apple's platforms has a key of its own.
    others.length > 0 && keys.filter(({ appId }) => !appId).map(({ displayName, keyString }) => line(t("key"), displayName && bdi(displayName), copyable(keyString))));
  const add = may("administrator") && appForm({ kind, config, keys, again });
  const content = kind === "done" ? [known, add && later(t("another"), add)] : [element("p", { class: "quiet" }, t("appText")), add];
  return [t("app"), ...content, link(t("appsPage"), page("apps"))];
}

function fileButton({ appId }) {
  const name = "GoogleService-Info.plist";
  return button(t("file", { name }), async () => {
    const { configFilename, configFileContents } = await api.get(`${base()}/iosApps/${appId}/config`);
    download(configFilename, Uint8Array.from(atob(configFileContents), (one) => one.charCodeAt(0)), "application/x-plist");
    toast(t("fileText"));
  }, { class: "small" });
}

function appForm({ kind, config, keys, again }) {
  const choice = select(["ios", "android", "web"].map((one) => [one, t(one)]), "ios");
  const place = element("div", { class: "stack" });
  const fields = {
    ios: () => [field(t("bundleId"), input({ name: "bundleId", required: true, placeholder: "com.example.app" })), field(t("teamId"), input({ name: "teamId", maxlength: 10, pattern: "[A-Z0-9]{10}" }), { hint: t("teamIdHint") })],
    android: () => [field(t("packageName"), input({ name: "packageName", required: true, placeholder: "com.example.app" }))],
    web: () => [field(t("domain"), input({ name: "domain", required: true, placeholder: "app.example.com" }), { hint: t("domainHint") })],
  };
  const show = () => place.replaceChildren(...fields[choice.value]());
  choice.addEventListener("change", show);
  show();
  const add = {
    ios: (data) => api.post(`${base()}/iosApps`, { bundleId: data.get("bundleId"), ...(data.get("teamId") && { teamId: data.get("teamId") }) }),
    android: (data) => api.post(`${base()}/androidApps`, { packageName: data.get("packageName") }),
    web: async (data) => {
      const domain = data.get("domain").trim().replace(/^https?:\/\//, "").replace(/\/.*$/, "");
      await api.patch(`${base()}/config`, { authorizedDomains: [...new Set([...config.authorizedDomains ?? [], domain])] }, { updateMask: "authorizedDomains" });
      if (!keys.some(({ appId }) => !appId)) await api.post(`${base()}/apiKeys`, { displayName: domain });
    },
  };
  return form([field(t("kind"), choice), place], async (data) => {
    await add[choice.value](data);
    await again();
  }, { submit: t("addApp"), kind: submitKind(kind) });
}

// 3

function methodStep({ kind, providers, hasPassword, again }) {
  const configured = providers.map(({ name, displayName }) => [...name.split("/").slice(-2), displayName]);
  const turnOn = async () => {
    await api.patch(`${base()}/config`, { signIn: { email: { enabled: true } } }, { updateMask: "signIn.email.enabled" });
    await again();
  };
  const missing = VENDORS.filter((id) => !configured.some(([, one]) => one === id));
  return [t("method"), kind !== "done" && element("p", { class: "quiet" }, t("methodText")),
    element("ul", { class: "plain stack" },
      element("li", { class: "line" }, t("password"), badge(t(hasPassword ? "on" : "off"), hasPassword ? "good" : "quiet"),
        !hasPassword && may("administrator") && button(t("turnOn"), turnOn, { class: kind === "now" ? "primary" : "small" })),
      configured.map((one) => provider(...one))),
    element("p", { class: "line" },
      may("administrator") && missing.map((id) => link(t("setUp", { name: methodName(id) }), page(`methods/${id}`))),
      link(t("methodsPage"), page("methods")))];
}

function provider(collection, id, displayName) {
  const name = displayName || methodName(id);
  const result = element("div", { role: "status" });
  const test = async () => {
    result.replaceChildren(t("testing"));
    try {
      const answer = await api.post(`${base()}/${collection}/${id}:test`);
      result.replaceChildren(findings(answer.findings));
    } catch (error) {
      result.replaceChildren();
      throw error;
    }
  };
  return element("li", { class: "stack" }, element("div", { class: "line" }, bdi(name), badge(t("on"), "good"),
    may("administrator") && button(t("test"), test, { class: "small", "aria-label": `${t("test")}: ${name}` })), result);
}

// 4

function userStep({ kind, keys, hasPassword }) {
  const isDone = kind === "done";
  const arrivals = element("div", { class: "stack", role: "status" }, !isDone && element("p", { class: "quiet" }, t("waiting")));
  watch(arrivals);
  // The API key of an app or of the project: a new one is the project's.
  const apiKey = async () => keys[0]?.keyString ?? (await api.post(`${base()}/apiKeys`, { displayName: "Console" })).keyString;
  const signUp = hasPassword && (keys.length || may("administrator")) && form([
    field(t("email"), input({ type: "email", name: "email", required: true })),
    field(methodName("password"), input({ type: "password", name: "password", required: true, autocomplete: "new-password" })),
  ], async (data) => {
    const body = { email: data.get("email"), password: data.get("password"), returnSecureToken: true };
    await api.raw("POST", "/v1/accounts:signUp", { body, query: { key: await apiKey() }, asApp: true });
    await look(arrivals);
  }, { submit: t("signUp"), kind: submitKind(kind) });
  return [t("user"),
    !isDone && element("p", { class: "quiet" }, t("userText"), signUp ? ` ${t("userSignUp")}` : ""),
    signUp && (isDone ? later(t("signUpAnother"), signUp) : signUp),
    // The page at `/` signs in to this project.
    mode() === "development" && project() === "demo" && element("p", {}, element("a", { href: "/", target: "_blank", rel: "noopener" }, t("welcome"))), arrivals];
}

/** Shows who signs in from now on, as long as the page is shown. */
function watch(place) {
  place.since = new Date().toISOString();
  const next = async () => {
    if (!place.isConnected) return;
    if (!document.hidden) await look(place).catch(() => {});
    setTimeout(next, POLL_MS);
  };
  setTimeout(next, POLL_MS);
}

function tick(step) {
  step.className = "done";
  step.removeAttribute("aria-current");
  const number = step.querySelector(".number");
  number.textContent = "✓";
  number.setAttribute("aria-label", t("done"));
}

async function look(place) {
  const { events } = await api.get(`${base()}/events`, {
    kind: ["account.created", "account.signed_in_on_new_device", "account.reauthenticated"], since: place.since, pageSize: 10,
  });
  const uids = [...new Set(events.map(({ uid }) => uid))];
  if (!uids.length) return;
  const { users = [] } = await api.post(`/v1/projects/${project()}/accounts:lookup`, { localId: uids });
  if (users.length === place.querySelectorAll("a").length) return;
  tick(place.closest("li"));
  place.replaceChildren(...users.map((user) => element("p", { class: "line" },
    badge("✓", "good"), element("span", {}, bdi(t("arrived", { name: nameOf(user) })), " ", time(user.lastLoginAt)), link(t("open"), userPage(user.localId)))));
}
