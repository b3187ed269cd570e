// The credentials of back ends and administrators: each is shown once.

import { api, may, Refusal } from "./console-api.js";
import { appsHash, backTo, titled } from "./console-apps.js";
import { t } from "./console-apps-texts.js";
import { list, part, projectBase } from "./console-part.js";
import {
  badge, button, buttons, card, checkbox, confirm, copyable, dialog, download, element, emptyState, field, form, heading, input,
  link, select, table, time, toast,
} from "./console-ui.js";

const accountsPath = (...parts) => [projectBase(), "serviceAccounts", ...parts.map(encodeURIComponent)].join("/");
const isAdmin = ({ roles = [] }) => roles.includes("admin");
/** A service account that is an administrator is only for owners. */
const mayChange = (account) => may(isAdmin(account) ? "owner" : "administrator");
const roleBadges = ({ roles = [] }) => roles.map((role) => badge(role, role === "admin" ? "warn" : "quiet"));

export async function serviceAccounts() {
  const rows = await list(accountsPath(), "accounts");
  const add = may("administrator") && button(t("createAccount"), () => {
    const name = input({ required: true, placeholder: "backend", pattern: "[a-z][a-z0-9\\-]*", spellcheck: "false", autocapitalize: "off" });
    const roles = roleBoxes({ roles: ["customTokens"] });
    const shown = dialog(t("createAccount"), form([field(t("accountName"), name, { hint: t("accountName?") }), roles.node], async () => {
      const { email } = await api.post(accountsPath(), { accountId: name.value, roles: roles.read() });
      shown.close();
      location.hash = appsHash("serviceAccounts", email);
    }, { submit: t("create") }));
  });
  return titled(t("serviceAccounts"), rows.length > 0 && add, element("p", { class: "quiet" }, t("serviceAccounts.text")), table({
    columns: [
      { title: t("email"), cell: ({ email }) => link(email, appsHash("serviceAccounts", email)), wide: true },
      { title: t("roles"), cell: roleBadges },
      { title: t("keys"), cell: ({ keys = [] }) => String(keys.length) },
      { title: t("created"), cell: ({ createTime }) => time(createTime) },
    ],
    rows, empty: emptyState(t("noAccounts"), t("noAccounts.text"), add), onRow: ({ email }) => { location.hash = appsHash("serviceAccounts", email); },
  }));
}

function roleBoxes({ roles = [] }) {
  const boxes = ["customTokens", "admin"].map((role) => [role, checkbox(t(`role.${role}`), roles.includes(role), { disabled: role === "admin" && !may("owner") })]);
  return {
    node: element("fieldset", {}, element("legend", {}, t("roles")), boxes.map(([role, box]) => field("", box, { hint: t(`role.${role}?`) }))),
    read: () => boxes.filter(([, box]) => box.control.checked).map(([role]) => role),
  };
}

export async function renderServiceAccount(main, email) {
  const account = await api.get(accountsPath(email));
  const again = () => { main.replaceChildren(); return renderServiceAccount(main, email); };
  const roles = roleBoxes(account);
  const remove = button(t("delete"), async () => {
    if (!await confirm({ title: t("deleteAccount.title"), text: [t("deleteAccount.text"), email], action: t("delete"), kind: "danger" })) return;
    await api.delete(accountsPath(email));
    location.hash = `${appsHash()}?tab=accounts`;
  }, { kind: "danger" });
  main.append(backTo("accounts"),
    heading(email, { text: roleBadges(account), actions: mayChange(account) ? [remove] : [] }),
    part((reload) => keysOf(email, reload)),
    mayChange(account) ? card(form([roles.node], async () => {
      await api.patch(accountsPath(email), { roles: roles.read() });
      toast(t("saved"));
      await again();
    }, { kind: "plain" })) : "");
}

