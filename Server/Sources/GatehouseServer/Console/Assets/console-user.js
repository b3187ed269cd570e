// One user: what is known, and what an administrator may change.

import { api, may, project } from "./console-api.js";
import { accounts, client, methodName, methodsOf, nameOf, stateBadges } from "./console-account.js";
import { actor } from "./console-part.js";
import { texts } from "./console-texts.js";
import {
  badge, bdi, button, buttons, card, checkbox, confirm, copyable, details, dialog, download, element, emptyState, facts, field, form, heading, input,
  link, outside, pager, section, table, tabs, textarea, time, toast,
} from "./console-ui.js";

const t = texts({
  en: {
    users: "Users", gone: "There is no such user", goneText: "The account was deleted, or the ID is wrong.",
    disable: "Disable", enable: "Enable", disableText: "The user is signed out everywhere and cannot sign in until you enable the account again.", disabled: "The account is disabled.", enabled: "The account is enabled.",
    profile: "Profile", signIn: "Sign-in", sessions: "Sessions", claims: "Claims", events: "Events", data: "Data",
    name: "Display name", email: "Email", verified: "The email address is verified", phone: "Phone number", photo: "URL of the photo", photoHint: "The console does not load it.", saved: "Saved.",
    created: "Created", lastSignIn: "Last sign-in", lastRefresh: "Last refresh", language: "Language", firstEmail: "First email",
    openPhoto: "Open the photo", consents: "Consents", consent: "Version {version}: {joins}",
    scheduled: "The account will be deleted", keep: "Keep the account", kept: "The deletion was cancelled.",
    identities: "Identities", noIdentities: "No identity and no password.", noIdentitiesText: "An anonymous user: the account lives only in the app's session.",
    provider: "Provider", subject: "ID at the provider", kind: "Kind", unlink: "Unlink", unlinkTitle: "Unlink {provider}?", unlinkText: "The user can no longer sign in with it. What came from it, such as the name and the photo, is erased.", unlinked: "Unlinked.",
    relay: "private relay", noForwarding: "forwarding stopped", consentRevoked: "access withdrawn {time}",
    password: "Password", passwordSet: "Set {time}", noPassword: "The user has no password.", setPassword: "Set a password", newPassword: "New password", passwordText: "Whoever knows it can sign in as this user. All sessions end.", passwordDone: "The password was set.",
    resetLink: "Reset link", resetTitle: "Link to set a new password", verifyLink: "Link to verify the email", verifyTitle: "Link to verify the email address", linkText: "Give it only to the user, for example by email. It works once and expires.", sendReset: "Email it", sent: "The email was queued.",
    factors: "Second factors", noFactors: "No second factor.", factorTotp: "Authenticator app", factorPhone: "Text message", remove: "Remove", removeTitle: "Remove {name}?", removeFactorText: "The user signs in without it from now on.", removed: "Removed.", recovery: "{count} recovery codes left", "recovery.one": "One recovery code left",
    passkeys: "Passkeys", noPasskeys: "No passkey.", removePasskeyText: "The user can no longer sign in with this passkey.", added: "Added", used: "Last used", synced: "synced",
    noSessions: "No session", noSessionsText: "The user is not signed in anywhere.", device: "Device", method: "Signed in with", began: "Began", end: "End", endAll: "End all sessions", endTitle: "End this session?", endAllTitle: "End all sessions?", endText: "The device is signed out within a second if it is online, otherwise at its next refresh.", ended: "{count} sessions ended.", "ended.one": "One session ended.", unknownDevice: "Unknown device",
    claimsLabel: "Custom claims", claimsHint: "A JSON object of at most 1000 characters. It is in the user's ID tokens after the next refresh.", claimsRole: "Only an administrator may change claims.", notJSON: "This is not JSON: {reason}", notObject: "The claims must be a JSON object, such as {\"role\": \"editor\"}.",
    when: "Time", what: "Event", who: "By", details: "Details", client: "Client", noEvents: "No events",
    dataText: "All that is stored about this user, without secrets, as the user gets it from the app.", showData: "Show", saveData: "Download",
    delete: "Delete", deleteTitle: "Delete this user?", deleteText: "Profile, identities, sessions and stored tokens are erased at once. This cannot be undone.",
    deleted: "The user was deleted", deletedText: "The receipt shows that you erased the account. It contains no personal data; keep it if you may have to prove the deletion.", says: "What it says", saveReceipt: "Download the receipt",
  },
  de: {
    users: "Benutzer", gone: "Diesen Benutzer gibt es nicht", goneText: "Das Konto wurde gelöscht, oder die ID ist falsch.",
    disable: "Sperren", enable: "Entsperren", disableText: "Der Benutzer wird überall abgemeldet und kann sich nicht anmelden, bis Sie das Konto entsperren.", disabled: "Das Konto ist gesperrt.", enabled: "Das Konto ist entsperrt.",
    profile: "Profil", signIn: "Anmeldung", sessions: "Sitzungen", claims: "Claims", events: "Ereignisse", data: "Daten",
    name: "Anzeigename", email: "E-Mail", verified: "Die E-Mail-Adresse ist bestätigt", phone: "Telefonnummer", photo: "URL des Fotos", photoHint: "Die Konsole lädt es nicht.", saved: "Gespeichert.",
    created: "Angelegt", lastSignIn: "Letzte Anmeldung", lastRefresh: "Letzte Erneuerung", language: "Sprache", firstEmail: "Erste E-Mail",
    openPhoto: "Foto öffnen", consents: "Einwilligungen", consent: "Version {version}: {joins}",
    scheduled: "Das Konto wird gelöscht", keep: "Konto behalten", kept: "Die Löschung wurde zurückgenommen.",
    identities: "Identitäten", noIdentities: "Keine Identität und kein Passwort.", noIdentitiesText: "Ein anonymer Benutzer: Das Konto lebt nur in der Sitzung der App.",
    provider: "Anbieter", subject: "ID beim Anbieter", kind: "Art", unlink: "Trennen", unlinkTitle: "{provider} trennen?", unlinkText: "Der Benutzer kann sich damit nicht mehr anmelden. Was von dort kam, etwa Name und Foto, wird gelöscht.", unlinked: "Getrennt.",
    relay: "Private Relay", noForwarding: "Weiterleitung beendet", consentRevoked: "Zugriff entzogen {time}",
    password: "Passwort", passwordSet: "Gesetzt {time}", noPassword: "Der Benutzer hat kein Passwort.", setPassword: "Passwort setzen", newPassword: "Neues Passwort", passwordText: "Wer es kennt, kann sich als dieser Benutzer anmelden. Alle Sitzungen enden.", passwordDone: "Das Passwort wurde gesetzt.",
    resetLink: "Link zum Zurücksetzen", resetTitle: "Link für ein neues Passwort", verifyLink: "Link zum Bestätigen der E-Mail", verifyTitle: "Link zum Bestätigen der E-Mail-Adresse", linkText: "Geben Sie ihn nur dem Benutzer, zum Beispiel per E-Mail. Er gilt einmal und läuft ab.", sendReset: "Per E-Mail senden", sent: "Die E-Mail ist in der Warteschlange.",
    factors: "Zweite Faktoren", noFactors: "Kein zweiter Faktor.", factorTotp: "Authentifizierungs-App", factorPhone: "Textnachricht", remove: "Entfernen", removeTitle: "{name} entfernen?", removeFactorText: "Der Benutzer meldet sich von jetzt an ohne ihn an.", removed: "Entfernt.", recovery: "{count} Wiederherstellungscodes übrig", "recovery.one": "Ein Wiederherstellungscode übrig",
    passkeys: "Passkeys", noPasskeys: "Kein Passkey.", removePasskeyText: "Der Benutzer kann sich mit diesem Passkey nicht mehr anmelden.", added: "Hinzugefügt", used: "Zuletzt benutzt", synced: "synchronisiert",
    noSessions: "Keine Sitzung", noSessionsText: "Der Benutzer ist nirgends angemeldet.", device: "Gerät", method: "Angemeldet mit", began: "Begonnen", end: "Beenden", endAll: "Alle Sitzungen beenden", endTitle: "Diese Sitzung beenden?", endAllTitle: "Alle Sitzungen beenden?", endText: "Das Gerät wird binnen einer Sekunde abgemeldet, wenn es online ist, sonst bei der nächsten Erneuerung.", ended: "{count} Sitzungen beendet.", "ended.one": "Eine Sitzung beendet.", unknownDevice: "Unbekanntes Gerät",
    claimsLabel: "Custom Claims", claimsHint: "Ein JSON-Objekt mit höchstens 1000 Zeichen. Es steht nach der nächsten Erneuerung in den ID-Tokens des Benutzers.", claimsRole: "Nur ein Administrator darf Claims ändern.", notJSON: "Das ist kein JSON: {reason}", notObject: "Die Claims müssen ein JSON-Objekt sein, etwa {\"role\": \"editor\"}.",
    when: "Zeit", what: "Ereignis", who: "Durch", details: "Einzelheiten", client: "Client", noEvents: "Keine Ereignisse",
    dataText: "Alles, was über diesen Benutzer gespeichert ist, ohne Geheimnisse, so wie der Benutzer es in der App bekommt.", showData: "Anzeigen", saveData: "Herunterladen",
    delete: "Löschen", deleteTitle: "Diesen Benutzer löschen?", deleteText: "Profil, Identitäten, Sitzungen und gespeicherte Tokens werden sofort gelöscht. Das lässt sich nicht rückgängig machen.",
    deleted: "Der Benutzer wurde gelöscht", deletedText: "Der Beleg zeigt, dass Sie das Konto gelöscht haben. Er enthält keine personenbezogenen Daten; bewahren Sie ihn auf, wenn Sie die Löschung vielleicht nachweisen müssen.", says: "Was darin steht", saveReceipt: "Beleg herunterladen",
  },
  vi: {
    users: "Người dùng", gone: "Không có người dùng này", goneText: "Tài khoản đã bị xóa, hoặc ID không đúng.",
    disable: "Khóa", enable: "Mở khóa", disableText: "Người dùng bị đăng xuất khỏi mọi thiết bị và không thể đăng nhập cho đến khi bạn mở khóa tài khoản.", disabled: "Tài khoản đã bị khóa.", enabled: "Tài khoản đã được mở khóa.",
    profile: "Hồ sơ", signIn: "Đăng nhập", sessions: "Phiên", claims: "Claims", events: "Sự kiện", data: "Dữ liệu",
    name: "Tên hiển thị", email: "Email", verified: "Địa chỉ email đã được xác minh", phone: "Số điện thoại", photo: "URL của ảnh", photoHint: "Bảng điều khiển không tải ảnh này.", saved: "Đã lưu.",
    created: "Ngày tạo", lastSignIn: "Đăng nhập gần nhất", lastRefresh: "Làm mới gần nhất", language: "Ngôn ngữ", firstEmail: "Email đầu tiên",
    openPhoto: "Mở ảnh", consents: "Sự đồng ý", consent: "Phiên bản {version}: {joins}",
    scheduled: "Tài khoản sẽ bị xóa", keep: "Giữ lại tài khoản", kept: "Đã hủy việc xóa.",
    identities: "Danh tính", noIdentities: "Không có danh tính và mật khẩu.", noIdentitiesText: "Người dùng ẩn danh: tài khoản chỉ tồn tại trong phiên của ứng dụng.",
    provider: "Nhà cung cấp", subject: "ID ở nhà cung cấp", kind: "Loại", unlink: "Hủy liên kết", unlinkTitle: "Hủy liên kết {provider}?", unlinkText: "Người dùng không thể đăng nhập bằng cách này nữa. Những gì lấy từ đó, như tên và ảnh, sẽ bị xóa.", unlinked: "Đã hủy liên kết.",
    relay: "private relay", noForwarding: "đã ngừng chuyển tiếp", consentRevoked: "đã rút quyền truy cập {time}",
    password: "Mật khẩu", passwordSet: "Đặt {time}", noPassword: "Người dùng chưa có mật khẩu.", setPassword: "Đặt mật khẩu", newPassword: "Mật khẩu mới", passwordText: "Ai biết mật khẩu đều có thể đăng nhập với tư cách người dùng này. Mọi phiên sẽ kết thúc.", passwordDone: "Đã đặt mật khẩu.",
    resetLink: "Liên kết đặt lại", resetTitle: "Liên kết để đặt mật khẩu mới", verifyLink: "Liên kết xác minh email", verifyTitle: "Liên kết để xác minh địa chỉ email", linkText: "Chỉ đưa liên kết này cho chính người dùng, ví dụ qua email. Liên kết chỉ dùng được một lần và sẽ hết hạn.", sendReset: "Gửi qua email", sent: "Email đã vào hàng đợi.",
    factors: "Yếu tố thứ hai", noFactors: "Không có yếu tố thứ hai.", factorTotp: "Ứng dụng xác thực", factorPhone: "Tin nhắn", remove: "Gỡ bỏ", removeTitle: "Gỡ bỏ {name}?", removeFactorText: "Từ nay người dùng đăng nhập không cần yếu tố này.", removed: "Đã gỡ bỏ.", recovery: "Còn {count} mã khôi phục",
    passkeys: "Passkey", noPasskeys: "Không có passkey.", removePasskeyText: "Người dùng không thể đăng nhập bằng passkey này nữa.", added: "Đã thêm", used: "Dùng lần cuối", synced: "đã đồng bộ",
    noSessions: "Không có phiên", noSessionsText: "Người dùng chưa đăng nhập ở đâu cả.", device: "Thiết bị", method: "Đăng nhập bằng", began: "Bắt đầu", end: "Kết thúc", endAll: "Kết thúc mọi phiên", endTitle: "Kết thúc phiên này?", endAllTitle: "Kết thúc mọi phiên?", endText: "Thiết bị bị đăng xuất trong vòng một giây nếu đang trực tuyến, nếu không thì ở lần làm mới kế tiếp.", ended: "Đã kết thúc {count} phiên.", unknownDevice: "Thiết bị không rõ",
    claimsLabel: "Custom claims", claimsHint: "Một đối tượng JSON tối đa 1000 ký tự. Nó có trong ID token của người dùng sau lần làm mới kế tiếp.", claimsRole: "Chỉ administrator mới được sửa claims.", notJSON: "Đây không phải JSON: {reason}", notObject: "Claims phải là một đối tượng JSON, ví dụ {\"role\": \"editor\"}.",
    when: "Thời gian", what: "Sự kiện", who: "Bởi", details: "Chi tiết", client: "Client", noEvents: "Không có sự kiện",
    dataText: "Mọi thứ được lưu về người dùng này, không kèm bí mật, giống như người dùng nhận được từ ứng dụng.", showData: "Hiển thị", saveData: "Tải xuống",
    delete: "Xóa", deleteTitle: "Xóa người dùng này?", deleteText: "Hồ sơ, danh tính, phiên và các token đã lưu bị xóa ngay. Không thể hoàn tác.",
    deleted: "Đã xóa người dùng", deletedText: "Biên nhận cho thấy bạn đã xóa tài khoản. Biên nhận không chứa dữ liệu cá nhân; hãy giữ lại nếu có thể bạn phải chứng minh việc xóa.", says: "Nội dung", saveReceipt: "Tải biên nhận",
  },
});

