// The clients of a project: apps, the domains of pages, and the keys of all of them.

import { api, may, mode, project } from "./console-api.js";
import { adminKeys, renderServiceAccount, serviceAccounts } from "./console-keys.js";
import { list, part, projectBase } from "./console-part.js";
import { lines, named, publicURL } from "./console-setup.js";
import { t } from "./console-apps-texts.js";
import {
  badge, bdi, button, buttons, card, confirm, copyable, dialog, download, element, emptyState, facts, field, form, heading,
  input, link, section, snippet, table, tabs, textarea, time, toast,
} from "./console-ui.js";

const base = (path) => `${projectBase()}/${path}`;
export const appsHash = (...parts) => `#/${[project(), "apps", ...parts].map(encodeURIComponent).join("/")}`;
export const backTo = (tab) => link(`← ${t("title")}`, `${appsHash()}?tab=${tab}`);
const mayChange = () => may("administrator");

export async function render(main, route) {
  const [kind, id] = route.parts;
  if (kind === "ios" && id) return renderApp(main, id);
  if (kind === "android" && id) return renderAndroidApp(main, id);
  if (kind === "serviceAccounts" && id) return renderServiceAccount(main, id);
  main.append(heading(t("title"), { text: t("lead") }), tabs([
    { id: "apps", label: t("apps"), render: (panel) => panel.append(part(apps), part(androidApps)) },
    { id: "web", label: t("web"), render: (panel) => panel.append(part(web)) },
    { id: "keys", label: t("apiKeys"), render: (panel) => panel.append(part(apiKeys)) },
    { id: "accounts", label: t("serviceAccounts"), render: (panel) => panel.append(part(serviceAccounts)) },
    ...(may("owner") ? [{ id: "admins", label: t("adminKeys"), render: (panel) => panel.append(part(adminKeys)) }] : []),
  ]));
}

/** A headline with the button that adds one. */
export function titled(title, add, ...content) {
  const made = section(title, content);
  const head = element("div", { class: "heading" }, made.firstChild, add && buttons(add));
  made.prepend(head);
  return made;
}

const teamID = (value = "") => input({ value, maxlength: 10, pattern: "[A-Z0-9]{10}", placeholder: "ABCDE12345", spellcheck: "false" });

// Apple's platforms

async function apps(reload) {
  const rows = await list(base("iosApps"), "apps");
  const add = mayChange() && button(t("addApp"), addApp);
  return titled(t("ios"), rows.length > 0 && add, table({
    columns: [
      { title: t("name"), cell: (app) => link(bdi(app.displayName || app.bundleId), appsHash("ios", app.appId)) },
      { title: t("bundleId"), cell: (app) => element("code", {}, app.bundleId) },
      { title: t("teamId"), cell: (app) => element("code", {}, app.teamId ?? "–") },
      { title: t("created"), cell: (app) => time(app.createTime) },
    ],
    rows, empty: emptyState(t("noApps"), t("noApps.text"), add), onRow: (app) => { location.hash = appsHash("ios", app.appId); },
  }));
}

function addApp() {
  const [bundle, name, team] = [input({ required: true, placeholder: "com.example.app", spellcheck: "false", autocapitalize: "off" }), input({}), teamID()];
  const shown = dialog(t("addApp"), form([
    field(t("bundleId"), bundle, { hint: t("bundleId?") }), field(t("name"), name), field(t("teamId"), team, { hint: t("teamId?") }),
  ], async () => {
    const app = await api.post(base("iosApps"), { bundleId: bundle.value.trim(), displayName: name.value.trim(), ...(team.value && { teamId: team.value }) });
    shown.close();
    location.hash = appsHash("ios", app.appId);
  }, { submit: t("add") }));
}

