// Who administers the server: console users, and keys for programs.

import { api } from "./console-api.js";
import { ask, list, part } from "./console-part.js";
import { texts } from "./console-texts.js";
import {
  badge, bdi, button, buttons, confirm, copyable, dialog, element, emptyState, field, input,
  section, select, table, time, toast,
} from "./console-ui.js";

const ROLES = ["viewer", "support", "administrator", "owner"];
const USERS = "/v2/server/consoleUsers";
const KEYS = "/v2/server/adminKeys";

export function administrators(place) {
  const consoleUsers = async (reload) => usersTable(await list(USERS, "consoleUsers"), reload);
  place.append(
    section(t("users"), element("p", {}, t("users.text")), part(consoleUsers)),
    section(t("keys"), element("p", {}, t("keys.text")), part(adminKeys)));
}

const once = (title, text, value) => dialog(title, element("p", {}, text), copyable(value));

function roleField(value) {
  const control = select(ROLES.map((role) => [role, role]), value);
  const hint = element("span", {}, t(`role.${control.value}`));
  control.addEventListener("change", () => { hint.textContent = t(`role.${control.value}`); });
  return { control, shown: field(t("role"), control, { hint }) };
}

// Console users

function usersTable(rows, reload) {
  const invite = button(t("invite"), () => inviteUser(reload), { kind: "primary" });
  const path = ({ uid }, verb = "") => `${USERS}/${encodeURIComponent(uid)}${verb}`;
  const label = (key, user) => ({ "aria-label": `${t(key)}: ${user.uid}` });

  const changeRole = (user) => {
    const role = roleField(user.role);
    ask(t("changeRole"), [element("p", {}, element("strong", {}, user.uid)), role.shown], async () => {
      await api.patch(path(user), { role: role.control.value });
      toast(t("saved"));
      await reload();
    }, t("save"));
  };
  const inviteAgain = async (user) => {
    if (!await confirm({ title: t("inviteAgain"), text: [element("p", {}, element("strong", {}, user.uid)), t("inviteAgain.text")], action: t("inviteAgain"), kind: "danger" })) return;
    const { invitationUrl } = await api.post(path(user, ":invite"), {});
    await reload();
    once(t("invitation"), t("invitation.text"), invitationUrl);
  };
  const remove = async (user) => {
    if (!await confirm({ title: t("user.delete"), text: [element("p", {}, element("strong", {}, user.uid)), t("user.delete.text")], action: t("delete"), kind: "danger" })) return;
    await api.delete(path(user));
    toast(t("deleted"));
    await reload();
  };

  if (rows.length === 0) return emptyState(t("users.none"), t("users.none.text"), invite);
  return [
    table({
      columns: [
        { title: t("name"), wide: true, cell: ({ uid, email }) => [uid, email && [element("br"), element("small", {}, bdi(email))]] },
        { title: t("role"), cell: ({ role, project }) => [role, element("br"), element("small", {}, project ?? t("allProjects"))] },
        { title: t("state"), cell: ({ state, factors = [] }) => [
          state === "active" ? badge(t("active"), "good") : badge(t("invited"), "warn"), " ", ...factors.map((factor) => badge(factor))] },
        { title: t("lastSignIn"), cell: ({ lastSignInTime }) => time(lastSignInTime) },
        { title: "", cell: (user) => buttons(
          button(t("changeRole"), () => changeRole(user), { class: "small", ...label("changeRole", user) }),
          button(t("inviteAgain"), () => inviteAgain(user), { class: "small", ...label("inviteAgain", user) }),
          button(t("delete"), () => remove(user), { kind: "danger small", ...label("delete", user) })) },
      ],
      rows,
    }),
    buttons(invite),
  ];
}

async function inviteUser(reload) {
  const projects = await list("/v2/projects", "projects");
  const email = input({ type: "email" });
  const uid = input({ required: true, maxlength: 64, pattern: "[a-z0-9.\\-]+", spellcheck: "false", autocapitalize: "off" });
  const role = roleField("support");
  const project = select([["", t("allProjects")], ...projects.map(({ projectId }) => [projectId, projectId])], "");
  ask(t("invite"), [
    field(t("name"), uid, { hint: t("name.hint") }), field(t("email"), email, { hint: t("email.hint") }), role.shown, field(t("project"), project),
  ], async () => {
    const { invitationUrl } = await api.post(USERS, {
      uid: uid.value, email: email.value.trim() || undefined,
      role: role.control.value, project: project.value || undefined,
    });
    await reload();
    return () => once(t("invitation"), t("invitation.text"), invitationUrl);
  }, t("invite"));
}

// Keys

