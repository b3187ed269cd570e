// A small client for the operations that `/openapi.json` describes.

import { api, may, project, root, session } from "./console-api.js";
import { list, projectBase } from "./console-part.js";
import { texts } from "./console-texts.js";
import {
  confirm, copyable, details, download, element, field, form, input, section, select, table, textarea,
} from "./console-ui.js";

const MAXIMUM_SHOWN = 100_000;
const SHOWN_HEADERS = ["content-type", "x-request-id", "retry-after", "www-authenticate", "location"];

export async function callTool(place) {
  const response = await fetch(new URL("openapi.json", root));
  const description = await response.json();
  const [apiKey] = await list(`${projectBase()}/apiKeys`, "apiKeys").catch(() => []);
  const operations = operationsOf(description);
  const chosen = element("div", { class: "stack" });
  const choice = element("select", { size: 8 });
  const words = input({ type: "search", spellcheck: "false" });
  const fill = () => {
    choice.replaceChildren(...groups(operations, words.value));
    choice.selectedIndex = -1;
  };
  words.addEventListener("input", fill);
  choice.addEventListener("change", () => {
    const operation = operations.find(({ id }) => id === choice.value);
    chosen.replaceChildren(...operationForm(operation, description, apiKey?.keyString ?? ""));
  });
  fill();
  place.append(
    field(t("filter"), words, { hint: t("filter.hint") }),
    field(t("operation"), choice, { hint: t("operation.hint") }),
    chosen);
}

/** What the role allows, except streams, which have no end to show. */
function operationsOf({ paths, components, tags }) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })));
  const order = tags.map(({ name }) => name);
  return all
    .map((operation) => ({
      ...operation,
      id: operation.operationId,
      ...sentences(operation),
      tag: operation.tags[0],
      parameters: (operation.parameters ?? []).map((one) => resolved(one, { components })),
      credentials: credentialsOf(operation),
    }))
    .filter(({ credentials, responses }) => credentials.length > 0 && !responses["200"]?.content?.["text/event-stream"])
    .sort((one, other) => order.indexOf(one.tag) - order.indexOf(other.tag));
}

/** The first sentence of the summary names the operation; the others explain it. */
function sentences({ summary, description }) {
  const [first, rest] = summary.replace(/^Extension: /, "").split(/(?<=\.)\s(.*)/s);
  const title = first.replace(/\.$/, "").replaceAll("`", "");
  return { title: title[0].toUpperCase() + title.slice(1), explanation: [rest, description].filter(Boolean).join(" ") };
}

/** `administrator`, `apiKey`, `idToken` (with an API key) or `none`, as far as the role goes. */
function credentialsOf({ security, path, "x-role": role }) {
  const mayAsAdministrator = may(role ?? "viewer") && (path.includes("{project}") || !session().user?.project);
  if (security.length === 0) return ["none"];
  const found = security.flatMap((scheme) => {
    if (scheme.administrator) return mayAsAdministrator ? ["administrator"] : [];
    if (scheme.idToken) return ["idToken"];
    return scheme.apiKey ? ["apiKey"] : scheme.apiKeyHeader ? [] : ["none"];
  });
  return [...new Set(found)];
}

