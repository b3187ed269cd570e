// Who uses the console, where they are signed in, and their passkeys: `#/server/me`.

import { client } from "./console-account.js";
import { session } from "./console-api.js";
import { ask, part } from "./console-part.js";
import { deviceName, endOwnSession, ownAccount, ownSessions } from "./console-session.js";
import { texts } from "./console-texts.js";
import { badge, bdi, button, buttons, confirm, element, facts, field, heading, input, section, table, time, toast } from "./console-ui.js";

export function render(main) {
  const { uid, email, role, project } = session().user;
  const ways = element("div", { class: "stack" });
  ways.append(buttons(button(t("ways.show"), async () => {
    const own = await ownAccount();
    ways.replaceChildren(part((reload) => waysToSignIn(own, reload)));
  })));
  main.append(
    heading(t("title")),
    facts([[t("name"), uid], email && [t("email"), bdi(email)], [t("role"), role], [t("project"), project ?? t("all")]].filter(Boolean)),
    section(t("ways"), element("p", {}, t("ways.text")), ways),
    section(t("sessions"), element("p", {}, t("sessions.text")), part(sessions)));
}

async function waysToSignIn(own, reload) {
  const { passkeyInfo = [], mfaInfo = [] } = await own.load();
  const remove = async (passkey) => {
    if (!await confirm({ title: t("remove.title", { name: passkey.name }), text: t("remove.text"), action: t("remove"), kind: "danger" })) return;
    await own.removePasskey(passkey);
    toast(t("removed"));
    await reload();
  };
  const add = () => {
    const name = input({ value: deviceName(), required: true, maxlength: 64 });
    ask(t("add"), [field(t("passkeyName"), name)], async () => {
      await own.addPasskey(name.value.trim());
      toast(t("added"));
      await reload();
    }, t("add"));
  };
  // The last way to sign in stays.
  const mayRemove = passkeyInfo.length > 1 || mfaInfo.length > 0;
  return [
    passkeyInfo.length > 0 && table({
      caption: t("ways"),
      columns: [
        { title: t("passkey"), wide: true, cell: ({ name, backedUp }) => [bdi(name), " ", backedUp && badge(t("synced"))] },
        { title: t("addedAt"), cell: ({ createdAt }) => time(createdAt) },
        { title: t("usedAt"), cell: ({ lastUsedAt }) => time(lastUsedAt) },
        { title: "", cell: (passkey) => mayRemove && button(t("remove"), () => remove(passkey), { class: "danger small", "aria-label": `${t("remove")}: ${passkey.name}` }) },
      ],
      rows: passkeyInfo,
    }),
    element("p", {}, t(mfaInfo.length ? "app" : "noApp"), " ", t("invited")),
    own.takesPasskeys && buttons(button(t("add"), add)),
  ];
}

async function sessions(reload) {
  const end = async ({ sessionId }) => {
    await endOwnSession(sessionId);
    toast(t("ended"));
    await reload();
  };
  return table({
    columns: [
      { title: t("device"), wide: true, cell: ({ userAgent }) => (userAgent ? client(userAgent) : t("unknown")) },
      { title: t("address"), cell: ({ address }) => address ?? "" },
      { title: t("signedIn"), cell: ({ createdAt }) => time(createdAt) },
      { title: t("used"), cell: ({ lastUsedAt }) => time(lastUsedAt) },
      { title: "", cell: (one) => (one.current
        ? badge(t("this"), "good")
        : button(t("end"), () => end(one), { class: "small" })) },
    ],
    rows: await ownSessions(),
  });
}

const t = texts({
  en: {
    title: "Your account", name: "Name", email: "Email", role: "Role", project: "Project", all: "All projects", sessions: "Where you are signed in",
    "sessions.text": "A session ends after an hour without use, and after twelve hours.", device: "Browser", address: "Address",
    signedIn: "Signed in", used: "Last used", this: "This session", end: "End", ended: "Ended.", unknown: "Unknown",
    ways: "How you sign in", "ways.text": "To see and change it, sign in again.", "ways.show": "Show",
    passkey: "Passkey", synced: "synced", addedAt: "Added", usedAt: "Last used", passkeyName: "Name of the passkey",
    add: "Add a passkey", added: "The passkey was added.", remove: "Remove", removed: "Removed.",
    "remove.title": "Remove {name}?", "remove.text": "You can no longer sign in with this passkey.",
    app: "You can also sign in with your password and an authenticator app.", noApp: "You have no password with an authenticator app.",
    invited: "To change that, let an owner invite you again: the link takes away what you have, and you choose anew.",
  },
  de: {
    title: "Ihr Konto", name: "Name", email: "E-Mail", role: "Rolle", project: "Projekt", all: "Alle Projekte", sessions: "Wo Sie angemeldet sind",
    "sessions.text": "Eine Sitzung endet nach einer Stunde ohne Benutzung und nach zwölf Stunden.", device: "Browser", address: "Adresse",
    signedIn: "Angemeldet", used: "Zuletzt benutzt", this: "Diese Sitzung", end: "Beenden", ended: "Beendet.", unknown: "Unbekannt",
    ways: "Wie Sie sich anmelden", "ways.text": "Um das zu sehen und zu ändern, melden Sie sich noch einmal an.", "ways.show": "Zeigen",
    passkey: "Passkey", synced: "synchronisiert", addedAt: "Hinzugefügt", usedAt: "Zuletzt benutzt", passkeyName: "Name des Passkeys",
    add: "Passkey hinzufügen", added: "Der Passkey wurde hinzugefügt.", remove: "Entfernen", removed: "Entfernt.",
    "remove.title": "{name} entfernen?", "remove.text": "Sie können sich mit diesem Passkey nicht mehr anmelden.",
    app: "Sie können sich auch mit Passwort und Authenticator-App anmelden.", noApp: "Sie haben kein Passwort mit Authenticator-App.",
    invited: "Um das zu ändern, lassen Sie sich von einem Owner erneut einladen: Der Link nimmt, was Sie haben, und Sie wählen neu.",
  },
  vi: {
    title: "Tài khoản của bạn", name: "Tên", email: "Email", role: "Vai trò", project: "Dự án", all: "Tất cả dự án", sessions: "Nơi bạn đang đăng nhập",
    "sessions.text": "Phiên kết thúc sau một giờ không dùng, và sau mười hai giờ.", device: "Trình duyệt", address: "Địa chỉ",
    signedIn: "Đăng nhập lúc", used: "Dùng lần cuối", this: "Phiên này", end: "Kết thúc", ended: "Đã kết thúc.", unknown: "Không rõ",
    ways: "Cách bạn đăng nhập", "ways.text": "Để xem và thay đổi, hãy đăng nhập lại.", "ways.show": "Hiện",
    passkey: "Passkey", synced: "đã đồng bộ", addedAt: "Đã thêm", usedAt: "Dùng lần cuối", passkeyName: "Tên của passkey",
    add: "Thêm passkey", added: "Đã thêm passkey.", remove: "Gỡ bỏ", removed: "Đã gỡ bỏ.",
    "remove.title": "Gỡ bỏ {name}?", "remove.text": "Bạn không đăng nhập bằng passkey này được nữa.",
    app: "Bạn cũng đăng nhập được bằng mật khẩu và ứng dụng xác thực.", noApp: "Bạn chưa có mật khẩu với ứng dụng xác thực.",
    invited: "Để thay đổi, hãy nhờ owner mời lại: liên kết gỡ bỏ những gì bạn có, và bạn chọn lại từ đầu.",
  },
});
