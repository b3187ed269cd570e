// The server's signing keys, and how its master key is changed.

import { api } from "./console-api.js";
import { ask, list, part } from "./console-part.js";
import { texts } from "./console-texts.js";
import {
  badge, button, buttons, checkbox, confirm, copyable, element, field, section, select, table,
  time, toast,
} from "./console-ui.js";

const STATES = { active: "good", next: "warn", retired: "quiet" };

export function keys(place) {
  place.append(
    section(t("signing"), element("p", {}, t("signing.text")), part(signingKeys)),
    section(t("master"), element("p", {}, t("master.text")),
      element("p", {}, copyable("gatehouse keys rotate-master")),
      element("p", {}, t("master.later")),
      element("p", {}, copyable("gatehouse keys retire-master"))));
}

async function signingKeys(reload) {
  const rows = await list("/v2/server/signingKeys", "keys");
  return [
    table({
      columns: [
        { title: t("use"), cell: ({ use }) => t.has(`use.${use}`) ? t(`use.${use}`) : use },
        { title: t("algorithm"), cell: ({ algorithm }) => algorithm },
        { title: t("state"), cell: ({ state }) => badge(t.has(`state.${state}`) ? t(`state.${state}`) : state, STATES[state]) },
        { title: t("keyID"), wide: true, cell: ({ keyId }) => element("code", {}, keyId) },
        { title: t("published"), cell: ({ publishTime }) => time(publishTime) },
        { title: t("signsFrom"), cell: ({ signsFrom }) => signsFrom ? time(signsFrom) : "–" },
        { title: t("retired"), cell: ({ retireTime }) => retireTime ? time(retireTime) : "–" },
      ],
      rows,
    }),
    buttons(button(t("rotate"), () => rotate(reload))),
  ];
}

function rotate(reload) {
  const use = select([["idTokens", t("use.idTokens")], ["sessionCookies", t("use.sessionCookies")]], "idTokens");
  const now = checkbox(t("now"));
  const discardAll = checkbox(t("discardAll"));
  ask(t("rotate"), [
    element("p", {}, t("rotate.text")), field(t("use"), use), field("", now, { hint: t("now.hint") }), field("", discardAll, { hint: t("discardAll.hint") }),
  ], async () => {
    const body = { use: use.value, now: now.control.checked, discardAll: discardAll.control.checked };
    if (body.discardAll && !await confirm({
      title: t("discardAll"), text: t("discardAll.hint"), action: t("rotate"), kind: "danger", typed: body.use,
    })) return;
    await api.post("/v2/server/signingKeys:rotate", body);
    toast(t("rotated"));
    await reload();
  }, t("rotate"));
}