function groups(operations, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = operations.filter(({ id, summary, path, method }) => {
    const text = `${method} ${path} ${id} ${summary}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const byTag = Map.groupBy(fits, ({ tag }) => tag);
  return [...byTag].map(([tag, members]) => element("optgroup", { label: tag },
    members.map(({ id, title, method, path }) => element("option", { value: id }, `${title} — ${method} ${path}`))));
}

// The form of an operation

function operationForm(operation, description, apiKey) {
  const { method, path, title, explanation, parameters, credentials, requestBody } = operation;
  const controls = parameters.map((parameter) => parameterControl(parameter, description));
  const credential = select(credentials.map((name) => [name, t(`credential.${name}`)]), credentials[0]);
  const key = input({ value: apiKey, spellcheck: "false" });
  const idToken = input({ spellcheck: "false" });
  const keyField = field(t("credential.apiKey"), key);
  const tokenField = field(t("credential.idTokenField"), idToken);
  const draw = () => {
    keyField.hidden = !["apiKey", "idToken"].includes(credential.value);
    tokenField.hidden = credential.value !== "idToken";
  };
  credential.addEventListener("change", draw);
  draw();

  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isJSON = Object.keys(requestBody?.content ?? {}).includes("application/json");
  const schema = isJSON ? requestBody.content["application/json"].schema : content?.schema;
  const body = schema && textarea({
    rows: 8, value: isJSON ? JSON.stringify(method === "PATCH" ? {} : example(schema, description), null, 2) : "",
  });
  const answer = element("div", { class: "stack", tabindex: "-1" });
  const request = () => ({
    method, path, type: isJSON ? "application/json" : type, body: body?.value.trim(),
    values: controls.filter(({ value }) => value() !== ""),
    credential: credential.value, key: key.value.trim(), idToken: idToken.value.trim(),
  });
  const made = form([
    ...controls.map(({ field: shown }) => shown),
    credentials.length > 1 && field(t("credential"), credential),
    keyField, tokenField,
    body && field(t("body"), body, { hint: method === "PATCH" ? t("body.patch") : undefined }),
    schema && membersOf(schema, description),
  ], async () => {
    if (/delete|revoke|discard|drop|withdraw/i.test(operation.id) || method === "DELETE") {
      const text = element("p", {}, element("code", {}, `${method} ${address(request())}`));
      if (!await confirm({ title: t("sure"), text: [`${title}.`, text], action: t("send"), kind: "danger" })) return;
    }
    answer.replaceChildren(...await call(request()));
    answer.focus();
  }, { submit: t("send") });
  return [
    section(title,
      element("p", {}, element("code", {}, `${method} ${path}`)),
      explanation && element("p", {}, explanation),
      made),
    answer,
  ];
}

function parameterControl({ name, in: place, required, description: text, schema }, description) {
  const { enum: values, type, items } = resolved(schema, description);
  const start = name === "project" ? project() : "";
  const options = values ?? (type === "boolean" ? ["true", "false"] : undefined);
  const control = options
    ? select([...(required ? [] : [["", "–"]]), ...options.map((value) => [value, value])], start || undefined)
    : input({ value: start, required, spellcheck: "false" });
  if (options && required) control.required = true;
  const hint = [text, items && t("several")].filter(Boolean).join(" ");
  return {
    name, place, field: field(required ? name : t("optional", { name }), control, { hint }),
    value: () => control.value.trim(), isList: items !== undefined,
  };
}

// Schemas

function resolved(schema = {}, { components }) {
  if (!schema.$ref) return schema;
  const [, , kind, name] = schema.$ref.split("/");
  return resolved(components[kind][name], { components });
}

/** The own members of an object, and those of the schemas that it includes. */
function propertiesOf(schema, description) {
  const own = resolved(schema, description);
  const parts = (own.allOf ?? own.anyOf?.slice(0, 1) ?? []).map((part) => propertiesOf(part, description));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
    required: [...parts.flatMap(({ required }) => required), ...(own.required ?? [])],
  };
}

const isWritten = ({ readOnly, description = "" }) => !readOnly && !/Ignored|Not read|Only in responses|turns nothing on/.test(description);

/** An example body: the required members or, if none is, those that aren't objects. */
function example(schema, description, depth = 0) {
  const own = resolved(schema, description);
  if (own.const !== undefined) return own.const;
  if (own.enum) return own.enum[0];
  switch (own.type) {
    case "boolean": return false;
    case "integer": case "number": return own.minimum ?? 0;
    case "array": return depth < 2 && resolved(own.items, description).type === "object" ? [example(own.items, description, depth + 1)] : [];
    case "string": return "";
  }
  const { properties, required } = propertiesOf(own, description);
  const names = Object.keys(properties).filter((name) => isWritten(properties[name]));
  const chosen = required.length ? names.filter((name) => required.includes(name))
    : names.filter((name) => depth === 0 && !["object", "array", undefined].includes(resolved(properties[name], description).type));
  return Object.fromEntries(chosen.map((name) => [name, example(properties[name], description, depth + 1)]));
}

function membersOf(schema, description) {
  const rows = flattened(schema, description);
  return rows.length > 0 && details(t("members"), table({
    columns: [
      { title: t("member"), wide: true, cell: ({ path }) => element("code", {}, path) },
      { title: t("type"), cell: ({ member }) => typeName(member, description) },
      { title: "", wide: true, cell: ({ member, isRequired }) => [
        isRequired && t("required"), member.description ?? resolved(member, description).description,
      ].filter(Boolean).join(" ") },
    ],
    rows,
  }));
}

/** The members with those of inner objects: `signIn.email.enabled`. */
function flattened(schema, description, prefix = "", depth = 0) {
  const { properties, required } = propertiesOf(schema, description);
  return Object.entries(properties).filter(([, member]) => isWritten(member)).flatMap(([name, member]) => {
    const path = prefix + name;
    const inner = depth < 3 ? flattened(member, description, `${path}.`, depth + 1) : [];
    return inner.length > 0 ? inner : [{ path, member, isRequired: required.includes(name) }];
  });
}

function typeName(member, description) {
  const own = resolved(member, description);
  if (own.enum) return own.enum.map((value) => JSON.stringify(value)).join(" | ");
  return own.type === "array" ? `${typeName(own.items, description)}[]` : own.type ?? "object";
}

// The call

function address({ path, values, credential, key }) {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, place, value, isList } of values) {
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value()));
    else for (const one of isList ? value().split(/\s*,\s*/) : [value()]) query.append(name, one);
  }
  if (["apiKey", "idToken"].includes(credential) && key) query.set("key", key);
  return query.size ? `${filled}?${query}` : filled;
}

async function call(request) {
  const { method, type, body, credential, idToken } = request;
  const headers = { ...(body !== undefined && { "content-type": type }) };
  const started = performance.now();
  const url = new URL(address(request).slice(1), root);
  const names = [...new Set(url.searchParams.keys())];
  const response = credential === "administrator"
    ? await api.raw(method, address(request).split("?")[0], {
      body, headers, keepsRefusals: true, query: Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])),
    })
    : await fetch(url, {
      method, body, cache: "no-store", credentials: "omit",
      headers: { ...headers, ...(credential === "idToken" && { authorization: `Bearer ${idToken}` }) },
    });
  const text = await response.text();
  return answerOf(request, response, text, performance.now() - started);
}

function answerOf(request, response, text, milliseconds) {
  const shown = pretty(text);
  const isCut = shown.length > MAXIMUM_SHOWN;
  return [section(t("answer"),
    element("p", {}, element("strong", {}, t("status", { status: response.status, milliseconds: Math.round(milliseconds) }))),
    element("pre", { tabindex: "0", "aria-label": t("headers") }, SHOWN_HEADERS
      .filter((name) => response.headers.has(name)).map((name) => `${name}: ${response.headers.get(name)}`).join("\n")),
    element("pre", { tabindex: "0", "aria-label": t("answer") }, isCut ? `${shown.slice(0, MAXIMUM_SHOWN)}…` : shown),
    element("div", { class: "buttons" }, element("button", { type: "button", onclick: () => download("answer.json", shown) }, t("download")))),
  section(t("curl"), element("p", { class: "quiet" }, t("curl.text")), copyable(curl(request)))];
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The same call for a shell; credentials are variables, so that none gets into a history. */
function curl(request) {
  const { method, type, body, credential } = request;
  const quoted = (text) => `'${text.replace(/'/g, "'\\''")}'`;
  const parts = [`curl -X ${method} ${quoted(new URL(address(request).slice(1), root).href)}`];
  if (credential === "administrator") parts.push('-H "authorization: Bearer $GATEHOUSE_ADMIN_KEY"');
  if (credential === "idToken") parts.push('-H "authorization: Bearer $ID_TOKEN"');
  if (body !== undefined) parts.push(`-H ${quoted(`content-type: ${type}`)}`, `-d ${quoted(body)}`);
  return parts.join(" ");
}