export async function render(main, route) {
  const uid = route.parts[0];
  const { users } = await api.post(accounts(":lookup"), { localId: [uid] });
  const back = link(t("users"), `#/${project()}/users`, { class: "back" });
  if (!users) {
    main.replaceChildren(back, heading(t("gone"), { text: t("goneText") }));
    return;
  }
  const user = users[0];
  const page = {
    user,
    /** Changes the account, then shows it again as the server has it now. */
    change: async (body, done) => {
      await api.post(accounts(":update"), { localId: uid, ...body });
      await page.reload(done);
    },
    reload: async (done) => {
      await render(main, route);
      toast(done);
      main.querySelector("h1").focus({ preventScroll: true });
    },
    leave: (...content) => main.replaceChildren(back, ...content),
  };
  main.replaceChildren(back, top(page), user.deletionScheduledFor ? scheduled(page) : "", tabs([
    { id: "profile", label: t("profile"), render: (panel) => panel.append(profile(page)) },
    { id: "sign-in", label: t("signIn"), render: (panel) => panel.append(...signIn(page)) },
    { id: "sessions", label: t("sessions"), render: (panel) => sessions(panel, page) },
    { id: "claims", label: t("claims"), render: (panel) => panel.append(claims(page)) },
    { id: "events", label: t("events"), render: (panel) => events(panel, page) },
    { id: "data", label: t("data"), render: (panel) => panel.append(data(page)) },
  ]));
}