async function renderApp(main, id) {
  const path = base(`iosApps/${encodeURIComponent(id)}`);
  const [app, file] = await Promise.all([api.get(path), api.get(`${path}/config`)]);
  const again = () => { main.replaceChildren(); return renderApp(main, id); };
  const { host } = new URL(await publicURL());
  const [name, team, google] = [input({ value: app.displayName ?? "" }), teamID(app.teamId), input({ placeholder: "1234-abc.apps.googleusercontent.com", spellcheck: "false" })];
  const scheme = element("span", {}, copyable(file.urlScheme));
  const save = async () => {
    const own = await api.get(`${path}/config`, { googleClientId: google.value.trim() });
    scheme.replaceChildren(copyable(own.urlScheme));
    download(own.configFilename, Uint8Array.from(atob(own.configFileContents), (one) => one.charCodeAt(0)), "application/x-plist");
  };
  main.append(backTo("apps"),
    heading(bdi(app.displayName || app.bundleId), { text: element("code", {}, app.bundleId), actions: mayChange() ? [remove(path, app.displayName || app.bundleId, t("removeApp.text"), "apps")] : [] }),
    element("div", { class: "columns" },
      card(element("h2", {}, t("useIt")), element("ol", { class: "how" },
        element("li", {}, element("p", {}, t("plist")), field(t("googleClient"), google, { hint: t("googleClient?") }), buttons(button(t("downloadFile"), save, { kind: "primary" }))),
        element("li", {}, element("p", {}, t("scheme")), scheme),
        element("li", {}, element("p", {}, t("domains")), copyable(`applinks:${host}`), copyable(`webcredentials:${host}`),
          !app.teamId && element("small", {}, t("domainsNeedTeam"))))),
      element("div", { class: "stack" },
        card(element("h2", {}, t("values")), facts([
          [t("appId"), copyable(app.appId)], [t("apiKey"), copyable(app.apiKey)], [t("created"), time(app.createTime)],
        ])),
        mayChange() && card(element("h2", {}, t("change")), form([field(t("name"), name), field(t("teamId"), team, { hint: t("teamId?") })], async () => {
          await api.patch(path, { displayName: name.value.trim(), teamId: team.value }, { updateMask: "displayName,teamId" });
          toast(t("saved"));
          await again();
        }, { kind: "plain" })))));
}

function remove(path, name, text, tab) {
  return button(t("remove"), async () => {
    if (!await confirm({ title: t("remove.title", { name: named(name) }), text, action: t("remove"), kind: "danger" })) return;
    await api.delete(path);
    toast(t("removed", { name: named(name) }));
    location.hash = `${appsHash()}?tab=${tab}`;
  }, { kind: "danger" });
}

// Android

async function androidApps() {
  const rows = await list(base("androidApps"), "apps");
  const add = mayChange() && button(t("addAndroid"), addAndroidApp);
  return titled(t("android"), rows.length > 0 && add, table({
    columns: [
      { title: t("name"), cell: (app) => link(bdi(app.displayName || app.packageName), appsHash("android", app.packageName)) },
      { title: t("packageName"), cell: (app) => element("code", {}, app.packageName) },
      { title: t("fingerprints"), cell: (app) => (app.sha256CertFingerprints.length ? String(app.sha256CertFingerprints.length) : badge(t("noFingerprint"), "warn")) },
      { title: t("created"), cell: (app) => time(app.createTime) },
    ],
    rows, empty: emptyState(t("noAndroid"), t("noAndroid.text"), add), onRow: (app) => { location.hash = appsHash("android", app.packageName); },
  }));
}

const fingerprintField = (values = []) => textarea({ rows: 3, value: values.join("\n"), placeholder: "14:6D:E9:83:…" });

function addAndroidApp() {
  const [packageName, name, prints] = [input({ required: true, placeholder: "com.example.app", spellcheck: "false", autocapitalize: "off" }), input({}), fingerprintField()];
  const shown = dialog(t("addAndroid"), form([
    field(t("packageName"), packageName), field(t("name"), name), field(t("fingerprints"), prints, { hint: t("fingerprints?") }),
  ], async () => {
    await api.post(base("androidApps"), { packageName: packageName.value.trim(), displayName: name.value.trim(), sha256CertFingerprints: lines(prints.value) });
    shown.close();
    location.hash = appsHash("android", packageName.value.trim());
  }, { submit: t("add") }));
}

