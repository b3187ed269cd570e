// The event log of a project, or of the whole server's settings: `#/server/events`.

import { api, may, mayServer, project } from "./console-api.js";
import { actor, eventKinds, projectHash, subject } from "./console-part.js";
import { texts } from "./console-texts.js";
import {
  bdi, button, copyable, details, dialog, download, element, emptyState, facts,
  field, findings, form, heading, input, link, pager, section, select, table, textarea, time, toast,
} from "./console-ui.js";

const scope = () => project() || "server";
const base = () => project() ? `/v2/projects/${encodeURIComponent(project())}/events` : "/v2/server/events";
const hash = (id) => id ? `#/${encodeURIComponent(scope())}/events/${encodeURIComponent(id)}` : `#/${encodeURIComponent(scope())}/events`;

export async function render(main, route) {
  return route.parts[0] ? renderEvent(main, route.parts[0]) : renderLog(main, route.query);
}

function renderLog(main, query) {
  const shown = table({
    columns: [
      { title: t("time"), cell: (event) => time(event.time) },
      { title: t("kind"), wide: true, cell: (event) => link(event.kind, hash(event.id)) },
      { title: t("about"), wide: true, cell: (event) => about(event) },
      { title: t("actor"), cell: (event) => actor(event.actor) },
      { title: t("details"), wide: true, cell: (event) => bdi(summary(event)) },
    ],
    empty: emptyState(t("none"), [...query].length ? t("none.filter") : t("none.text")),
  });
  main.append(
    heading(project() ? t("title") : t("title.server"), {
      text: project() ? t("lead") : t("lead.server"),
      actions: [
        button(t("verify"), verify),
        may("administrator") && button(t("export"), exportLog),
        button(t("keys"), async () => download("audit-keys.json", JSON.stringify(await api.get(`${base()}:keys`)))),
      ],
    }),
    element("p", {}, project()
      ? mayServer() && link(t("toServer"), "#/server/events")
      : link(t("toProject"), "#/")),
    filters(query),
    shown,
    pager((pageToken) => page(query, pageToken), shown));
}

async function page(query, pageToken) {
  const { events, nextPageToken } = await api.get(base(), {
    kind: query.getAll("kind"), uid: query.get("uid"), actor: query.get("actor"),
    since: query.get("since"), until: query.get("until"), pageSize: 50, pageToken,
  });
  return { rows: events, next: nextPageToken };
}

function about({ uid, details: { what, name } }) {
  if (uid) return userLink(uid);
  return what ? [subject(what), " ", element("strong", {}, bdi(name ?? ""))] : "–";
}

const userLink = (uid) => link(bdi(uid), projectHash("users", uid));

/** The details in one line; `from` and `to` are on the event's own page. */
function summary({ details }) {
  const names = Object.keys(details);
  const members = new Set(names.filter((name) => /^(from|to)\./.test(name)).map((name) => name.replace(/^(from|to)\./, "")));
  const others = names
    .filter((name) => !/^(from|to)\.|^(what|name)$/.test(name) && !(name === "change" && members.size))
    .map((name) => `${name}: ${details[name]}`);
  const few = [...members].slice(0, 3).join(", ") + (members.size > 3 ? ` +${members.size - 3}` : "");
  const line = [...others, few].filter(Boolean).join(" · ");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line || "–";
}

// Filters: in the address, so that a filtered log can be sent to someone.

function filters(query) {
  const kind = select([["", t("kind.any")], ...eventKinds.map((name) => [name, name])], query.get("kind") ?? "");
  const uid = input({ value: query.get("uid") ?? "", spellcheck: "false" });
  const by = input({ value: query.get("actor") ?? "", placeholder: "user, server, administrator …" });
  const since = input({ type: "datetime-local", value: local(query.get("since")) });
  const until = input({ type: "datetime-local", value: local(query.get("until")) });
  const fields = [["kind", kind, t("kind")], ["uid", uid, t("uid")], ["actor", by, t("actor")],
    ["since", since, t("since")], ["until", until, t("until")]];
  const shown = [...query.keys()].some((name) => fields.some(([own]) => own === name));
  const made = details(t("filter"), form(
    [element("div", { class: "columns" }, ...fields.filter(([name]) => project() || name !== "uid")
      .map(([, control, label]) => field(label, control)))],
    () => {
      const chosen = new URLSearchParams();
      for (const [name, control] of fields) {
        const value = control.value.trim();
        if (value) chosen.set(name, control.type === "datetime-local" ? new Date(value).toISOString() : value);
      }
      location.hash = `${hash()}?${chosen}`;
    },
    { submit: t("apply"), others: [link(t("reset"), hash())] }));
  made.open = shown;
  return made;
}

