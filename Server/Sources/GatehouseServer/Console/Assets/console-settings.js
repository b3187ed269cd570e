// What concerns the whole server: `#/server/settings`.

import { api, mayServer } from "./console-api.js";
import { administrators } from "./console-administrators.js";
import { loadProjects } from "./console.js";
import { outbox } from "./console-outbox.js";
import { ask, list, part } from "./console-part.js";
import { keys } from "./console-signing.js";
import { texts } from "./console-texts.js";
import {
  badge, bdi, button, buttons, confirm, copyable, details, element, emptyState, facts, field,
  findings, heading, input, link, section, select, table, tabs, toast,
} from "./console-ui.js";

export async function render(main) {
  if (!mayServer()) {
    main.append(heading(t("title")), emptyState(t("notAllowed"), t("notAllowed.text")));
    return;
  }
  main.append(heading(t("title"), { text: t("lead") }), tabs([
    { id: "projects", label: t("projects"), render: (place) => place.append(part(projects)) },
    { id: "administrators", label: t("administrators"), render: administrators },
    { id: "keys", label: t("keys"), render: keys },
    { id: "settings", label: t("settings"), render: settings },
    { id: "doctor", label: t("doctor"), render: doctor },
    { id: "outbox", label: t("outbox"), render: (place) => place.append(outbox("/v2/server")) },
    { id: "backup", label: t("backup"), render: backup },
  ]));
}

// Projects

async function projects(reload) {
  const rows = await list("/v2/projects", "projects");
  const add = button(t("project.create"), createProject, { kind: "primary" });
  if (rows.length === 0) return emptyState(t("projects.none"), t("projects.none.text"), add);
  return [
    table({
      columns: [
        { title: t("name"), wide: true, cell: ({ projectId, displayName }) =>
          link(bdi(displayName || projectId), `#/${encodeURIComponent(projectId)}/overview`) },
        { title: t("projectID"), cell: ({ projectId }) => element("code", {}, projectId) },
        { title: t("issuer"), wide: true, cell: ({ issuer }) => element("code", {}, issuer) },
        { title: "", cell: (project) => buttons(
          button(t("rename"), () => rename(project, reload), { class: "small", "aria-label": `${t("rename")}: ${project.projectId}` }),
          button(t("delete"), () => deleteProject(project), { kind: "danger small", "aria-label": `${t("delete")}: ${project.projectId}` })) },
      ],
      rows,
    }),
    buttons(add, link(t("events"), "#/server/events")),
  ];
}

function createProject() {
  const id = input({ required: true, pattern: "[a-z][a-z0-9\\-]{2,62}", spellcheck: "false", autocapitalize: "off", placeholder: "my-app" });
  const name = input();
  const domains = input({ spellcheck: "false", placeholder: "app.example.com" });
  const shown = ask(t("project.create"), [
    field(t("projectID"), id, { hint: t("projectID.hint") }),
    field(t("name"), name, { hint: t("name.hint") }),
    field(t("domains"), domains, { hint: t("domains.hint") }),
  ], async () => {
    const authorizedDomains = domains.value.split(/[\s,]+/).filter(Boolean);
    const { projectId } = await api.post("/v2/projects", {
      projectId: id.value.trim(), displayName: name.value.trim() || undefined,
      ...(authorizedDomains.length > 0 && { authorizedDomains }),
    });
    await loadProjects();
    shown.closed.then(() => { location.hash = `#/${encodeURIComponent(projectId)}/start`; });
  }, t("create"));
}

function rename({ projectId, displayName }, reload) {
  const name = input({ value: displayName ?? "", required: true });
  ask(t("rename"), [field(t("name"), name)], async () => {
    await api.patch(`/v2/projects/${encodeURIComponent(projectId)}`, { displayName: name.value.trim() });
    await redraw();
    toast(t("saved"));
  }, t("save"));
}

async function deleteProject({ projectId }) {
  const isSure = await confirm({
    title: t("project.delete", { id: projectId }), text: t("project.delete.text"), action: t("delete"), kind: "danger", typed: projectId,
  });
  if (!isSure) return;
  await api.delete(`/v2/projects/${encodeURIComponent(projectId)}`);
  await redraw();
  toast(t("project.deleted", { id: projectId }));
}

