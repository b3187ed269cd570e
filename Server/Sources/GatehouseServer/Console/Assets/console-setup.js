// What the pages on which a project is set up have in common: forms for the members of a resource.

import { api, may, mode, project } from "./console-api.js";
import { t } from "./console-methods-texts.js";
import { projectBase } from "./console-part.js";
import { button, checkbox, details, element, field, input, select, textarea } from "./console-ui.js";

document.head.append(element("link", { rel: "stylesheet", href: new URL("console-setup.css", import.meta.url) }));

/** The server's public URL, without a slash at its end: the issuer of a project in production begins with it. */
export async function publicURL() {
  if (mode() === "development") return location.origin;
  const { issuer } = await api.get(projectBase());
  return issuer.slice(0, -project().length - 1);
}

/** A name within a sentence: it neither turns the text around it nor fills the page. */
export const named = (name) => `\u2068${name.length > 80 ? `${name.slice(0, 80)}…` : name}\u2069`;

/** The value at a path such as `appleSignInConfig.bundleIds`. */
export const at = (object, path) => path.split(".").reduce((inner, name) => inner?.[name], object);

function put(object, path, value) {
  const names = path.split(".");
  const last = names.pop();
  names.reduce((inner, name) => (inner[name] ??= {}), object)[last] = value;
}

/**
 * Controls for members of a resource.
 *
 * @param specs `{path, label, hint, kind, …}`; a `group` with `specs` is folded away.
 * @returns `{nodes, controls, changes}`; `changes()` has the `body` and the `mask` of a PATCH: a cleared
 *   member is in the mask alone.
 */
export function editor(specs, resource) {
  const members = [];
  const nodes = specs.map(function node(spec) {
    if (spec.specs) return details(spec.label, element("div", { class: "stack" }, spec.text && element("p", { class: "quiet" }, spec.text), spec.specs.map(node)));
    const member = { ...spec, ...KINDS[spec.kind ?? "text"](at(resource, spec.path), spec) };
    members.push(member);
    return spec.kind === "clients" ? member.node : field(spec.label, member.node, { hint: spec.hint });
  });
  return {
    nodes,
    control: (path) => { const { node } = members.find((member) => member.path === path); return node.control ?? node; },
    async changes() {
      const [body, mask] = [{}, []];
      for (const { path, read } of members) {
        const value = await read();
        if (value === undefined) continue;
        mask.push(path);
        if (value !== null) put(body, path, value);
      }
      return { body, mask };
    },
  };
}

/** Each makes a node and `read`: undefined if the value stays, null if it is cleared. */
const KINDS = {
  text(value = "", { required, placeholder, pattern, maxlength, type }) {
    const node = input({ type, value, required, placeholder, pattern, maxlength, spellcheck: "false", autocapitalize: "off" });
    return { node, read: () => changed(node.value.trim(), value) };
  },
  list(value = [], { placeholder }) {
    const node = textarea({ rows: 2, value: value.join("\n"), placeholder });
    return {
      node,
      read: () => {
        const now = lines(node.value);
        return now.join("\n") === value.join("\n") ? undefined : now.length ? now : null;
      },
    };
  },
  choice(value, { options }) {
    const was = value ?? options[0][0];
    const node = select(options, was);
    return { node, read: () => changed(node.value, was) };
  },
  switch(value = false, { label }) {
    const node = checkbox(label, value);
    return { node, read: () => (node.control.checked === value ? undefined : node.control.checked) };
  },
  /** True, false, or what the server chooses. */
  maybe(value) {
    const was = value === undefined ? "" : String(value);
    const node = select([["", t("default")], ["true", t("yes")], ["false", t("no")]], was);
    return { node, read: () => (node.value === was ? undefined : node.value === "" ? null : node.value === "true") };
  },
  secret(value, { isSet = Boolean(value), required }) {
    const control = input({ type: "password", autocomplete: "new-password", required: required && !isSet, placeholder: isSet ? t("isSet") : undefined });
    return writeOnly(control, isSet, () => control.value.trim());
  },
  /** A key's file, which the browser reads. */
  file(value, { isSet = Boolean(value), accept, onName }) {
    const control = input({ type: "file", accept, "data-is-set": isSet });
    control.addEventListener("change", () => onName?.(control.files[0]?.name ?? ""));
    return writeOnly(control, isSet, () => control.files[0]?.text());
  },
  /** The tenant of Microsoft's issuer. */
  tenant(value = "") {
    const [, was = value] = /^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0$/.exec(value) ?? [];
    const node = input({ value: was, placeholder: "common", spellcheck: "false" });
    return {
      node,
      read: () => {
        const now = changed(node.value.trim(), was);
        return now ? `https://login.microsoftonline.com/${now}/v2.0` : now;
      },
    };
  },
  flow(value) {
    const was = value?.idToken ? "idToken" : "code";
    const node = select([["code", t("code")], ["idToken", t("idToken")]], was);
    return { node, read: () => (node.value === was ? undefined : { [node.value]: true }) };
  },
  clients(value = []) {
    const list = element("div", { class: "stack" });
    const rows = [];
    const add = (client = {}) => {
      const id = input({ value: client.clientId ?? "", required: true, spellcheck: "false" });
      const secret = input({ type: "password", autocomplete: "new-password", placeholder: client.hasClientSecret ? t("isSet") : undefined });
      const apps = textarea({ rows: 2, value: client.bundleIds?.join("\n") });
      const row = { read: () => ({ clientId: id.value.trim(), bundleIds: lines(apps.value), ...(secret.value && { clientSecret: secret.value }) }) };
      const node = element("div", { class: "client" }, field(t("clientId"), id), field(t("clientSecret"), secret),
        field(t("bundleIds"), apps, { hint: t("lines") }),
        button(t("removeClient"), () => { rows.splice(rows.indexOf(row), 1); node.remove(); }, { kind: "danger", class: "danger small" }));
      rows.push(row);
      list.append(node);
    };
    value.forEach(add);
    const plain = ({ clientId, bundleIds }) => ({ clientId, bundleIds });
    return {
      node: element("div", { class: "stack" }, list, may("administrator") && button(t("addClient"), () => add(), { class: "small" })),
      read: () => {
        const now = rows.map((row) => row.read());
        return JSON.stringify(now) === JSON.stringify(value.map(plain)) ? undefined : now.length ? now : null;
      },
    };
  },
};

const changed = (now, was) => (now === was ? undefined : now || null);

export const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

function writeOnly(control, isSet, read) {
  const remove = isSet && checkbox(t("removeSecret"));
  const node = element("div", { class: "stack" }, control,
    isSet && element("small", {}, control.type === "file" ? `${t("isSet")}. ` : "", t("replace")), remove);
  node.control = control;
  return { node, read: async () => (remove && remove.control.checked ? null : await read() || undefined) };
}

/** Repeats a request until there is no next page. @param seen Gets each answer. */
export async function repeat(request, seen) {
  let pageToken;
  do {
    const answer = await request(pageToken);
    seen(answer);
    pageToken = answer.nextPageToken;
  } while (pageToken);
}