async function keysOf(email, reload) {
  const account = await api.get(accountsPath(email));
  const create = button(t("createCredential"), async () => {
    const { name, privateKeyData } = await api.post(accountsPath(email, "keys"), {});
    const id = name.split("/").pop();
    const save = () => download(`${email.split("@")[0]}-${id.slice(0, 8)}.json`, new TextDecoder().decode(Uint8Array.from(atob(privateKeyData), (one) => one.charCodeAt(0))));
    save();
    dialog(t("credential"), element("p", {}, t("credential.text")), element("pre", { tabindex: "0" }, "export GOOGLE_APPLICATION_CREDENTIALS=…/" + email.split("@")[0] + `-${id.slice(0, 8)}.json`),
      buttons(button(t("downloadAgain"), save)));
    await reload();
  }, { kind: "primary" });
  const drop = (id) => button(t("delete"), async () => {
    if (!await confirm({ title: t("deleteCredential.title"), text: [t("deleteCredential.text"), element("code", {}, id)], action: t("delete"), kind: "danger" })) return;
    await api.delete(accountsPath(email, "keys", id));
    await reload();
  }, { kind: "danger", class: "danger small" });
  const actions = mayChange(account) && [create, button(t("upload"), () => upload(email, reload))];
  const idOf = ({ name }) => name.split("/").pop();
  const rows = account.keys ?? [];
  return titled(t("keys"), rows.length > 0 && actions, table({
    columns: [
      { title: t("id"), cell: (key) => element("code", {}, idOf(key)), wide: true },
      { title: t("created"), cell: ({ validAfterTime }) => time(validAfterTime) },
      { title: t("expires"), cell: ({ validBeforeTime }) => time(validBeforeTime) },
      ...(mayChange(account) ? [{ title: "", cell: (key) => drop(idOf(key)) }] : []),
    ],
    rows, empty: emptyState(t("noCredentials"), t("noCredentials.text"), actions),
  }));
}

/** Registers a public key: the private one never leaves its owner. */
function upload(email, reload) {
  const file = input({ type: "file", accept: ".pem,.crt,.pub", required: true });
  const shown = dialog(t("upload"), form([field(t("publicKey"), file, { hint: t("publicKey?") })], async () => {
    const pem = await file.files[0].text();
    // It must not leave the reader's machine.
    if (pem.includes("PRIVATE KEY")) throw new Refusal(400, "INVALID_ARGUMENT", t("privateKey"));
    await api.post(accountsPath(email, "keys"), { publicKeyData: btoa(pem) });
    shown.close();
    await reload();
  }, { submit: t("add") }));
}

const keysPath = (...parts) => [projectBase(), "adminKeys", ...parts.map(encodeURIComponent)].join("/");

export async function adminKeys(reload) {
  const rows = await list(keysPath(), "adminKeys");
  const create = button(t("createAdminKey"), () => {
    const role = select(["viewer", "support", "administrator", "owner"].map((one) => [one, `${one}: ${t(`admin.${one}`)}`]), "viewer");
    const expiry = input({ type: "date", min: new Date().toISOString().slice(0, 10) });
    const shown = dialog(t("createAdminKey"), form([field(t("role"), role), field(t("expires"), expiry, { hint: t("expires?") })], async () => {
      const { key } = await api.post(keysPath(), { role: role.value, ...(expiry.value && { expireTime: `${expiry.value}T00:00:00Z` }) });
      shown.close();
      dialog(t("adminKey"), element("p", {}, t("adminKey.text")), copyable(key));
      await reload();
    }, { submit: t("create") }));
  });
  const drop = ({ prefix }) => button(t("delete"), async () => {
    if (!await confirm({ title: t("deleteAdminKey.title"), text: [t("deleteAdminKey.text"), element("code", {}, `${prefix}…`)], action: t("delete"), kind: "danger" })) return;
    await api.delete(keysPath(prefix));
    await reload();
  }, { kind: "danger", class: "danger small" });
  return titled(t("adminKeys"), rows.length > 0 && create, element("p", { class: "quiet" }, t("adminKeys.text")), table({
    columns: [
      { title: t("key"), cell: ({ prefix }) => element("code", {}, `${prefix}…`) },
      { title: t("role"), cell: ({ role }) => badge(role, role === "owner" ? "warn" : "quiet") },
      { title: t("created"), cell: ({ createTime }) => time(createTime) },
      { title: t("expires"), cell: ({ expireTime }) => time(expireTime) },
      { title: "", cell: drop },
    ],
    rows, empty: emptyState(t("noAdminKeys"), t("noAdminKeys.text"), create),
  }));
}