/** A time of the address, as the control for a local time takes it. */
function local(value) {
  const at = new Date(value ?? NaN);
  return Number.isNaN(at.getTime()) ? ""
    : new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

// One event

async function renderEvent(main, id) {
  const event = await api.get(`${base()}/${encodeURIComponent(id)}`);
  const { source = {} } = event;
  const changes = changesOf(event.details);
  const others = Object.entries(event.details).filter(([name]) => !/^(from|to)\./.test(name));
  main.append(
    heading(event.kind),
    link(`← ${t("all")}`, hash()),
    facts([
      [t("time"), [time(event.time), " ", element("small", {}, event.time)]],
      [t("number"), String(event.number)],
      [t("id"), copyable(event.id)],
      event.uid && [t("uid"), element("span", { class: "row" }, userLink(event.uid), link(t("ofUser"), `${hash()}?${new URLSearchParams({ uid: event.uid })}`))],
      [t("actor"), actor(event.actor)],
      ...others.map(([name, value]) => [element("code", {}, name), bdi(value)]),
    ]),
    changes.length > 0 && section(t("changes"), table({
      columns: [
        { title: t("member"), cell: ({ member }) => element("code", {}, member) },
        { title: t("from"), wide: true, cell: ({ from }) => value(from) },
        { title: t("to"), wide: true, cell: ({ to }) => value(to) },
      ],
      rows: changes,
    }), element("p", { class: "quiet" }, t("changes.hint"))),
    section(t("source"), Object.keys(source).length ? facts([
      source.userAgent && [t("userAgent"), bdi(source.userAgent)],
      source.app && [t("app"), bdi(source.app)],
      source.address && [t("address"), element("code", {}, source.address)],
      source.request && [t("request"), element("code", {}, source.request)],
    ]) : element("p", {}, t("source.none"))));
}

/** `from.MEMBER` and `to.MEMBER` as rows. */
function changesOf(details) {
  const changes = new Map();
  for (const [name, text] of Object.entries(details)) {
    const [, side, member] = /^(from|to)\.(.*)$/s.exec(name) ?? [];
    if (side) changes.set(member, { ...changes.get(member), member, [side]: text });
  }
  return [...changes.values()];
}

const value = (text) => text === undefined ? element("span", { class: "quiet" }, t("absent")) : bdi(text === "" ? "“”" : text);

// Verification and export: the server does a part of the work in each request.

/** A dialog's line with the progress, and whether the dialog is still open. */
function progress(place, key) {
  const line = element("p", { role: "status" });
  place.append(line);
  return {
    isWanted: () => place.isConnected,
    show: (count) => { line.textContent = t(key, { count }); },
    end: () => line.remove(),
  };
}

function verify() {
  const kept = textarea({ rows: 3, placeholder: "eyJ…" });
  const content = element("div", { class: "stack" }, element("p", {}, t("verify.text")),
    form([field(t("kept"), kept, { hint: t("kept.hint") })], async () => {
      const checkpoints = kept.value.split(/\s+/).filter(Boolean);
      const told = report(await verified(checkpoints, progress(content, "verify.progress")));
      content.replaceChildren(told);
      told.focus();
    }, { submit: t("verify.start") }));
  dialog(t("verify"), content);
}

async function verified(checkpoints, line) {
  const result = { faults: [], verified: 0 };
  try {
    let pageToken;
    do {
      const part = await api.post(`${base()}:verify`, { checkpoints, pageToken });
      result.faults.push(...part.faults);
      result.verified += part.verified;
      result.first ??= part.first;
      result.start ??= part.start;
      result.last = part.last ?? result.last;
      result.lastCheckpoint = part.lastCheckpoint ?? result.lastCheckpoint;
      pageToken = part.nextPageToken;
      line.show(result.verified);
      // Who sees where the change begins doesn't need each event after it.
    } while (pageToken && result.faults.length < 20 && line.isWanted());
    return result;
  } finally {
    line.end();
  }
}

function report({ faults, verified: count, first, last, start, lastCheckpoint }) {
  const found = faults.length
    ? faults.map((detail) => ({ check: t("fault"), verdict: "failed", detail, remedy: t("fault.remedy") }))
    : [{ check: t("intact"), verdict: "ok", detail: count ? t("intact.text", { count, first, last }) : t("intact.empty") }];
  if (last !== undefined && (lastCheckpoint?.number ?? 0) < last) {
    found.push({ check: t("uncovered"), verdict: "ok", detail: t("uncovered.text", { count: last - (lastCheckpoint?.number ?? 0) }) });
  }
  return element("div", { class: "stack", tabindex: "-1" },
    findings(found),
    start && element("p", {}, t("removed", { count: start.number })),
    lastCheckpoint && [
      element("strong", {}, t("checkpoint", { number: lastCheckpoint.number })),
      element("p", {}, t("checkpoint.text")),
      copyable(lastCheckpoint.token),
    ]);
}

function exportLog() {
  const shown = dialog(t("export"), element("p", {}, t("export.text")),
    form([], async () => {
      const line = progress(shown.element, "export.progress");
      const file = await exported(line);
      if (!line.isWanted()) return;
      shown.close();
      download(`${scope()}-events.jsonl`, file.blob);
      toast(file.fault ? t("export.fault", { fault: file.fault }) : t("export.done", { count: file.count }));
    }, { submit: t("export.start") }));
}

async function exported(line) {
  const parts = [];
  let count = 0, fault, pageToken;
  do {
    const part = await api.get(`${base()}:export`, { pageToken });
    // A Blob for each part: the browser may keep them on the disk.
    parts.push(new Blob(part.lines.map((one) => `${JSON.stringify(one)}\n`)));
    count += part.lines.filter((one) => one.event).length;
    fault = part.fault;
    pageToken = part.nextPageToken;
    line.show(count);
  } while (pageToken && line.isWanted());
  return { blob: new Blob(parts, { type: "application/x-ndjson" }), count, fault };
}

const t = texts({
  en: {
    title: "Events",
    "title.server": "Events of the server",
    lead: "What happened to accounts and settings, newest first. The log doesn't contain failed sign-ins.",
    "lead.server": "Changes of the whole server's settings, newest first.",
    toServer: "Log of the whole server",
    toProject: "Log of a project",
    time: "Time",
    kind: "Event",
    "kind.any": "Any",
    about: "About",
    uid: "User ID",
    actor: "By",
    details: "Details",
    since: "Since",
    until: "Until",
    filter: "Filter",
    apply: "Apply",
    reset: "Show all",
    none: "No events",
    "none.text": "As soon as an account or a setting changes, it is here.",
    "none.filter": "No event passes the filter.",
    all: "All events",
    ofUser: "Events of this user",
    number: "Number",
    id: "ID",
    changes: "Changes",
    "changes.hint": "… stands for a secret or text that is never shown. Long values are cut.",
    member: "Member",
    from: "From",
    to: "To",
    absent: "absent",
    source: "Client",
    "source.none": "Not recorded, or erased with the user.",
    userAgent: "User agent",
    app: "App",
    address: "Address",
    request: "Request",
    keys: "Public keys",
    verify: "Verify",
    "verify.text": "Checks each event's digest and the signed checkpoints. A changed, removed or inserted event is found.",
    "verify.start": "Verify now",
    "verify.progress": "Verified events: {count}",
    kept: "Checkpoints that you kept",
    "kept.hint": "Optional. The log has to agree with them. One per line.",
    intact: "Nothing was changed",
    "intact.text": "Events verified: {count}, from number {first} to {last}.",
    "intact.empty": "The log is empty.",
    fault: "The log was changed",
    "fault.remedy": "Keep a copy of the database, and find out who can write to it. Trust only events up to a checkpoint that you kept.",
    uncovered: "Not signed yet",
    "uncovered.text": "Events after the last checkpoint: {count}. The next checkpoint comes after 1000 events or an hour.",
    removed: "Events up to number {count} were removed after their retention time.",
    checkpoint: "Last checkpoint, at event {number}",
    "checkpoint.text": "Keep it elsewhere and give it to the next verification: so the end of the log can't be removed unnoticed.",
    export: "Export",
    "export.text": "Writes all events to a file, oldest first, with a signed checkpoint at the end. “gatehouse audit verify --file” verifies it.",
    "export.start": "Export now",
    "export.progress": "Exported events: {count}",
    "export.done": "Exported events: {count}.",
    "export.fault": "The end of the file has no checkpoint, because the log was changed: {fault}",
  },
  de: {
    title: "Ereignisse",
    "title.server": "Ereignisse des Servers",
    lead: "Was mit Konten und Einstellungen geschah, das Neueste zuerst. Fehlgeschlagene Anmeldungen stehen nicht im Protokoll.",
    "lead.server": "Änderungen an den Einstellungen des ganzen Servers, die neueste zuerst.",
    toServer: "Protokoll des ganzen Servers",
    toProject: "Protokoll eines Projekts",
    time: "Zeit",
    kind: "Ereignis",
    "kind.any": "Alle",
    about: "Betrifft",
    uid: "Benutzer-ID",
    actor: "Durch",
    details: "Einzelheiten",
    since: "Seit",
    until: "Bis",
    filter: "Filter",
    apply: "Anwenden",
    reset: "Alle zeigen",
    none: "Keine Ereignisse",
    "none.text": "Sobald sich ein Konto oder eine Einstellung ändert, steht es hier.",
    "none.filter": "Kein Ereignis passt zum Filter.",
    all: "Alle Ereignisse",
    ofUser: "Ereignisse dieses Benutzers",
    number: "Nummer",
    id: "ID",
    changes: "Änderungen",
    "changes.hint": "… steht für ein Geheimnis oder einen Text, der nie gezeigt wird. Lange Werte sind gekürzt.",
    member: "Feld",
    from: "Vorher",
    to: "Nachher",
    absent: "fehlt",
    source: "Client",
    "source.none": "Nicht aufgezeichnet oder mit dem Benutzer gelöscht.",
    userAgent: "User-Agent",
    app: "App",
    address: "Adresse",
    request: "Anfrage",
    keys: "Öffentliche Schlüssel",
    verify: "Prüfen",
    "verify.text": "Prüft den Hashwert jedes Ereignisses und die signierten Prüfpunkte. Geänderte, entfernte und eingefügte Ereignisse werden gefunden.",
    "verify.start": "Jetzt prüfen",
    "verify.progress": "Geprüfte Ereignisse: {count}",
    kept: "Aufbewahrte Prüfpunkte",
    "kept.hint": "Freiwillig. Das Protokoll muss zu ihnen passen. Einer je Zeile.",
    intact: "Nichts wurde verändert",
    "intact.text": "Geprüfte Ereignisse: {count}, von Nummer {first} bis {last}.",
    "intact.empty": "Das Protokoll ist leer.",
    fault: "Das Protokoll wurde verändert",
    "fault.remedy": "Bewahren Sie eine Kopie der Datenbank auf und finden Sie heraus, wer in sie schreiben kann. Verlassen Sie sich nur auf Ereignisse bis zu einem Prüfpunkt, den Sie aufbewahrt haben.",
    uncovered: "Noch nicht signiert",
    "uncovered.text": "Ereignisse nach dem letzten Prüfpunkt: {count}. Der nächste kommt nach 1000 Ereignissen oder einer Stunde.",
    removed: "Ereignisse bis Nummer {count} wurden nach Ablauf ihrer Aufbewahrungszeit entfernt.",
    checkpoint: "Letzter Prüfpunkt, bei Ereignis {number}",
    "checkpoint.text": "Bewahren Sie ihn anderswo auf und geben Sie ihn bei der nächsten Prüfung an: So kann niemand das Ende des Protokolls unbemerkt entfernen.",
    export: "Exportieren",
    "export.text": "Schreibt alle Ereignisse in eine Datei, das älteste zuerst, mit einem signierten Prüfpunkt am Ende. „gatehouse audit verify --file“ prüft sie.",
    "export.start": "Jetzt exportieren",
    "export.progress": "Exportierte Ereignisse: {count}",
    "export.done": "Exportierte Ereignisse: {count}.",
    "export.fault": "Am Ende der Datei fehlt der Prüfpunkt, weil das Protokoll verändert wurde: {fault}",
  },
  vi: {
    title: "Sự kiện",
    "title.server": "Sự kiện của máy chủ",
    lead: "Những gì đã xảy ra với tài khoản và thiết lập, mới nhất trước. Nhật ký không có các lần đăng nhập thất bại.",
    "lead.server": "Thay đổi thiết lập của toàn máy chủ, mới nhất trước.",
    toServer: "Nhật ký của toàn máy chủ",
    toProject: "Nhật ký của một dự án",
    time: "Thời gian",
    kind: "Sự kiện",
    "kind.any": "Tất cả",
    about: "Đối tượng",
    uid: "ID người dùng",
    actor: "Bởi",
    details: "Chi tiết",
    since: "Từ",
    until: "Đến",
    filter: "Bộ lọc",
    apply: "Áp dụng",
    reset: "Hiện tất cả",
    none: "Không có sự kiện",
    "none.text": "Khi một tài khoản hoặc thiết lập thay đổi, sự kiện sẽ hiện ở đây.",
    "none.filter": "Không sự kiện nào khớp bộ lọc.",
    all: "Mọi sự kiện",
    ofUser: "Sự kiện của người dùng này",
    number: "Số",
    id: "ID",
    changes: "Thay đổi",
    "changes.hint": "… thay cho khóa bí mật hoặc nội dung không bao giờ hiển thị. Giá trị dài bị cắt bớt.",
    member: "Trường",
    from: "Trước",
    to: "Sau",
    absent: "không có",
    source: "Máy khách",
    "source.none": "Không được ghi lại, hoặc đã xóa cùng người dùng.",
    userAgent: "User agent",
    app: "Ứng dụng",
    address: "Địa chỉ",
    request: "Yêu cầu",
    keys: "Khóa công khai",
    verify: "Kiểm tra",
    "verify.text": "Kiểm tra mã băm của từng sự kiện và các điểm kiểm tra đã ký. Sự kiện bị sửa, xóa hoặc chèn thêm sẽ bị phát hiện.",
    "verify.start": "Kiểm tra ngay",
    "verify.progress": "Số sự kiện đã kiểm tra: {count}",
    kept: "Điểm kiểm tra bạn đã lưu",
    "kept.hint": "Không bắt buộc. Nhật ký phải khớp với chúng. Mỗi dòng một điểm.",
    intact: "Không có gì bị thay đổi",
    "intact.text": "Số sự kiện đã kiểm tra: {count}, từ số {first} đến {last}.",
    "intact.empty": "Nhật ký trống.",
    fault: "Nhật ký đã bị thay đổi",
    "fault.remedy": "Hãy giữ một bản sao cơ sở dữ liệu và tìm xem ai có thể ghi vào đó. Chỉ tin các sự kiện đến điểm kiểm tra mà bạn đã lưu.",
    uncovered: "Chưa được ký",
    "uncovered.text": "Số sự kiện sau điểm kiểm tra cuối: {count}. Điểm tiếp theo có sau 1000 sự kiện hoặc một giờ.",
    removed: "Các sự kiện đến số {count} đã được xóa khi hết thời hạn lưu.",
    checkpoint: "Điểm kiểm tra cuối, tại sự kiện {number}",
    "checkpoint.text": "Hãy lưu ở nơi khác và dùng cho lần kiểm tra sau: như vậy không ai xóa được phần cuối nhật ký mà không bị phát hiện.",
    export: "Xuất",
    "export.text": "Ghi mọi sự kiện vào một tệp, cũ nhất trước, với điểm kiểm tra đã ký ở cuối. “gatehouse audit verify --file” kiểm tra tệp này.",
    "export.start": "Xuất ngay",
    "export.progress": "Số sự kiện đã xuất: {count}",
    "export.done": "Số sự kiện đã xuất: {count}.",
    "export.fault": "Cuối tệp không có điểm kiểm tra vì nhật ký đã bị thay đổi: {fault}",
  },
});