function top({ user, change, leave }) {
  const turn = async () => {
    if (!user.disabled && !await confirm({ title: `${t("disable")}: ${nameOf(user)}`, text: t("disableText"), action: t("disable"), kind: "danger" })) return;
    await change({ disableUser: !user.disabled }, t(user.disabled ? "enabled" : "disabled"));
  };
  const erase = async () => {
    const typed = user.email ?? user.localId;
    if (!await confirm({ title: t("deleteTitle"), text: [nameOf(user), t("deleteText")], action: t("delete"), kind: "danger", typed })) return;
    const { receipt } = await api.post(accounts(":delete"), { localId: user.localId });
    leave(...farewell(receipt, user.localId));
  };
  const actions = may("support") ? [button(t(user.disabled ? "enable" : "disable"), turn), button(t("delete"), erase, { kind: "danger" })] : [];
  const made = heading(bdi(nameOf(user)), { actions });
  made.firstChild.append(element("p", { class: "line" }, stateBadges(user), copyable(user.localId)));
  return made;
}

function scheduled({ user, reload }) {
  const keep = async () => {
    await api.post(accounts(":keep"), { localId: user.localId });
    await reload(t("kept"));
  };
  return card(element("p", {}, element("strong", {}, t("scheduled")), " ", time(user.deletionScheduledFor)),
    may("support") && buttons(button(t("keep"), keep, { kind: "primary" })));
}

