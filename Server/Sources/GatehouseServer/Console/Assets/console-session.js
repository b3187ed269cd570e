// Signing in to the console, and the proof that a request comes from the browser that signed in (DPoP, RFC 9449).

import { Passkeys } from "../__/auth/passkeys.js";
import { texts } from "./console-texts.js";
import {
  button, copyable, details, dialog, element, facts, field, form, heading, input, link, tabs,
} from "./console-ui.js";

const t = texts({
  en: {
    signIn: "Sign in to the console", email: "Email", password: "Password", code: "Code from the authenticator app",
    codeHint: "Six digits. A recovery code also works.", passkey: "Sign in with a passkey", continue: "Continue", enter: "Sign in",
    orPassword: "With a password", lost: "Lost your device, or no account yet?",
    lostText: "An owner of this server makes a link for you: under Server settings, or on the server’s machine with",
    welcome: "Welcome to the console", welcomeText: "This link is good once, for three days after it was made. Choose how you sign in from now on.",
    withPasskey: "Passkey", withPasskeyText: "Your device’s fingerprint, face or PIN, or a security key. Nothing to remember, and nothing to be stolen.",
    addPasskey: "Create a passkey", withApp: "Password and app", newPassword: "New password", newPasswordHint: "At least 12 characters.",
    yourEmail: "Your email", yourEmailHint: "You sign in with it. It gets no mail unless something happens to your account.",
    app: "Add the console to your authenticator app", appText: "Open the link on a phone with the app, or type the key into it. Then enter the code that it shows.",
    openApp: "Open in the app", key: "Key", finish: "Finish",
    recovery: "Your recovery codes", recoveryText: "Each one works once in place of the app. Keep them where you keep passwords; they are not shown again.",
    kept: "I have kept them", again: "Sign in again", againText: "This step needs a sign-in of the last five minutes.",
    elsewhere: "The console is at another address", elsewhereText: "Its sessions belong to the public URL of this server.",
    cancelled: "Nothing was changed.", noFactor: "Your account has no second factor. Ask an owner for a new link.",
  },
  de: {
    signIn: "In der Konsole anmelden", email: "E-Mail", password: "Passwort", code: "Code aus der Authenticator-App",
    codeHint: "Sechs Ziffern. Ein Wiederherstellungscode geht auch.", passkey: "Mit Passkey anmelden", continue: "Weiter", enter: "Anmelden",
    orPassword: "Mit Passwort", lost: "Gerät verloren, oder noch kein Konto?",
    lostText: "Ein Owner dieses Servers erstellt Ihnen einen Link: unter Servereinstellungen, oder auf dem Rechner des Servers mit",
    welcome: "Willkommen in der Konsole", welcomeText: "Dieser Link gilt einmal, drei Tage lang ab seiner Erstellung. Wählen Sie, wie Sie sich künftig anmelden.",
    withPasskey: "Passkey", withPasskeyText: "Fingerabdruck, Gesicht oder PIN Ihres Geräts, oder ein Sicherheitsschlüssel. Sie müssen sich nichts merken, und niemand kann etwas stehlen.",
    addPasskey: "Passkey erstellen", withApp: "Passwort und App", newPassword: "Neues Passwort", newPasswordHint: "Mindestens 12 Zeichen.",
    yourEmail: "Ihre E-Mail-Adresse", yourEmailHint: "Damit melden Sie sich an. Sie bekommen nur Post, wenn mit Ihrem Konto etwas geschieht.",
    app: "Konsole in Ihre Authenticator-App aufnehmen", appText: "Öffnen Sie den Link auf einem Telefon mit der App, oder tippen Sie den Schlüssel dort ein. Geben Sie dann den Code ein, den die App zeigt.",
    openApp: "In der App öffnen", key: "Schlüssel", finish: "Fertig",
    recovery: "Ihre Wiederherstellungscodes", recoveryText: "Jeder gilt einmal anstelle der App. Bewahren Sie sie wie Passwörter auf; sie werden nicht noch einmal gezeigt.",
    kept: "Ich habe sie aufbewahrt", again: "Noch einmal anmelden", againText: "Für diesen Schritt muss die Anmeldung jünger als fünf Minuten sein.",
    elsewhere: "Die Konsole hat eine andere Adresse", elsewhereText: "Ihre Sitzungen gehören zur öffentlichen URL dieses Servers.",
    cancelled: "Es wurde nichts geändert.", noFactor: "Ihr Konto hat keinen zweiten Faktor. Bitten Sie einen Owner um einen neuen Link.",
  },
  vi: {
    signIn: "Đăng nhập bảng điều khiển", email: "Email", password: "Mật khẩu", code: "Mã trong ứng dụng xác thực",
    codeHint: "Sáu chữ số. Mã khôi phục cũng dùng được.", passkey: "Đăng nhập bằng passkey", continue: "Tiếp tục", enter: "Đăng nhập",
    orPassword: "Bằng mật khẩu", lost: "Mất thiết bị, hoặc chưa có tài khoản?",
    lostText: "Một owner của máy chủ tạo liên kết cho bạn: trong Cài đặt máy chủ, hoặc trên máy chủ bằng lệnh",
    welcome: "Chào mừng bạn đến bảng điều khiển", welcomeText: "Liên kết này dùng được một lần, trong ba ngày kể từ khi tạo. Hãy chọn cách đăng nhập từ nay về sau.",
    withPasskey: "Passkey", withPasskeyText: "Vân tay, khuôn mặt hoặc PIN của thiết bị, hoặc khóa bảo mật. Không phải nhớ gì và không có gì để bị đánh cắp.",
    addPasskey: "Tạo passkey", withApp: "Mật khẩu và ứng dụng", newPassword: "Mật khẩu mới", newPasswordHint: "Ít nhất 12 ký tự.",
    yourEmail: "Email của bạn", yourEmailHint: "Bạn đăng nhập bằng email này. Chỉ có thư khi tài khoản của bạn có thay đổi.",
    app: "Thêm bảng điều khiển vào ứng dụng xác thực", appText: "Mở liên kết trên điện thoại có ứng dụng, hoặc gõ khóa vào ứng dụng. Sau đó nhập mã mà ứng dụng hiển thị.",
    openApp: "Mở trong ứng dụng", key: "Khóa", finish: "Xong",
    recovery: "Mã khôi phục của bạn", recoveryText: "Mỗi mã dùng được một lần thay cho ứng dụng. Hãy giữ chúng như giữ mật khẩu; chúng không được hiển thị lại.",
    kept: "Tôi đã cất giữ", again: "Đăng nhập lại", againText: "Bước này cần lần đăng nhập trong năm phút gần nhất.",
    elsewhere: "Bảng điều khiển ở địa chỉ khác", elsewhereText: "Phiên đăng nhập thuộc về URL công khai của máy chủ này.",
    cancelled: "Không có gì thay đổi.", noFactor: "Tài khoản của bạn không có yếu tố thứ hai. Hãy xin owner một liên kết mới.",
  },
});