async function renderAndroidApp(main, id) {
  const path = base(`androidApps/${encodeURIComponent(id)}`);
  const app = await api.get(path);
  const { host, pathname } = new URL(await publicURL());
  const [name, prints] = [input({ value: app.displayName ?? "" }), fingerprintField(app.sha256CertFingerprints)];
  const filter = `<intent-filter android:autoVerify="true">
  <action android:name="android.intent.action.VIEW" />
  <category android:name="android.intent.category.DEFAULT" />
  <category android:name="android.intent.category.BROWSABLE" />
  <data android:scheme="https" android:host="${host}" android:path="${pathname.replace(/\/$/, "")}/__/auth/callback" />
</intent-filter>`;
  const edit = form([field(t("name"), name), field(t("fingerprints"), prints, { hint: t("fingerprints?") })], async () => {
    await api.patch(path, { displayName: name.value.trim(), sha256CertFingerprints: lines(prints.value) }, { updateMask: "displayName,sha256CertFingerprints" });
    toast(t("saved"));
  });
  main.append(backTo("apps"),
    heading(bdi(app.displayName || id), { text: element("code", {}, id), actions: mayChange() ? [remove(path, app.displayName || id, t("removeAndroid.text"), "apps")] : [] }),
    element("div", { class: "columns" },
      card(mayChange() ? edit : facts([[t("fingerprints"), app.sha256CertFingerprints.join(", ")]])),
      card(element("h2", {}, t("useIt")), element("p", {}, t("intent")), snippet(filter))));
}

// Pages

async function web(reload) {
  const [{ authorizedDomains }, keys, server] = await Promise.all([api.get(base("config")), list(base("apiKeys"), "apiKeys"), publicURL()]);
  const host = server.replace(/^https?:\/\//, "");
  const domains = textarea({ rows: 5, value: authorizedDomains.join("\n") });
  const key = keys.find(({ appId }) => !appId)?.keyString ?? (mode() === "development" ? "any" : "gk_…");
  const code = `const auth = getAuth(initializeApp({
  apiKey: "${key}",
  authDomain: "${host}",
  projectId: "${project()}",
}));
${mode() === "development" ? `connectAuthEmulator(auth, "${location.origin}");` : `auth.config.apiHost = "${host}";
auth.config.tokenApiHost = "${host}";`}`;
  const edit = form([field(t("authorizedDomains"), domains, { hint: t("authorizedDomains?") })], async () => {
    await api.patch(base("config"), { authorizedDomains: lines(domains.value) }, { updateMask: "authorizedDomains" });
    toast(t("saved"));
    await reload();
  });
  return element("div", { class: "columns" },
    card(mayChange() ? edit : facts([[t("authorizedDomains"), authorizedDomains.join(", ")]])),
    card(element("h2", {}, t("inPage")), element("p", { class: "quiet" }, t("inPage.text")), snippet(code)));
}

// Keys of clients

async function apiKeys(reload) {
  const rows = await list(base("apiKeys"), "apiKeys");
  const create = mayChange() && button(t("createKey"), () => {
    const name = input({});
    const shown = dialog(t("createKey"), form([field(t("name"), name, { hint: t("keyName?") })], async () => {
      await api.post(base("apiKeys"), { displayName: name.value.trim() });
      shown.close();
      await reload();
    }, { submit: t("create") }));
  });
  const drop = (key) => button(t("delete"), async () => {
    if (!await confirm({ title: t("deleteKey.title"), text: [t("deleteKey.text"), element("code", {}, key.keyString)], action: t("delete"), kind: "danger" })) return;
    await api.delete(base(`apiKeys/${encodeURIComponent(key.keyString)}`));
    await reload();
  }, { kind: "danger", class: "danger small" });
  return titled(t("apiKeys"), rows.length > 0 && create, element("p", { class: "quiet" }, t("apiKeys.text")), table({
    columns: [
      { title: t("key"), cell: ({ keyString }) => copyable(keyString), wide: true },
      { title: t("name"), cell: ({ displayName }) => bdi(displayName ?? "") },
      { title: t("app"), cell: ({ appId }) => (appId ? link(element("code", {}, appId), appsHash("ios", appId)) : element("span", { class: "quiet" }, "–")) },
      ...(mayChange() ? [{ title: "", cell: (key) => (key.appId ? "" : drop(key)) }] : []),
    ],
    rows, empty: emptyState(t("noKeys"), t("noKeys.text"), create),
  }));
}