// Profile

function profile({ user, change }) {
  const known = card(facts([
    [t("created"), time(user.createdAt)],
    [t("lastSignIn"), time(user.lastLoginAt)],
    [t("lastRefresh"), time(user.lastRefreshAt)],
    user.language && [t("language"), user.language],
    user.initialEmail && [t("firstEmail"), bdi(user.initialEmail)],
    user.photoUrl?.startsWith("https://") && [t("photo"), outside(t("openPhoto"), user.photoUrl)],
    user.consents?.length && [t("consents"), element("ul", { class: "plain" }, user.consents.map(({ version, joins, givenAt }) => element("li", {},
      t("consent", { version, joins: joins.map(methodName).join(", ") }), " ", time(givenAt))))],
  ]));
  if (!may("support")) return element("div", { class: "columns" }, card(facts([[t("email"), user.email && bdi(user.email)], [t("phone"), user.phoneNumber]])), known);
  const verified = checkbox(t("verified"), user.emailVerified, { name: "emailVerified" });
  const edit = form([
    field(t("name"), input({ name: "displayName", value: user.displayName, maxlength: 256 })),
    field(t("email"), input({ type: "email", name: "email", value: user.email })),
    verified,
    field(t("phone"), input({ type: "tel", name: "phoneNumber", value: user.phoneNumber })),
    field(t("photo"), input({ type: "url", name: "photoUrl", value: user.photoUrl }), { hint: t("photoHint") }),
  ], async (data) => {
    const body = changes(user, data, verified.control.checked);
    if (Object.keys(body).length) await change(body, t("saved"));
    else toast(t("saved"));
  });
  return element("div", { class: "columns" }, card(edit), known);
}