async function adminKeys(reload) {
  const rows = await list(KEYS, "adminKeys");
  const create = button(t("key.create"), () => createKey(reload));
  if (rows.length === 0) return emptyState(t("keys.none"), t("keys.none.text"), create);
  return [
    table({
      columns: [
        { title: t("key"), cell: ({ prefix }) => element("code", {}, `${prefix}…`) },
        { title: t("role"), cell: ({ role }) => role },
        { title: t("project"), cell: ({ project }) => project ?? t("allProjects") },
        { title: t("created"), cell: ({ createTime }) => time(createTime) },
        { title: t("expires"), cell: ({ expireTime }) => time(expireTime) },
        { title: "", cell: (key) => button(t("delete"), () => deleteKey(key, reload), { kind: "danger small", "aria-label": `${t("delete")}: ${key.prefix}` }) },
      ],
      rows,
    }),
    buttons(create),
  ];
}

function createKey(reload) {
  const role = roleField("administrator");
  const expires = input({ type: "datetime-local" });
  ask(t("key.create"), [role.shown, field(t("expires"), expires, { hint: t("expires.hint") })], async () => {
    const { key } = await api.post(KEYS, {
      role: role.control.value, expireTime: expires.value ? new Date(expires.value).toISOString() : undefined,
    });
    await reload();
    return () => once(t("key"), t("key.text"), key);
  }, t("create"));
}

async function deleteKey({ prefix }, reload) {
  if (!await confirm({ title: t("key.delete", { prefix }), text: t("key.delete.text"), action: t("delete"), kind: "danger" })) return;
  await api.delete(`${KEYS}/${encodeURIComponent(prefix)}`);
  toast(t("deleted"));
  await reload();
}