/** The server's root. A proxy may serve it below a path. */
export const root = new URL("..", import.meta.url);
const PLACE = new URL("console/session", root);
const KEPT_MINUTES = 10;

// MARK: The key

const KEYS = "gatehouse-console";

function keys(mode, use) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(KEYS, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const request = use(opening.result.transaction("keys", mode).objectStore("keys"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    };
  });
}

let known;

/** This browser's key. No script can read its private half. */
async function key() {
  known ??= await keys("readonly", (store) => store.get("session"));
  if (!known) {
    known = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
    await keys("readwrite", (store) => store.put(known, "session"));
  }
  return known;
}

/** Seconds that the server's clock is ahead. */
let ahead = 0;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const part = (value) => base64url(new TextEncoder().encode(JSON.stringify(value)));

/** The value of the header `dpop` for a request. */
export async function proof(method, url) {
  const { privateKey, publicKey } = await key();
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  const signed = [
    part({ typ: "dpop+jwt", alg: "ES256", jwk: { kty, crv, x, y } }),
    part({
      jti: crypto.randomUUID(), htm: method, htu: url.origin + url.pathname,
      iat: Math.floor(Date.now() / 1000 + ahead),
    }),
  ].join(".");
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" }, privateKey, new TextEncoder().encode(signed));
  return `${signed}.${base64url(signature)}`;
}

// MARK: Refusals

/** What the server refused: a code such as `EMAIL_EXISTS`, and a detail for the reader. */
export class Refusal extends Error {
  constructor(status, code, detail) {
    super(detail ? `${code} : ${detail}` : code);
    Object.assign(this, { status, code, detail });
  }
}

export async function refusalOf(response) {
  const { error } = await response.json().catch(() => ({}));
  const message = error?.message ?? error?.errors?.[0]?.message ?? "";
  const [, code, detail] = /^([A-Z][A-Z0-9_]+)(?:\s*:\s*([^]*))?$/.exec(message) ?? [];
  if (code) return new Refusal(response.status, code, detail);
  return new Refusal(response.status, error?.status ?? `HTTP_${response.status}`, message);
}

// MARK: The session

async function send(method, path, body) {
  const url = new URL(path, root);
  const response = await fetch(url, {
    method, credentials: "same-origin", cache: "no-store", body: body && JSON.stringify(body),
    headers: { dpop: await proof(method, url), ...(body && { "content-type": "application/json" }) },
  });
  return read(response);
}