const REMOVALS = { displayName: "DISPLAY_NAME", email: "EMAIL", photoUrl: "PHOTO_URL" };

/** What `accounts:update` needs for the form's values: only what is different. */
function changes(user, data, isVerified) {
  const body = {};
  const removed = [];
  for (const name of ["displayName", "email", "phoneNumber", "photoUrl"]) {
    const value = data.get(name).trim();
    if (value === (user[name] ?? "")) continue;
    if (value) body[name] = value;
    else if (name === "phoneNumber") body.deleteProvider = ["phone"];
    else removed.push(REMOVALS[name]);
  }
  if (removed.length) body.deleteAttribute = removed;
  if (isVerified !== Boolean(user.emailVerified)) body.emailVerified = isVerified;
  return body;
}

// Sign-in

function signIn(page) { return [identities(page), password(page), factors(page), passkeys(page)]; }

function identities({ user, change }) {
  const unlink = async ({ providerId }) => {
    const name = methodName(providerId);
    if (await confirm({ title: t("unlinkTitle", { provider: name }), text: t("unlinkText"), action: t("unlink"), kind: "danger" })) {
      await change({ deleteProvider: [providerId] }, t("unlinked"));
    }
  };
  return section(t("identities"), table({
    caption: t("identities"),
    columns: [
      { title: t("provider"), cell: ({ providerId }) => bdi(methodName(providerId)) },
      { title: t("subject"), cell: ({ rawId }) => element("code", {}, bdi(rawId ?? "")), wide: true },
      { title: t("email"), wide: true, cell: (identity) => [
        identity.email && bdi(identity.email), " ",
        identity.isPrivateEmail && badge(t("relay")), " ",
        identity.isForwardingDisabled && badge(t("noForwarding"), "warn"),
        identity.consentRevokedAt && badge(t("consentRevoked", { time: time(identity.consentRevokedAt).textContent }), "warn"),
      ] },
      { title: t("name"), cell: ({ displayName }) => bdi(displayName ?? ""), wide: true },
      { title: "", cell: (identity) => may("support") && button(t("unlink"), () => unlink(identity), { kind: "danger", class: "danger small", "aria-label": `${t("unlink")}: ${methodName(identity.providerId)}` }) },
    ],
    rows: user.providerUserInfo ?? [],
    empty: methodsOf(user)[0] === "anonymous" ? emptyState(t("noIdentities"), t("noIdentitiesText")) : element("p", { class: "quiet" }, t("noIdentities")),
  }));
}