const t = texts({
  en: {
    users: "People who use this console",
    "users.text": "Each has their own account with a passkey, or a password and a second factor.",
    "users.none": "Nobody yet",
    "users.none.text": "Invite the people who administer this server, each with the smallest role that they need.",
    invite: "Invite",
    inviteAgain: "Invite again",
    "inviteAgain.text": "Takes away the password, the factors and the sessions. The person signs up again with the new link.",
    invitation: "Invitation",
    "invitation.text": "Give this link to the person, over a channel that nobody else reads. It is shown only once, and is good once, for three days.",
    changeRole: "Change role",
    name: "Name",
    email: "Email",
    "name.hint": "Small letters, digits, points and hyphens. The event log shows it.",
    "email.hint": "Optional: the person can choose it.",
    role: "Role",
    "role.viewer": "Sees accounts and settings, but no secrets.",
    "role.support": "Also changes accounts: disables, deletes, ends sessions, sets passwords.",
    "role.administrator": "Also changes settings, sees secrets, imports and exports accounts.",
    "role.owner": "Also makes administrators, and deletes projects.",
    project: "Project",
    allProjects: "All projects",
    state: "State",
    active: "Active",
    invited: "Invited",
    lastSignIn: "Last sign-in",
    save: "Save",
    saved: "Saved.",
    create: "Create",
    created: "Created",
    delete: "Delete",
    deleted: "Deleted.",
    "user.delete": "Delete this administrator?",
    "user.delete.text": "Their sessions end at once. What they did stays in the event log.",
    keys: "Administrators' keys of the whole server",
    "keys.text": "For scripts and for the command on another machine. A project's own keys are on its page of apps and keys.",
    "keys.none": "No key",
    "keys.none.text": "Create one to call the API from a script.",
    key: "Key",
    "key.create": "Create a key",
    "key.text": "Copy it now: it is shown only once. Anyone who has it can do what its role allows.",
    "key.delete": "Delete the key {prefix}…?",
    "key.delete.text": "Programs that use it are refused at once.",
    expires: "Expires",
    "expires.hint": "Optional, your local time. Without it, the key is valid until it is deleted.",
  },
  de: {
    users: "Personen, die diese Konsole verwenden",
    "users.text": "Jede hat ein eigenes Konto mit einem Passkey oder mit Passwort und zweitem Faktor.",
    "users.none": "Noch niemand",
    "users.none.text": "Laden Sie die Personen ein, die diesen Server verwalten, jede mit der kleinsten Rolle, die sie braucht.",
    invite: "Einladen",
    inviteAgain: "Erneut einladen",
    "inviteAgain.text": "Nimmt der Person Passwort, Faktoren und Sitzungen. Mit dem neuen Link richtet sie ihr Konto neu ein.",
    invitation: "Einladung",
    "invitation.text": "Geben Sie der Person diesen Link auf einem Weg, den sonst niemand liest. Er wird nur einmal angezeigt und gilt einmal, drei Tage lang.",
    changeRole: "Rolle ändern",
    name: "Name",
    email: "E-Mail",
    "name.hint": "Kleinbuchstaben, Ziffern, Punkte und Bindestriche. Er steht im Ereignisprotokoll.",
    "email.hint": "Freiwillig: Die Person kann sie selbst wählen.",
    role: "Rolle",
    "role.viewer": "Sieht Konten und Einstellungen, aber keine Geheimnisse.",
    "role.support": "Ändert außerdem Konten: sperrt, löscht, beendet Sitzungen, setzt Passwörter.",
    "role.administrator": "Ändert außerdem Einstellungen, sieht Geheimnisse, importiert und exportiert Konten.",
    "role.owner": "Ernennt außerdem Administratoren und löscht Projekte.",
    project: "Projekt",
    allProjects: "Alle Projekte",
    state: "Zustand",
    active: "Aktiv",
    invited: "Eingeladen",
    lastSignIn: "Letzte Anmeldung",
    save: "Speichern",
    saved: "Gespeichert.",
    create: "Anlegen",
    created: "Angelegt",
    delete: "Löschen",
    deleted: "Gelöscht.",
    "user.delete": "Diesen Administrator löschen?",
    "user.delete.text": "Die Sitzungen enden sofort. Was die Person getan hat, bleibt im Ereignisprotokoll.",
    keys: "Schlüssel für Administratoren des ganzen Servers",
    "keys.text": "Für Skripte und für den Befehl auf einem anderen Rechner. Die Schlüssel eines Projekts stehen auf dessen Seite für Apps und Schlüssel.",
    "keys.none": "Kein Schlüssel",
    "keys.none.text": "Legen Sie einen an, um die API aus einem Skript aufzurufen.",
    key: "Schlüssel",
    "key.create": "Schlüssel anlegen",
    "key.text": "Kopieren Sie ihn jetzt: Er wird nur einmal angezeigt. Wer ihn hat, kann alles, was seine Rolle erlaubt.",
    "key.delete": "Den Schlüssel {prefix}… löschen?",
    "key.delete.text": "Programme, die ihn verwenden, werden sofort abgewiesen.",
    expires: "Läuft ab",
    "expires.hint": "Freiwillig, Ihre Ortszeit. Ohne Angabe gilt der Schlüssel, bis er gelöscht wird.",
  },
  vi: {
    users: "Người dùng bảng điều khiển này",
    "users.text": "Mỗi người có tài khoản riêng với passkey, hoặc mật khẩu và yếu tố thứ hai.",
    "users.none": "Chưa có ai",
    "users.none.text": "Hãy mời những người quản trị máy chủ này, mỗi người với vai trò nhỏ nhất mà họ cần.",
    invite: "Mời",
    inviteAgain: "Mời lại",
    "inviteAgain.text": "Mật khẩu, các yếu tố và phiên bị gỡ bỏ. Người đó đăng ký lại bằng liên kết mới.",
    invitation: "Lời mời",
    "invitation.text": "Hãy gửi liên kết này qua kênh mà không ai khác đọc được. Liên kết chỉ hiển thị một lần và dùng được một lần, trong ba ngày.",
    changeRole: "Đổi vai trò",
    name: "Tên",
    email: "Email",
    "name.hint": "Chữ thường, chữ số, dấu chấm và gạch nối. Nhật ký sự kiện hiển thị tên này.",
    "email.hint": "Không bắt buộc: người đó có thể tự chọn.",
    role: "Vai trò",
    "role.viewer": "Xem tài khoản và thiết lập, nhưng không xem khóa bí mật.",
    "role.support": "Thêm quyền thay đổi tài khoản: vô hiệu hóa, xóa, kết thúc phiên, đặt mật khẩu.",
    "role.administrator": "Thêm quyền thay đổi thiết lập, xem khóa bí mật, nhập và xuất tài khoản.",
    "role.owner": "Thêm quyền tạo quản trị viên và xóa dự án.",
    project: "Dự án",
    allProjects: "Mọi dự án",
    state: "Trạng thái",
    active: "Hoạt động",
    invited: "Đã mời",
    lastSignIn: "Đăng nhập gần nhất",
    save: "Lưu",
    saved: "Đã lưu.",
    create: "Tạo",
    created: "Tạo lúc",
    delete: "Xóa",
    deleted: "Đã xóa.",
    "user.delete": "Xóa quản trị viên này?",
    "user.delete.text": "Các phiên kết thúc ngay. Những gì người đó đã làm vẫn còn trong nhật ký sự kiện.",
    keys: "Khóa quản trị của toàn máy chủ",
    "keys.text": "Dành cho script và cho lệnh trên máy khác. Khóa riêng của dự án nằm ở trang ứng dụng và khóa của dự án.",
    "keys.none": "Chưa có khóa",
    "keys.none.text": "Hãy tạo một khóa để gọi API từ script.",
    key: "Khóa",
    "key.create": "Tạo khóa",
    "key.text": "Hãy sao chép ngay: khóa chỉ hiển thị một lần. Ai có khóa đều làm được những gì vai trò cho phép.",
    "key.delete": "Xóa khóa {prefix}…?",
    "key.delete.text": "Các chương trình dùng khóa này bị từ chối ngay.",
    expires: "Hết hạn",
    "expires.hint": "Không bắt buộc, giờ địa phương của bạn. Nếu bỏ trống, khóa có hiệu lực đến khi bị xóa.",
  },
});
