// Import and export of users, in the format of `firebase auth:export`.

import { api, may, project } from "./console-api.js";
import { accounts } from "./console-account.js";
import { texts } from "./console-texts.js";
import { button, card, checkbox, download, element, field, form, heading, input, link, select, table, textarea, toast } from "./console-ui.js";

const t = texts({
  en: {
    users: "Users", import: "Import users", importText: "From a JSON file of firebase auth:export or of another Gatehouse. For files of some hundred megabytes, use the command gatehouse import.",
    file: "File", fileHint: "JSON with a list \"users\".", hash: "Password hash parameters", hashHint: "The whole text from Firebase's console (Authentication → Users → ⋮ → Password hash parameters), or of the .hash file of an export. Empty if the file has no password hashes.",
    existing: "A user who exists already", refuse: "is reported and stays unchanged", keep: "stays unchanged", replace: "is replaced, and signed out",
    dryRun: "Only check, write nothing", start: "Import", stop: "Stop", again: "Another import",
    noFile: "Choose a file.", notJSON: "The file is not JSON: {reason}", noUsers: "The file has no list \"users\".", hashLine: "Line {line} of the parameters is not `name: value,`.",
    progress: "{done} of {all} users", stopped: "Stopped after {done} of {all} users.", finished: "Done: {all} users.", checked: "Checked {all} users. Nothing was written.",
    imported: "{count} imported", wouldImport: "{count} could be imported", kept: "{count} existed already", failed: "{count} not imported",
    refused: "Rows that were not imported", row: "Row", id: "User ID", reason: "Reason", firstRows: "The first {count} of {all}.", saveRefused: "Download the list",
    export: "Export users", exportText: "All users of this project as a JSON file, in the format of firebase auth:export.", withHashes: "With password hashes", hashesHint: "Users whose passwords were hashed differently go to separate files, each with a .hash file that says how. Protect these files like passwords.", startExport: "Export",
    exported: "{count} users so far", exportDone: "{count} users exported.",
  },
  de: {
    users: "Benutzer", import: "Benutzer importieren", importText: "Aus einer JSON-Datei von firebase auth:export oder eines anderen Gatehouse. Für Dateien von einigen hundert Megabyte gibt es den Befehl gatehouse import.",
    file: "Datei", fileHint: "JSON mit einer Liste \"users\".", hash: "Passwort-Hash-Parameter", hashHint: "Der ganze Text aus der Firebase-Konsole (Authentication → Users → ⋮ → Password hash parameters) oder aus der Datei .hash eines Exports. Leer, wenn die Datei keine Passwort-Hashes hat.",
    existing: "Ein Benutzer, den es schon gibt,", refuse: "wird gemeldet und bleibt unverändert", keep: "bleibt unverändert", replace: "wird ersetzt und abgemeldet",
    dryRun: "Nur prüfen, nichts schreiben", start: "Importieren", stop: "Anhalten", again: "Noch ein Import",
    noFile: "Wählen Sie eine Datei.", notJSON: "Die Datei ist kein JSON: {reason}", noUsers: "Die Datei hat keine Liste \"users\".", hashLine: "Zeile {line} der Parameter ist nicht `name: value,`.",
    progress: "{done} von {all} Benutzern", stopped: "Angehalten nach {done} von {all} Benutzern.", finished: "Fertig: {all} Benutzer.", checked: "{all} Benutzer geprüft. Nichts wurde geschrieben.",
    imported: "{count} importiert", wouldImport: "{count} ließen sich importieren", kept: "{count} gab es schon", failed: "{count} nicht importiert",
    refused: "Zeilen, die nicht importiert wurden", row: "Zeile", id: "Benutzer-ID", reason: "Grund", firstRows: "Die ersten {count} von {all}.", saveRefused: "Liste herunterladen",
    export: "Benutzer exportieren", exportText: "Alle Benutzer dieses Projekts als JSON-Datei, im Format von firebase auth:export.", withHashes: "Mit Passwort-Hashes", hashesHint: "Benutzer, deren Passwörter anders gehasht wurden, kommen in eigene Dateien, jede mit einer Datei .hash, die sagt, wie. Schützen Sie diese Dateien wie Passwörter.", startExport: "Exportieren",
    exported: "{count} Benutzer bis jetzt", exportDone: "{count} Benutzer exportiert.",
  },
  vi: {
    users: "Người dùng", import: "Nhập người dùng", importText: "Từ tệp JSON của firebase auth:export hoặc của một Gatehouse khác. Với tệp vài trăm megabyte, hãy dùng lệnh gatehouse import.",
    file: "Tệp", fileHint: "JSON có danh sách \"users\".", hash: "Tham số băm mật khẩu", hashHint: "Toàn bộ văn bản từ bảng điều khiển Firebase (Authentication → Users → ⋮ → Password hash parameters), hoặc từ tệp .hash của một lần xuất. Để trống nếu tệp không có mật khẩu đã băm.",
    existing: "Người dùng đã có sẵn", refuse: "được báo lại và giữ nguyên", keep: "được giữ nguyên", replace: "bị thay thế và bị đăng xuất",
    dryRun: "Chỉ kiểm tra, không ghi gì", start: "Nhập", stop: "Dừng", again: "Nhập tiếp",
    noFile: "Hãy chọn một tệp.", notJSON: "Tệp không phải JSON: {reason}", noUsers: "Tệp không có danh sách \"users\".", hashLine: "Dòng {line} của tham số không có dạng `name: value,`.",
    progress: "{done} trên {all} người dùng", stopped: "Đã dừng sau {done} trên {all} người dùng.", finished: "Xong: {all} người dùng.", checked: "Đã kiểm tra {all} người dùng. Không ghi gì cả.",
    imported: "đã nhập {count}", wouldImport: "có thể nhập {count}", kept: "{count} đã có sẵn", failed: "{count} không nhập được",
    refused: "Các dòng không nhập được", row: "Dòng", id: "ID người dùng", reason: "Lý do", firstRows: "{count} dòng đầu trong {all}.", saveRefused: "Tải danh sách",
    export: "Xuất người dùng", exportText: "Mọi người dùng của dự án trong một tệp JSON, theo định dạng của firebase auth:export.", withHashes: "Kèm mật khẩu đã băm", hashesHint: "Những người dùng có mật khẩu được băm theo cách khác nằm trong tệp riêng, mỗi tệp kèm một tệp .hash cho biết cách băm. Hãy bảo vệ các tệp này như mật khẩu.", startExport: "Xuất",
    exported: "{count} người dùng cho đến nay", exportDone: "Đã xuất {count} người dùng.",
  },
});