function password({ user, reload }) {
  const set = () => {
    const shown = dialog(t("setPassword"), element("p", {}, t("passwordText")), form([
      field(t("newPassword"), input({ type: "password", name: "password", autocomplete: "new-password", required: true })),
    ], async (data) => {
      await api.post(accounts(":update"), { localId: user.localId, password: data.get("password") });
      shown.close();
      await reload(t("passwordDone"));
    }, { submit: t("setPassword") }));
  };
  const code = (requestType, isLink) => api.post(accounts(":sendOobCode"), { requestType, email: user.email, returnOobLink: isLink });
  const offer = (requestType, title) => async () => {
    const { oobLink } = await code(requestType, true);
    const send = button(t("sendReset"), async () => {
      await code(requestType, false);
      shown.close();
      toast(t("sent"));
    });
    const shown = dialog(title, element("p", {}, t("linkText")), copyable(oobLink), buttons(send));
  };
  const at = user.passwordUpdatedAt;
  return section(t("password"),
    element("p", {}, user.passwordHash || at ? t("passwordSet", { time: time(at).textContent }) : t("noPassword")),
    may("support") && user.email && buttons(
      button(t("setPassword"), set),
      button(t("resetLink"), offer("PASSWORD_RESET", t("resetTitle"))),
      !user.emailVerified && button(t("verifyLink"), offer("VERIFY_EMAIL", t("verifyTitle")))));
}