const t = texts({
  en: {
    filter: "Search",
    "filter.hint": "Words of the operation's summary, path or name.",
    operation: "Operation",
    "operation.hint": "Only those that your role allows. Summaries are in English, as in the API's description.",
    credential: "Credential",
    "credential.administrator": "Your own, as an administrator",
    "credential.apiKey": "API key",
    "credential.idToken": "API key and ID token",
    "credential.idTokenField": "ID token",
    "credential.none": "None",
    optional: "{name} (optional)",
    several: "Several with commas.",
    body: "Body",
    "body.patch": "Only the members to change.",
    members: "Members of the body",
    member: "Member",
    type: "Type",
    required: "Required.",
    send: "Send",
    sure: "Send this request?",
    answer: "Answer",
    status: "Status {status} after {milliseconds} ms",
    headers: "Headers",
    download: "Save the answer",
    curl: "The same as curl",
    "curl.text": "Put the credential into the variable first: so it doesn't get into the shell's history.",
  },
  de: {
    filter: "Suchen",
    "filter.hint": "Wörter der Zusammenfassung, des Pfads oder des Namens.",
    operation: "Operation",
    "operation.hint": "Nur solche, die Ihre Rolle erlaubt. Die Zusammenfassungen sind englisch wie in der Beschreibung der API.",
    credential: "Berechtigung",
    "credential.administrator": "Ihre eigene als Administrator",
    "credential.apiKey": "API-Schlüssel",
    "credential.idToken": "API-Schlüssel und ID-Token",
    "credential.idTokenField": "ID-Token",
    "credential.none": "Keine",
    optional: "{name} (freiwillig)",
    several: "Mehrere mit Kommas.",
    body: "Body",
    "body.patch": "Nur die Felder, die sich ändern.",
    members: "Felder des Bodys",
    member: "Feld",
    type: "Typ",
    required: "Erforderlich.",
    send: "Senden",
    sure: "Diese Anfrage senden?",
    answer: "Antwort",
    status: "Status {status} nach {milliseconds} ms",
    headers: "Header",
    download: "Antwort speichern",
    curl: "Dasselbe mit curl",
    "curl.text": "Setzen Sie zuerst die Variable: So gelangt der Schlüssel nicht in den Verlauf der Shell.",
  },
  vi: {
    filter: "Tìm",
    "filter.hint": "Từ trong mô tả, đường dẫn hoặc tên.",
    operation: "Thao tác",
    "operation.hint": "Chỉ những thao tác vai trò của bạn cho phép. Mô tả bằng tiếng Anh như trong tài liệu API.",
    credential: "Thông tin xác thực",
    "credential.administrator": "Của bạn, với tư cách quản trị viên",
    "credential.apiKey": "Khóa API",
    "credential.idToken": "Khóa API và ID token",
    "credential.idTokenField": "ID token",
    "credential.none": "Không có",
    optional: "{name} (không bắt buộc)",
    several: "Nhiều giá trị cách nhau bằng dấu phẩy.",
    body: "Nội dung",
    "body.patch": "Chỉ những trường cần thay đổi.",
    members: "Các trường của nội dung",
    member: "Trường",
    type: "Kiểu",
    required: "Bắt buộc.",
    send: "Gửi",
    sure: "Gửi yêu cầu này?",
    answer: "Trả lời",
    status: "Trạng thái {status} sau {milliseconds} ms",
    headers: "Header",
    download: "Lưu câu trả lời",
    curl: "Lệnh curl tương đương",
    "curl.text": "Hãy đặt biến trước: như vậy khóa không lọt vào lịch sử của shell.",
  },
});