// A request may have 200 users with a password in plain text, and 8 MiB.
const ROWS = 200;
const BYTES = 4 << 20;
const SHOWN_REFUSALS = 100;

const MEMBERS = [
  "localId", "email", "emailVerified", "displayName", "photoUrl", "phoneNumber", "passwordHash", "salt", "rawPassword", "disabled", "customAttributes",
  "createdAt", "lastLoginAt", "lastSignedInAt", "validSince", "providerUserInfo", "mfaInfo", "emailLinkSignin",
];

const HASH_TEXTS = { algorithm: "hashAlgorithm", base64_signer_key: "signerKey", base64_salt_separator: "saltSeparator", password_hash_order: "passwordHashOrder" };
const HASH_NUMBERS = { rounds: "rounds", mem_cost: "memoryCost", cpu_mem_cost: "cpuMemCost", block_size: "blockSize", parallelization: "parallelization", dk_len: "dkLen" };

export function render(main, view) {
  main.append(link(t("users"), `#/${project()}/users`, { class: "back" }));
  if (view === "export") return renderExport(main);
  return renderImport(main);
}

// Import

function renderImport(main) {
  const place = element("div", { class: "stack" });
  const file = input({ type: "file", name: "file", accept: ".json,application/json" });
  main.append(heading(t("import"), { text: t("importText") }), place);
  place.append(card(form([
    field(t("file"), file, { hint: t("fileHint") }),
    field(t("hash"), textarea({ name: "hash", rows: 7 }), { hint: t("hashHint") }),
    field(t("existing"), select(["keep", "replace", "refuse"].map((name) => [name, t(name)]), "keep", { name: "existing" })),
    checkbox(t("dryRun"), true, { name: "validateOnly" }),
  ], async (data) => {
    const users = await readUsers(file.files[0]);
    const request = { ...hashParameters(data.get("hash")), existing: data.get("existing"), validateOnly: data.has("validateOnly") };
    await importUsers(place, users, request);
  }, { submit: t("start") })));
}