function factors({ user, change }) {
  const all = user.mfaInfo ?? [];
  const name = (factor) => factor.displayName || t(factor.totpInfo ? "factorTotp" : "factorPhone");
  const remove = async (factor) => {
    if (!await confirm({ title: t("removeTitle", { name: name(factor) }), text: t("removeFactorText"), action: t("remove"), kind: "danger" })) return;
    const enrollments = all.filter((one) => one !== factor)
      .map(({ unobfuscatedPhoneInfo, ...one }) => ({ ...one, ...(unobfuscatedPhoneInfo && { phoneInfo: unobfuscatedPhoneInfo }) }));
    await change({ mfa: { enrollments } }, t("removed"));
  };
  return section(t("factors"), all.length === 0 ? element("p", { class: "quiet" }, t("noFactors")) : table({
    caption: t("factors"),
    columns: [
      { title: t("name"), cell: (factor) => bdi(name(factor)), wide: true },
      { title: t("kind"), cell: (factor) => [t(factor.totpInfo ? "factorTotp" : "factorPhone"), " ", factor.unobfuscatedPhoneInfo ?? factor.phoneInfo] },
      { title: t("added"), cell: ({ enrolledAt }) => time(enrolledAt) },
      { title: "", cell: (factor) => may("support") && button(t("remove"), () => remove(factor), { class: "danger small", "aria-label": `${t("remove")}: ${name(factor)}` }) },
    ],
    rows: all,
  }), user.recoveryCodesLeft !== undefined && element("p", { class: "quiet" }, t("recovery", { count: user.recoveryCodesLeft })));
}

function passkeys({ user, change }) {
  const remove = async ({ name, credentialId }) => {
    if (await confirm({ title: t("removeTitle", { name }), text: t("removePasskeyText"), action: t("remove"), kind: "danger" })) {
      await change({ deletePasskey: [credentialId] }, t("removed"));
    }
  };
  const all = user.passkeyInfo ?? [];
  return section(t("passkeys"), all.length === 0 ? element("p", { class: "quiet" }, t("noPasskeys")) : table({
    caption: t("passkeys"),
    columns: [
      { title: t("name"), wide: true, cell: ({ name, backedUp }) => [bdi(name), " ", backedUp && badge(t("synced"))] },
      { title: t("added"), cell: ({ createdAt }) => time(createdAt) },
      { title: t("used"), cell: ({ lastUsedAt }) => time(lastUsedAt) },
      { title: "", cell: (passkey) => may("support") && button(t("remove"), () => remove(passkey), { class: "danger small", "aria-label": `${t("remove")}: ${passkey.name}` }) },
    ],
    rows: all,
  }));
}

// Sessions