/** The navigation shows the projects too. */
async function redraw() {
  await loadProjects();
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

// Settings

async function settings(place) {
  const [version, all] = await Promise.all([api.get("/v2/server/version"), list("/v2/server/settings", "settings")]);
  const words = input({ type: "search", spellcheck: "false" });
  const changed = select([["", t("settings.all")], ["given", t("settings.given")]], "");
  const shown = table({
    columns: [
      { title: t("key"), wide: true, cell: ({ key, meaning }) => element("div", {}, element("code", {}, key), element("p", { class: "quiet", lang: "en" }, meaning)) },
      { title: t("value"), cell: ({ value, from }) => (from === "default" && value === "none" ? element("span", { class: "quiet" }, t("notSet")) : bdi(value)) },
      { title: t("from"), cell: (one) => one.from === "default"
        ? badge(t("default"))
        : element("div", {}, badge(one.from, "good"), element("p", { class: "quiet" }, `${t("default")}: ${one.default === "none" ? t("notSet") : one.default}`)) },
    ],
    empty: emptyState(t("settings.none"), t("settings.none.text")),
  });
  const fill = () => {
    const wanted = words.value.toLowerCase().trim();
    shown.clear();
    shown.add(all.filter(({ key, value, from, meaning }) =>
      `${key} ${value} ${meaning}`.toLowerCase().includes(wanted) && !(changed.value && from === "default")));
  };
  words.addEventListener("input", fill);
  changed.addEventListener("change", fill);
  fill();
  place.append(
    facts([
      [t("version"), [version.version, version.commit && ` (${version.commit})`]],
      [t("mode"), t.has(version.mode) ? t(version.mode) : version.mode],
      [t("publicURL"), element("code", {}, version.publicUrl)],
    ]),
    element("p", {}, t("settings.text")),
    copyable("gatehouse serve --list-settings"),
    element("div", { class: "columns" }, field(t("search"), words), field(t("settings.which"), changed)),
    shown);
}

// Doctor

function doctor(place) {
  const result = element("div", { class: "stack", tabindex: "-1", role: "status" });
  place.append(
    element("p", {}, t("doctor.text")),
    buttons(button(t("doctor.run"), async () => {
      result.replaceChildren(element("p", { class: "quiet" }, t("doctor.running")));
      try {
        const report = await api.post("/v2/server/doctor", {});
        const of = Object.groupBy(report.findings, ({ verdict }) => verdict);
        const passed = of.ok ?? [];
        result.replaceChildren(
          element("p", {}, report.healthy ? badge(t("doctor.healthy"), "good") : badge(t("doctor.faults", { count: of.failed?.length ?? 0 }), "bad")),
          findings([...(of.failed ?? []), ...(of.warning ?? [])]),
          details(t("doctor.passed", { count: passed.length }), findings(passed)));
      } catch (error) {
        result.replaceChildren();
        throw error;
      }
    }, { kind: "primary" })),
    result);
}

// Backup

function backup(place) {
  place.append(
    element("p", {}, t("backup.text")),
    section(t("backup.make"), element("p", {}, t("backup.make.text")), copyable("gatehouse backup /var/backups/gatehouse --keep 14")),
    section(t("backup.try"), element("p", {}, t("backup.try.text")),
      copyable("gatehouse restore /var/backups/gatehouse/gatehouse-….sqlite --data /tmp/try --master-key-file /etc/gatehouse/master.key")),
    section(t("backup.restore"), element("p", {}, t("backup.restore.text")), element("pre", { tabindex: "0", "aria-label": t("backup.restore") },
      "systemctl stop gatehouse\ngatehouse restore /var/backups/gatehouse/gatehouse-….sqlite\nsystemctl start gatehouse")));
}

const t = texts({
  en: {
    title: "Server settings",
    lead: "What concerns all projects.",
    notAllowed: "Only for owners of all projects",
    "notAllowed.text": "Ask an owner of this server for the role.",
    projects: "Projects",
    administrators: "Administrators",
    account: "My account",
    keys: "Keys",
    settings: "Settings",
    doctor: "Doctor",
    outbox: "Outbox",
    backup: "Backup",
    "projects.none": "No project yet",
    "projects.none.text": "A project has its own users, apps and sign-in methods.",
    "project.create": "Create a project",
    create: "Create",
    events: "Event log of the server",
    name: "Name",
    "name.hint": "Users see it in emails and on pages.",
    projectID: "Project ID",
    "projectID.hint": "A lower-case letter, then 2 to 62 lower-case letters, digits and hyphens. It is part of the issuer of ID tokens and can't be changed.",
    issuer: "Issuer",
    domains: "Authorized domains",
    "domains.hint": "Optional: hosts of your web apps, with commas between them.",
    rename: "Rename",
    delete: "Delete",
    save: "Save",
    saved: "Saved.",
    "project.delete": "Delete the project {id}?",
    "project.delete.text": "All its accounts, apps, keys and settings are deleted at once. Nothing is revoked at the providers. Only a backup can bring them back.",
    "project.deleted": "The project {id} was deleted.",
    version: "Version",
    mode: "Mode", development: "development", production: "production", notSet: "not set",
    publicURL: "Public URL",
    "settings.text": "They are set on the server's machine, with flags, variables or a file, and read when the server starts. This command explains each:",
    search: "Search",
    "settings.which": "Show",
    "settings.all": "All settings",
    "settings.given": "Only those that were given",
    "settings.none": "No setting",
    "settings.none.text": "Search for something else.",
    key: "Setting",
    value: "Value",
    from: "Given by",
    default: "default",
    "doctor.text": "Checks the whole installation: settings, keys, database, disk, mail, and each provider.",
    "doctor.run": "Check now",
    "doctor.running": "Checking… This takes some seconds.",
    "doctor.healthy": "No fault",
    "doctor.faults": "Faults: {count}",
    "doctor.passed": "Checks passed: {count}",
    "backup.text": "Backups are made on the server's machine, while the server runs. A backup doesn't contain the master key: keep a copy of the key elsewhere, and never beside the backups. With PostgreSQL, use its own tools.",
    "backup.make": "Make a backup",
    "backup.make.text": "Each night by a timer, and before an upgrade. Copy the files to another machine.",
    "backup.try": "Try a restore",
    "backup.try.text": "In another folder or on another machine. Do it once before you need it.",
    "backup.restore": "Restore",
    "backup.restore.text": "All changes after the backup are lost, also revocations and deletions: note the deleted accounts first, and delete them again.",
  },
  de: {
    title: "Servereinstellungen",
    lead: "Was alle Projekte betrifft.",
    notAllowed: "Nur für Owner aller Projekte",
    "notAllowed.text": "Bitten Sie einen Owner dieses Servers um die Rolle.",
    projects: "Projekte",
    administrators: "Administratoren",
    account: "Mein Konto",
    keys: "Schlüssel",
    settings: "Einstellungen",
    doctor: "Diagnose",
    outbox: "Ausgang",
    backup: "Sicherung",
    "projects.none": "Noch kein Projekt",
    "projects.none.text": "Ein Projekt hat eigene Benutzer, Apps und Anmeldeverfahren.",
    "project.create": "Projekt anlegen",
    create: "Anlegen",
    events: "Ereignisprotokoll des Servers",
    name: "Name",
    "name.hint": "Benutzer sehen ihn in E-Mails und auf Seiten.",
    projectID: "Projekt-ID",
    "projectID.hint": "Ein Kleinbuchstabe, dann 2 bis 62 Kleinbuchstaben, Ziffern und Bindestriche. Sie ist Teil des Ausstellers der ID-Tokens und lässt sich nicht ändern.",
    issuer: "Aussteller",
    domains: "Autorisierte Domains",
    "domains.hint": "Freiwillig: Hosts Ihrer Web-Apps, mit Kommas getrennt.",
    rename: "Umbenennen",
    delete: "Löschen",
    save: "Speichern",
    saved: "Gespeichert.",
    "project.delete": "Projekt {id} löschen?",
    "project.delete.text": "Alle Konten, Apps, Schlüssel und Einstellungen werden sofort gelöscht. Bei den Anbietern wird nichts widerrufen. Nur eine Sicherung kann sie zurückbringen.",
    "project.deleted": "Das Projekt {id} wurde gelöscht.",
    version: "Version",
    mode: "Modus", development: "Entwicklung", production: "Produktion", notSet: "nicht gesetzt",
    publicURL: "Öffentliche URL",
    "settings.text": "Sie werden auf dem Rechner des Servers gesetzt, mit Optionen, Variablen oder einer Datei, und beim Start gelesen. Dieser Befehl erklärt jede:",
    search: "Suchen",
    "settings.which": "Anzeigen",
    "settings.all": "Alle Einstellungen",
    "settings.given": "Nur die gesetzten",
    "settings.none": "Keine Einstellung",
    "settings.none.text": "Suchen Sie nach etwas anderem.",
    key: "Einstellung",
    value: "Wert",
    from: "Gesetzt durch",
    default: "Standard",
    "doctor.text": "Prüft die ganze Installation: Einstellungen, Schlüssel, Datenbank, Platte, E-Mail und jeden Anbieter.",
    "doctor.run": "Jetzt prüfen",
    "doctor.running": "Wird geprüft … Das dauert einige Sekunden.",
    "doctor.healthy": "Kein Fehler",
    "doctor.faults": "Fehler: {count}",
    "doctor.passed": "Bestandene Prüfungen: {count}",
    "backup.text": "Sicherungen entstehen auf dem Rechner des Servers, während er läuft. Sie enthalten den Hauptschlüssel nicht: Bewahren Sie eine Kopie anderswo auf, nie neben den Sicherungen. Bei PostgreSQL verwenden Sie dessen eigene Werkzeuge.",
    "backup.make": "Sicherung erstellen",
    "backup.make.text": "Jede Nacht durch einen Timer und vor jedem Upgrade. Kopieren Sie die Dateien auf einen anderen Rechner.",
    "backup.try": "Wiederherstellung üben",
    "backup.try.text": "In einem anderen Ordner oder auf einem anderen Rechner. Tun Sie es einmal, bevor Sie es brauchen.",
    "backup.restore": "Wiederherstellen",
    "backup.restore.text": "Alle Änderungen nach der Sicherung gehen verloren, auch Widerrufe und Löschungen: Notieren Sie zuerst die gelöschten Konten und löschen Sie sie danach wieder.",
  },
  vi: {
    title: "Cài đặt máy chủ",
    lead: "Những gì liên quan đến mọi dự án.",
    notAllowed: "Chỉ dành cho owner của mọi dự án",
    "notAllowed.text": "Hãy xin vai trò này từ một owner của máy chủ.",
    projects: "Dự án",
    administrators: "Quản trị viên",
    account: "Tài khoản của tôi",
    keys: "Khóa",
    settings: "Thiết lập",
    doctor: "Chẩn đoán",
    outbox: "Hàng đợi",
    backup: "Sao lưu",
    "projects.none": "Chưa có dự án",
    "projects.none.text": "Mỗi dự án có người dùng, ứng dụng và cách đăng nhập riêng.",
    "project.create": "Tạo dự án",
    create: "Tạo",
    events: "Nhật ký sự kiện của máy chủ",
    name: "Tên",
    "name.hint": "Người dùng thấy tên này trong email và trên các trang.",
    projectID: "ID dự án",
    "projectID.hint": "Một chữ thường, rồi 2 đến 62 chữ thường, chữ số và dấu gạch nối. ID là một phần của bên phát hành ID token và không thể đổi.",
    issuer: "Bên phát hành",
    domains: "Tên miền được phép",
    "domains.hint": "Không bắt buộc: máy chủ của các ứng dụng web, cách nhau bằng dấu phẩy.",
    rename: "Đổi tên",
    delete: "Xóa",
    save: "Lưu",
    saved: "Đã lưu.",
    "project.delete": "Xóa dự án {id}?",
    "project.delete.text": "Mọi tài khoản, ứng dụng, khóa và thiết lập bị xóa ngay. Không có gì bị thu hồi tại nhà cung cấp. Chỉ bản sao lưu mới khôi phục được.",
    "project.deleted": "Đã xóa dự án {id}.",
    version: "Phiên bản",
    mode: "Chế độ", development: "phát triển", production: "sản xuất", notSet: "chưa đặt",
    publicURL: "URL công khai",
    "settings.text": "Chúng được đặt trên máy chủ bằng tham số, biến môi trường hoặc tệp, và được đọc khi khởi động. Lệnh này giải thích từng thiết lập:",
    search: "Tìm",
    "settings.which": "Hiển thị",
    "settings.all": "Mọi thiết lập",
    "settings.given": "Chỉ những thiết lập đã đặt",
    "settings.none": "Không có thiết lập",
    "settings.none.text": "Hãy tìm từ khác.",
    key: "Thiết lập",
    value: "Giá trị",
    from: "Đặt bởi",
    default: "mặc định",
    "doctor.text": "Kiểm tra toàn bộ cài đặt: thiết lập, khóa, cơ sở dữ liệu, đĩa, email và từng nhà cung cấp.",
    "doctor.run": "Kiểm tra ngay",
    "doctor.running": "Đang kiểm tra… Việc này mất vài giây.",
    "doctor.healthy": "Không có lỗi",
    "doctor.faults": "Số lỗi: {count}",
    "doctor.passed": "Số kiểm tra đạt: {count}",
    "backup.text": "Sao lưu được thực hiện trên máy chủ trong khi máy chủ chạy. Bản sao lưu không chứa khóa chính: hãy giữ một bản khóa ở nơi khác, không bao giờ cạnh bản sao lưu. Với PostgreSQL, hãy dùng công cụ riêng của nó.",
    "backup.make": "Tạo bản sao lưu",
    "backup.make.text": "Mỗi đêm bằng bộ hẹn giờ, và trước khi nâng cấp. Hãy chép các tệp sang máy khác.",
    "backup.try": "Thử khôi phục",
    "backup.try.text": "Trong thư mục khác hoặc trên máy khác. Hãy làm một lần trước khi thật sự cần.",
    "backup.restore": "Khôi phục",
    "backup.restore.text": "Mọi thay đổi sau bản sao lưu sẽ mất, kể cả thu hồi và xóa: hãy ghi lại các tài khoản đã xóa trước, rồi xóa lại chúng.",
  },
});