const t = texts({
  en: {
    signing: "Signing keys",
    "signing.text": "Keys of ID tokens and session cookies change by themselves every 30 days. A new key is published a day before it signs.",
    use: "Signs",
    "use.idTokens": "ID tokens",
    "use.sessionCookies": "Session cookies",
    "use.eventLog": "The event log",
    algorithm: "Algorithm",
    state: "State",
    "state.active": "Active",
    "state.next": "Next",
    "state.retired": "Retired",
    keyID: "Key ID",
    published: "Published",
    signsFrom: "Signs since",
    retired: "Retired",
    rotate: "Rotate ahead of schedule",
    "rotate.text": "A new key signs two hours later, when back ends have fetched it. No user is signed out.",
    rotated: "The keys were rotated.",
    now: "Sign at once",
    "now.hint": "Back ends that have not fetched the key reject its tokens until they do.",
    discardAll: "Discard all older keys",
    "discardAll.hint": "Only if a key may be stolen: rejects all that older keys signed. Users whose session cookies were signed by them sign in again.",
    master: "Master key",
    "master.text": "It encrypts the secrets in the database, and is not in it. Change it once a year and when someone who knows it leaves, with this command on the server's machine. Copy the key file again afterwards.",
    "master.later": "Later, when most users have refreshed their sessions, remove the old key:",
  },
  de: {
    signing: "Signaturschlüssel",
    "signing.text": "Die Schlüssel der ID-Tokens und Session-Cookies wechseln alle 30 Tage von selbst. Ein neuer Schlüssel wird einen Tag veröffentlicht, bevor er signiert.",
    use: "Signiert",
    "use.idTokens": "ID-Tokens",
    "use.sessionCookies": "Session-Cookies",
    "use.eventLog": "Das Ereignisprotokoll",
    algorithm: "Algorithmus",
    state: "Zustand",
    "state.active": "Aktiv",
    "state.next": "Nächster",
    "state.retired": "Außer Dienst",
    keyID: "Schlüssel-ID",
    published: "Veröffentlicht",
    signsFrom: "Signiert seit",
    retired: "Außer Dienst",
    rotate: "Vorzeitig wechseln",
    "rotate.text": "Ein neuer Schlüssel signiert zwei Stunden später, wenn die Backends ihn abgerufen haben. Niemand wird abgemeldet.",
    rotated: "Die Schlüssel wurden gewechselt.",
    now: "Sofort signieren",
    "now.hint": "Backends, die den Schlüssel noch nicht abgerufen haben, weisen seine Tokens so lange ab.",
    discardAll: "Alle älteren Schlüssel verwerfen",
    "discardAll.hint": "Nur wenn ein Schlüssel gestohlen sein kann: Alles, was ältere Schlüssel signiert haben, wird abgewiesen. Benutzer mit solchen Session-Cookies melden sich neu an.",
    master: "Hauptschlüssel",
    "master.text": "Er verschlüsselt die Geheimnisse in der Datenbank und steht nicht in ihr. Wechseln Sie ihn einmal im Jahr, und wenn jemand geht, der ihn kennt: mit diesem Befehl auf dem Rechner des Servers. Kopieren Sie die Schlüsseldatei danach neu.",
    "master.later": "Später, wenn die meisten Benutzer ihre Sitzung erneuert haben, entfernen Sie den alten Schlüssel:",
  },
  vi: {
    signing: "Khóa ký",
    "signing.text": "Khóa của ID token và session cookie tự thay đổi mỗi 30 ngày. Khóa mới được công bố một ngày trước khi ký.",
    use: "Dùng để ký",
    "use.idTokens": "ID token",
    "use.sessionCookies": "Session cookie",
    "use.eventLog": "Nhật ký sự kiện",
    algorithm: "Thuật toán",
    state: "Trạng thái",
    "state.active": "Đang dùng",
    "state.next": "Kế tiếp",
    "state.retired": "Ngừng dùng",
    keyID: "ID khóa",
    published: "Công bố",
    signsFrom: "Ký từ",
    retired: "Ngừng dùng",
    rotate: "Đổi khóa trước hạn",
    "rotate.text": "Khóa mới ký sau hai giờ, khi các backend đã lấy khóa. Không ai bị đăng xuất.",
    rotated: "Đã đổi khóa.",
    now: "Ký ngay",
    "now.hint": "Backend chưa lấy khóa sẽ từ chối token cho đến khi lấy được.",
    discardAll: "Loại bỏ mọi khóa cũ",
    "discardAll.hint": "Chỉ khi khóa có thể đã bị đánh cắp: mọi thứ do khóa cũ ký đều bị từ chối. Người dùng có session cookie do khóa cũ ký phải đăng nhập lại.",
    master: "Khóa chính",
    "master.text": "Khóa này mã hóa các bí mật trong cơ sở dữ liệu và không nằm trong đó. Hãy đổi mỗi năm một lần và khi người biết khóa rời đi, bằng lệnh này trên máy chủ. Sau đó hãy chép lại tệp khóa.",
    "master.later": "Sau đó, khi phần lớn người dùng đã làm mới phiên, hãy gỡ khóa cũ:",
  },
});