async function readUsers(file) {
  if (!file) throw new Error(t("noFile"));
  let content;
  try {
    content = JSON.parse(await file.text());
  } catch (error) {
    throw new Error(t("notJSON", { reason: error.message }));
  }
  const users = Array.isArray(content) ? content : content.users;
  if (!Array.isArray(users)) throw new Error(t("noUsers"));
  return users;
}

/** Firebase's text, `name: value,` a line, as members of the request. */
function hashParameters(text) {
  const found = {};
  text.split(/\r?\n/).forEach((line, at) => {
    const content = line.trim().replace(/,$/, "");
    if (!content || content === "hash_config {" || content === "}") return;
    const [, name, value] = /^(\w+)\s*:\s*(.*)$/.exec(content) ?? [];
    if (name in HASH_TEXTS) found[HASH_TEXTS[name]] = value;
    else if (name in HASH_NUMBERS && /^\d+$/.test(value)) found[HASH_NUMBERS[name]] = Number(value);
    else throw new Error(t("hashLine", { line: at + 1 }));
  });
  return found;
}

/** Batches of users, small enough for one request, with the place of the first one. */
function* batches(users) {
  let batch = [];
  let bytes = 0;
  for (const [at, user] of users.entries()) {
    const row = Object.fromEntries(MEMBERS.filter((name) => user?.[name] !== undefined).map((name) => [name, user[name]]));
    const size = JSON.stringify(row).length;
    if (batch.length === ROWS || (batch.length && bytes + size > BYTES)) {
      yield { first: at - batch.length, batch };
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length) yield { first: users.length - batch.length, batch };
}

async function importUsers(place, users, request) {
  const sum = { done: 0, imported: 0, kept: 0, refused: [] };
  let isStopped = false;
  const bar = element("progress", { max: users.length || 1, value: 0, "aria-label": t("import") });
  // Not a live region: a screen reader would read each batch.
  const line = element("p");
  const stop = button(t("stop"), () => { isStopped = true; });
  const counts = element("p", { class: "quiet" });
  const form = place.firstChild;
  place.replaceChildren(card(line, bar, counts, stop));
  const show = () => {
    bar.value = sum.done;
    line.textContent = t("progress", { done: sum.done, all: users.length });
    counts.textContent = [
      t(request.validateOnly ? "wouldImport" : "imported", { count: sum.imported }), t("kept", { count: sum.kept }), t("failed", { count: sum.refused.length }),
    ].join(" · ");
  };
  show();
  try {
    for (const { first, batch } of batches(users)) {
      // Also stops when the reader went to another page.
      if (isStopped || !place.isConnected) break;
      const answer = await api.post(accounts(":batchCreate"), { ...request, users: batch });
      sum.done += batch.length;
      sum.imported += answer.imported ?? 0;
      sum.kept += answer.kept ?? 0;
      for (const { index, message } of answer.error ?? []) {
        sum.refused.push({ row: first + index + 1, localId: batch[index].localId ?? "", message });
      }
      show();
    }
    line.textContent = t(sum.done < users.length ? "stopped" : request.validateOnly ? "checked" : "finished", { done: sum.done, all: users.length });
    toast(line.textContent);
  } catch (error) {
    line.textContent = t("stopped", { done: sum.done, all: users.length });
    throw error;
  } finally {
    // The form keeps its file and parameters: after a dry run, the same import follows.
    form.querySelector("[name=validateOnly]").checked = false;
    stop.replaceWith(button(t("again"), () => place.replaceChildren(form)));
    if (sum.refused.length) place.append(refusals(sum.refused));
  }
}

function refusals(refused) {
  const lines = refused.map(({ row, localId, message }) => `${row}\t${localId}\t${message}\n`);
  const save = button(t("saveRefused"), () => download(`${project()}-not-imported.tsv`, lines.join(""), "text/tab-separated-values"));
  return element("section", {}, element("h2", {}, t("refused")), table({
    caption: t("refused"),
    columns: [
      { title: t("row"), cell: ({ row }) => String(row) },
      { title: t("id"), cell: ({ localId }) => element("code", {}, localId), wide: true },
      { title: t("reason"), cell: ({ message }) => message, wide: true },
    ],
    rows: refused.slice(0, SHOWN_REFUSALS),
  }), refused.length > SHOWN_REFUSALS && element("p", { class: "quiet" }, t("firstRows", { count: SHOWN_REFUSALS, all: refused.length })),
  element("div", { class: "buttons" }, save));
}

// Export

function renderExport(main) {
  const line = element("p");
  const hashes = checkbox(t("withHashes"), false, { name: "hashes" });
  main.append(heading(t("export"), { text: t("exportText") }), card(form([
    may("administrator") && field(undefined, hashes, { hint: t("hashesHint") }), line,
  ], () => exportUsers(main, line, hashes.control.checked), { submit: t("startExport") })));
}

async function exportUsers(main, line, hasHashes) {
  // Hashes that were computed differently can't be imported together.
  const files = [{ group: "", lines: [] }];
  const fileOf = (group) => {
    if (!group) return files[0];
    const known = files.find((file) => file.group === group) ?? (files[0].group ? undefined : files[0]);
    if (!known) files.push({ group, lines: [] });
    const file = known ?? files.at(-1);
    file.group = group;
    return file;
  };
  let count = 0;
  for await (const page of exportPages()) {
    if (!main.isConnected) return;
    for (const user of page) {
      const hash = hasHashes && user.passwordHashParameters;
      fileOf(hash ? JSON.stringify(hash) : "").lines.push(JSON.stringify(exported(user, hash)));
    }
    count += page.length;
    line.textContent = t("exported", { count });
  }
  for (const [at, { group, lines }] of files.entries()) {
    const name = `${project()}-users${at ? `-${at + 1}` : ""}.json`;
    download(name, new Blob(["{\"users\":[\n", lines.join(",\n"), "\n]}\n"], { type: "application/json" }));
    if (group) download(`${name}.hash`, hashText(JSON.parse(group)), "text/plain");
  }
  line.textContent = t("exportDone", { count });
  toast(line.textContent);
}

async function* exportPages() {
  let nextPageToken;
  do {
    const page = await api.get(accounts(":batchGet"), { maxResults: 1000, nextPageToken });
    yield page.users ?? [];
    nextPageToken = page.nextPageToken;
  } while (nextPageToken);
}

/** A user in the format of `firebase auth:export`: the password and the phone number aren't identities. */
function exported(user, hash) {
  return {
    localId: user.localId, email: user.email, emailVerified: user.emailVerified ?? false,
    passwordHash: hash ? user.passwordHash : undefined, salt: hash ? user.salt : undefined,
    displayName: user.displayName, photoUrl: user.photoUrl, lastSignedInAt: user.lastLoginAt, createdAt: user.createdAt,
    phoneNumber: user.phoneNumber, disabled: user.disabled || undefined, customAttributes: user.customAttributes,
    providerUserInfo: (user.providerUserInfo ?? []).filter(({ providerId }) => providerId !== "password" && providerId !== "phone")
      .map(({ providerId, rawId, email, displayName, photoUrl }) => ({ providerId, rawId, email, displayName, photoUrl })),
    mfaInfo: user.mfaInfo,
  };
}

function hashText(parameters) {
  const lines = Object.entries({ ...HASH_TEXTS, ...HASH_NUMBERS }).filter(([, member]) => member in parameters)
    .map(([name, member]) => `  ${name}: ${parameters[member]},\n`);
  return `hash_config {\n${lines.join("")}}\n`;
}
