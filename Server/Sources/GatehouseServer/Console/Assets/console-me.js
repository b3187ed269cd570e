// Who uses the console, and where they are signed in: `#/server/me`.

import { session } from "./console-api.js";
import { part } from "./console-part.js";
import { endOwnSession, ownSessions } from "./console-session.js";
import { texts } from "./console-texts.js";
import { badge, bdi, button, element, facts, heading, section, table, time, toast } from "./console-ui.js";

export function render(main) {
  const { uid, email, role, project } = session().user;
  main.append(
    heading(t("title")),
    facts([[t("name"), uid], email && [t("email"), bdi(email)], [t("role"), role], [t("project"), project ?? t("all")]].filter(Boolean)),
    section(t("sessions"), element("p", {}, t("sessions.text")), part(sessions)));
}

async function sessions(reload) {
  const end = async ({ sessionId }) => {
    await endOwnSession(sessionId);
    toast(t("ended"));
    await reload();
  };
  return table({
    columns: [
      { title: t("device"), wide: true, cell: ({ userAgent, app, name }) => bdi(name || app || userAgent || t("unknown")) },
      { title: t("address"), cell: ({ address }) => address ?? "" },
      { title: t("signedIn"), cell: ({ createdAt }) => time(Number(createdAt)) },
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
    "sessions.text": "A session ends after an hour without use, and after twelve hours.", device: "Device", address: "Address",
    signedIn: "Signed in", this: "This session", end: "End", ended: "Ended.", unknown: "Unknown",
  },
  de: {
    title: "Ihr Konto", name: "Name", email: "E-Mail", role: "Rolle", project: "Projekt", all: "Alle Projekte", sessions: "Wo Sie angemeldet sind",
    "sessions.text": "Eine Sitzung endet nach einer Stunde ohne Benutzung und nach zwölf Stunden.", device: "Gerät", address: "Adresse",
    signedIn: "Angemeldet", this: "Diese Sitzung", end: "Beenden", ended: "Beendet.", unknown: "Unbekannt",
  },
  vi: {
    title: "Tài khoản của bạn", name: "Tên", email: "Email", role: "Vai trò", project: "Dự án", all: "Tất cả dự án", sessions: "Nơi bạn đang đăng nhập",
    "sessions.text": "Phiên kết thúc sau một giờ không dùng, và sau mười hai giờ.", device: "Thiết bị", address: "Địa chỉ",
    signedIn: "Đăng nhập lúc", this: "Phiên này", end: "Kết thúc", ended: "Đã kết thúc.", unknown: "Không rõ",
  },
});