async function sessions(panel, { user, reload }) {
  const { sessions: all } = await api.get(accounts(":sessions"), { localId: user.localId });
  const end = (title, body) => async () => {
    if (!await confirm({ title, text: t("endText"), action: t("end"), kind: "danger" })) return;
    const { ended } = await api.post(accounts(":endSession"), { localId: user.localId, ...body });
    await reload(t("ended", { count: ended }));
  };
  panel.append(table({
    caption: t("sessions"),
    columns: [
      { title: t("device"), wide: true, cell: ({ name, userAgent, app }) => [
        name || app ? bdi(name || app) : userAgent ? client(userAgent) : t("unknownDevice"),
        (name || app) && userAgent && element("small", { class: "below" }, client(userAgent)),
      ] },
      { title: t("method"), cell: ({ signInProvider }) => bdi(methodName(signInProvider)) },
      { title: t("began"), cell: ({ createdAt }) => time(createdAt) },
      { title: t("used"), cell: ({ lastUsedAt }) => time(lastUsedAt) },
      { title: "", cell: ({ sessionId }) => may("support") && button(t("end"), end(t("endTitle"), { sessionId }), { class: "danger small" }) },
    ],
    rows: all,
    empty: emptyState(t("noSessions"), t("noSessionsText")),
  }), all.length > 0 && may("support") ? buttons(button(t("endAll"), end(t("endAllTitle"), { others: true }), { kind: "danger" })) : "");
}

// Claims

function claims({ user, change }) {
  const text = JSON.stringify(JSON.parse(user.customAttributes || "{}"), null, 2);
  if (!may("administrator")) return card(element("pre", {}, bdi(text)), element("p", { class: "quiet" }, t("claimsRole")));
  const editor = textarea({ value: text, name: "claims", rows: 10 });
  const check = () => {
    try {
      const value = JSON.parse(editor.value);
      editor.setCustomValidity(value && typeof value === "object" && !Array.isArray(value) ? "" : t("notObject"));
    } catch (error) {
      editor.setCustomValidity(t("notJSON", { reason: error.message }));
    }
  };
  editor.addEventListener("input", check);
  return card(form([field(t("claimsLabel"), editor, { hint: t("claimsHint") })],
    () => change({ customAttributes: JSON.stringify(JSON.parse(editor.value)) }, t("saved"))));
}

// Events

function events(panel, { user }) {
  const list = table({
    caption: t("events"),
    columns: [
      { title: t("when"), cell: ({ time: at }) => time(at) },
      { title: t("what"), cell: ({ kind }) => element("code", { class: "kind" }, kind) },
      { title: t("who"), cell: (event) => actor(event.actor) },
      { title: t("details"), cell: ({ details: all }) => Object.entries(all).map(([name, value]) => element("div", {}, `${name}: `, bdi(value))), wide: true },
      { title: t("client"), wide: true, cell: ({ source = {} }) => element("small", {},
        [source.app && bdi(source.app), source.userAgent && client(source.userAgent), source.address].filter(Boolean).map((one) => element("div", {}, one))) },
    ],
    empty: emptyState(t("noEvents")),
  });
  const more = pager(async (pageToken) => {
    const page = await api.get(`/v2/projects/${project()}/events`, { uid: user.localId, pageSize: 25, pageToken });
    return { rows: page.events, next: page.nextPageToken };
  }, list);
  panel.append(list, more);
}

// Data

function data({ user }) {
  const place = element("div");
  const load = async () => JSON.stringify(await api.get(accounts(":export"), { localId: user.localId }), null, 2);
  const show = async () => place.replaceChildren(element("pre", { tabindex: "0" }, bdi(await load())));
  const save = async () => download(`${project()}-${user.localId}.json`, await load());
  return card(element("p", {}, t("dataText")), buttons(button(t("showData"), show), button(t("saveData"), save)), place);
}

function farewell(receipt, uid) {
  const title = heading(t("deleted"), { text: t("deletedText") });
  if (!receipt) return [title];
  const claims = new TextDecoder().decode(Uint8Array.from(atob(receipt.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0)));
  queueMicrotask(() => title.querySelector("h1").focus());
  return [title, card(copyable(receipt), details(t("says"), element("pre", {}, JSON.stringify(JSON.parse(claims), null, 2))),
    buttons(button(t("saveReceipt"), () => download(`deletion-${uid}.jwt`, receipt, "application/jwt"))))];
}