async function read(response) {
  if (!response.ok) throw await refusalOf(response);
  return { answer: await response.json(), response };
}

let state = {};

/** Who is signed in. Each call keeps them signed in for an hour. */
export async function loadSession() {
  let { answer, response } = await send("GET", PLACE);
  const difference = Date.parse(response.headers.get("date")) / 1000 - Date.now() / 1000;
  if (Math.abs(difference - ahead) > 20) {
    // A proof must have the server's time.
    ahead = difference;
    ({ answer } = await send("GET", PLACE));
  }
  state = answer;
  if (answer.mode === "signedIn") keepAlive();
  return answer;
}

let wasUsed = false;
let timer;

function keepAlive() {
  if (timer) return;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { wasUsed = true; });
  timer = setInterval(() => {
    if (wasUsed && !document.hidden) send("GET", PLACE).catch(() => {});
    wasUsed = false;
  }, KEPT_MINUTES * 60_000);
}

const begin = async (idToken) => (await send("POST", PLACE, { idToken })).answer;

export async function signOut() {
  await send("DELETE", PLACE).catch(() => {});
  await keys("readwrite", (store) => store.clear());
  location.replace("console");
}

// MARK: Signing in, as any app of the console's project

async function account(path, body) {
  const url = new URL(path, root);
  url.searchParams.set("key", state.apiKey);
  const response = await fetch(url, {
    method: "POST", credentials: "omit", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  return (await read(response)).answer;
}

async function settings() {
  // Somebody who is signed in isn't told by the session.
  if (!state.apiKey) state = { ...state, ...(await read(await fetch(PLACE, { credentials: "omit" }))).answer };
  return new Passkeys({ apiKey: state.apiKey });
}

/** The forms. `done` gets the ID token of a sign-in with two factors. */
function signInForms(done, { email = "" } = {}) {
  const place = element("div", { class: "stack" });
  const passkey = Passkeys.isSupported && state.passkeys !== false && button(t("passkey"), async () => {
    const passkeys = await settings();
    await done((await passkeys.signIn()).idToken);
  }, { kind: "primary" });
  const address = input({ type: "email", autocomplete: "username", required: true, value: email });
  const password = input({ type: "password", autocomplete: "current-password", required: true });
  const first = form([field(t("email"), address), field(t("password"), password)], async () => {
    await settings();
    const answer = await account("v1/accounts:signInWithPassword", {
      email: address.value, password: password.value, returnSecureToken: true,
    });
    if (answer.idToken) throw new Refusal(0, "SECOND_FACTOR_REQUIRED", t("noFactor"));
    first.replaceWith(second(answer));
    place.querySelector("input[inputmode]").focus();
  }, { submit: t("continue"), kind: passkey ? "plain" : "primary" });
  const second = ({ mfaPendingCredential, mfaInfo }) => {
    const code = input({ inputmode: "numeric", autocomplete: "one-time-code", required: true });
    return form([field(t("code"), code, { hint: t("codeHint") })], async () => {
      const value = code.value.replaceAll(/\s/g, "");
      const { idToken } = await account("v2/accounts/mfaSignIn:finalize", {
        mfaPendingCredential, mfaEnrollmentId: mfaInfo[0]?.mfaEnrollmentId,
        ...(/^\d{6}$/.test(value) ? { totpVerificationInfo: { verificationCode: value } }
          : { recoveryCodeVerificationInfo: { code: value } }),
      });
      await done(idToken);
    }, { submit: t("enter") });
  };
  place.append(...(passkey ? [passkey, details(t("orPassword"), first)] : [first]));
  return place;
}

/** Lets the person sign in, or accept an invitation, then loads the console again. */
export async function signInPage(main) {
  await settings();
  if (new URL(state.url).origin !== location.origin) {
    main.append(heading(t("elsewhere"), { text: t("elsewhereText") }), element("p", {}, link(state.url, state.url + location.hash)));
    return undefined;
  }
  const invitation = new URLSearchParams(location.hash.slice(1).split("?")[0]).get("invitation");
  if (invitation) return invitationPage(main, invitation);
  main.append(
    heading(t("signIn")), signInForms(async (idToken) => {
      await begin(idToken);
      location.reload();
    }),
    details(t("lost"), element("p", {}, t("lostText"), " ", element("code", {}, "gatehouse console invite NAME"), ".")));
}

/** Signs in again before a sensitive step. Returns the ID token. Throws if the person gives up. */
export function askAgain() {
  return new Promise((resolve, reject) => {
    const asked = dialog(t("again"), element("p", {}, t("againText")), signInForms(async (idToken) => {
      await begin(idToken);
      resolve(idToken);
      asked.close();
    }, { email: state.user?.email }));
    asked.element.addEventListener("close", () => {
      reject(new Refusal(0, "CANCELLED", t("cancelled")));
    });
  });
}

/** What a new passkey is called. */
export const deviceName = () => navigator.userAgentData?.platform || navigator.platform;

// MARK: An invitation

function invitationPage(main, invitation) {
  // A link is good once: what it brought stays until the person is done.
  let accepted;
  const accept = async (email) => {
    accepted ??= (await send("POST", "console/invitation", { invitation, email })).answer;
    return accepted;
  };
  const finish = async (idToken) => {
    await begin(idToken);
    // Each step of an invitation begins a session.
    for (const { sessionId, current } of await ownSessions()) if (!current) await endOwnSession(sessionId);
    history.replaceState(null, "", "console");
    location.reload();
  };
  const withPasskey = {
    id: "passkey", label: t("withPasskey"), render: (place) => place.append(
      element("p", {}, t("withPasskeyText")),
      button(t("addPasskey"), async () => {
        const passkeys = await settings();
        const { idToken } = await accept();
        await passkeys.add({ idToken, name: deviceName() });
        await finish((await passkeys.signIn()).idToken);
      }, { kind: "primary" })),
  };
  const withApp = { id: "app", label: t("withApp"), render: (place) => place.append(passwordForm(accept, finish)) };
  const offers = Passkeys.isSupported && state.passkeys;
  const choices = element("div", { class: "stack" });
  main.append(heading(t("welcome"), { text: t("welcomeText") }), choices);
  if (offers) choices.append(tabs([withPasskey, withApp], { name: "way" }));
  else withApp.render(choices);
}

function passwordForm(accept, finish) {
  const email = input({ type: "email", autocomplete: "username", required: true });
  const password = input({ type: "password", autocomplete: "new-password", required: true, minlength: 12 });
  const first = form([
    field(t("yourEmail"), email, { hint: t("yourEmailHint") }), field(t("newPassword"), password, { hint: t("newPasswordHint") }),
  ], async () => {
    const accepted = await accept(email.value);
    const { idToken } = await account("v1/accounts:update", {
      idToken: accepted.idToken, password: password.value, returnSecureToken: true,
    });
    const { totpSessionInfo } = await account("v2/accounts/mfaEnrollment:start", { idToken, totpEnrollmentInfo: {} });
    const next = appForm(idToken, totpSessionInfo, accepted.email ?? email.value, finish);
    first.replaceWith(next);
    next.querySelector("input").focus();
  }, { submit: t("continue") });
  return first;
}

function appForm(idToken, { sessionInfo, sharedSecretKey }, email, finish) {
  const uri = `otpauth://totp/${encodeURIComponent(`Gatehouse:${email}`)}?secret=${sharedSecretKey}&issuer=Gatehouse`;
  const code = input({ inputmode: "numeric", autocomplete: "one-time-code", required: true });
  const place = element("div", { class: "stack" });
  place.append(
    element("h2", {}, t("app")), element("p", {}, t("appText")),
    facts([[t("key"), copyable(sharedSecretKey)]]), element("p", {}, link(t("openApp"), uri)),
    form([field(t("code"), code)], async () => {
      const answer = await account("v2/accounts/mfaEnrollment:finalize", {
        idToken, displayName: "App", totpVerificationInfo: { sessionInfo, verificationCode: code.value.trim() },
      });
      place.replaceChildren(
        element("h2", {}, t("recovery")), element("p", {}, t("recoveryText")),
        element("ul", { class: "codes" }, (answer.recoveryCodes ?? []).map((one) => element("li", {}, element("code", {}, one)))),
        button(t("kept"), () => finish(answer.idToken), { kind: "primary" }));
    }, { submit: t("finish") }));
  return place;
}

// MARK: The person's own account

/** Signs in again, for the token with which the account can be read and its passkeys changed. */
export async function ownAccount() {
  let [idToken, at] = [await askAgain(), Date.now()];
  const recent = async () => {
    if (Date.now() - at > 240_000) [idToken, at] = [await askAgain(), Date.now()];
    return idToken;
  };
  const passkeys = await settings();
  return {
    takesPasskeys: Passkeys.isSupported && state.passkeys,
    load: async () => (await account("v1/accounts:lookup", { idToken })).users[0],
    addPasskey: async (name) => {
      // A new session replaces the one that adds a passkey.
      ({ idToken } = await passkeys.add({ idToken: await recent(), name }));
      await begin(idToken);
    },
    removePasskey: async ({ credentialId }) => account("v1/accounts:update", { idToken: await recent(), deletePasskey: [credentialId] }),
  };
}

export const ownSessions = async () => (await send("GET", "console/sessions")).answer.sessions;
export const endOwnSession = (sessionId) => send("POST", "console/sessions:end", { sessionId });
