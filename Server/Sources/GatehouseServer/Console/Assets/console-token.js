// Explains a token. It is decoded in the browser and sent nowhere; the server is asked only for
// its keys, the project's settings and the user.

import { api, project, Refusal, root } from "./console-api.js";
import { list, projectBase, projectHash } from "./console-part.js";
import { texts } from "./console-texts.js";
import { bdi, card, element, field, findings, form, input, link, section, table, textarea, time } from "./console-ui.js";

const MAXIMUM_CHARACTERS = 65_536;
const TIMES = ["exp", "iat", "nbf", "auth_time", "updated_at"];
const CUSTOM_AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";
const ALGORITHMS = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
};

export function tokenTool(place) {
  const text = textarea({ rows: 6, placeholder: "eyJ…", required: true });
  const nonce = input({ spellcheck: "false" });
  const result = element("div", { class: "stack", tabindex: "-1" });
  place.append(form([
    field(t("token"), text, { hint: t("token.hint") }),
    field(t("nonce"), nonce, { hint: t("nonce.hint") }),
  ], async () => {
    result.replaceChildren();
    result.append(...await explain(text.value, nonce.value));
    result.focus();
  }, { submit: t("explain") }), result);
}

async function explain(text, nonce) {
  const token = parse(text);
  const kind = await kindOf(token.claims);
  const found = [
    { check: t("kind"), verdict: kind.name ? "ok" : "failed", detail: kind.label, remedy: kind.remedy },
    ...audience(token.claims, kind), ...times(token.claims), ...await nonceOf(token.claims, nonce, kind),
    ...await signature(token, kind),
  ];
  const user = await userOf(token.claims, kind);
  return [
    section(t("result"), card(findings([...found, ...user.found])), user.link && element("p", {}, user.link)),
    section(t("claims"), members(token.claims)),
    section(t("header"), members(token.header)),
  ];
}

// Decoding

function parse(text) {
  const compact = text.trim().replace(/^bearer\s+/i, "");
  if (compact.length > MAXIMUM_CHARACTERS) throw fault("tooLong");
  const parts = compact.split(".");
  if (parts.length === 5) throw fault("encrypted");
  if (parts.length !== 3) throw fault("noToken");
  return {
    header: decoded(parts[0], t("header")), claims: decoded(parts[1], t("claims")),
    signed: new TextEncoder().encode(`${parts[0]}.${parts[1]}`), signature: bytes(parts[2], t("signature")),
  };
}

const fault = (key, values) => new Refusal(400, "", t(key, values));

function bytes(text, part) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) throw fault("notBase64", { part });
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}

function decoded(text, part) {
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes(text, part)));
  } catch (error) {
    throw error instanceof Refusal ? error : fault("notJSON", { part });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fault("notJSON", { part });
  return value;
}

// Which token it is, and what it has to contain

/** `{name, label, audiences?, keys?, provider?, remedy?}`; without `name` it isn't one of this project. */
async function kindOf({ iss, aud }) {
  const own = await ownIssuers();
  if (iss === own.idToken) return { name: "idToken", label: t("kind.idToken"), audiences: [project()], keys: keysAt("") };
  if (iss === own.cookie) return { name: "cookie", label: t("kind.cookie"), audiences: [project()], keys: keysAt("session/") };
  if (aud === CUSTOM_AUDIENCE) return { name: "custom", label: t("kind.custom", { issuer: String(iss) }), remedy: t("kind.custom.remedy") };
  const other = otherProject(iss, own);
  if (other) return { label: t("kind.otherProject", { project: other }), remedy: t("kind.otherProject.remedy", { issuer: own.idToken }) };

  const providers = await configured();
  const provider = providers.find(({ id, issuer }) => issues(id, issuer, iss));
  if (!provider) {
    return {
      label: t("kind.unknown", { issuer: iss === undefined ? t("absent") : String(iss) }),
      remedy: t("kind.unknown.remedy", { issuers: [own.idToken, own.cookie, ...providers.map(({ issuer }) => issuer).filter(Boolean)].join(", ") }),
    };
  }
  return { name: "provider", label: t("kind.provider", { provider: provider.id }), provider, audiences: provider.audiences ?? [] };
}

const published = (name, folder) => new URL(`${encodeURIComponent(project())}/${folder}.well-known/${name}`, root);
const keysAt = (folder) => published("jwks.json", folder);

async function ownIssuers() {
  const discovered = async (folder) => {
    const response = await fetch(published("openid-configuration", folder));
    return response.ok ? (await response.json()).issuer : undefined;
  };
  const [idToken, cookie] = await Promise.all([discovered(""), discovered("session/")]);
  return { idToken, cookie };
}

/** The project that a token of this server is for, if it is another one. */
function otherProject(iss, own) {
  if (typeof iss !== "string") return undefined;
  const prefix = own.idToken?.slice(0, -project().length);
  return prefix && iss.startsWith(prefix) ? iss.slice(prefix.length) : undefined;
}

async function configured() {
  const members = ["defaultSupportedIdpConfigs", "oauthIdpConfigs"];
  const configs = await Promise.all(members.map((member) => list(`${projectBase()}/${member}`, member)));
  return configs.flat().map((config) => ({ ...config, id: config.name.split("/").pop() }));
}

function issues(id, configuredIssuer, iss) {
  if (typeof iss !== "string") return false;
  switch (id) {
    case "apple.com": return iss === "https://appleid.apple.com";
    case "google.com": return iss === "https://accounts.google.com" || iss === "accounts.google.com";
    case "facebook.com": return iss === "https://www.facebook.com" || iss === "https://limited.facebook.com";
    case "microsoft.com": return /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0$/.test(iss);
    default: return iss === configuredIssuer;
  }
}

// The checks

function audience({ aud }, { name, audiences }) {
  if (!audiences) return [];
  const given = [aud].flat().map(String);
  const isRight = aud !== undefined && given.some((one) => audiences.includes(one));
  return [isRight
    ? { check: "aud", verdict: "ok", detail: given.join(", ") }
    : {
      check: "aud", verdict: "failed", detail: t("aud.wrong", { given: given.join(", "), expected: audiences.join(", ") || "–" }),
      remedy: t(name === "provider" ? "aud.provider" : "aud.own"),
    }];
}

function times({ exp, iat, nbf, auth_time: authTime }) {
  const now = Date.now() / 1000;
  const found = [];
  if (typeof exp !== "number") found.push({ check: "exp", verdict: "failed", detail: t("exp.absent") });
  else if (exp <= now) found.push({ check: "exp", verdict: "failed", detail: t("exp.past", { when: absolute(exp) }), remedy: t("exp.remedy") });
  else found.push({ check: "exp", verdict: "ok", detail: t("exp.future", { when: absolute(exp) }) });
  for (const [check, value] of [["iat", iat], ["nbf", nbf], ["auth_time", authTime]]) {
    if (typeof value === "number" && value > now + 60) {
      found.push({ check, verdict: "failed", detail: t("future", { when: absolute(value) }), remedy: t("future.remedy") });
    }
  }
  return found;
}

const absolute = (seconds) => {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" });
};

async function nonceOf({ nonce }, raw, { provider }) {
  if (!raw) return nonce === undefined || !provider ? [] : [{ check: "nonce", verdict: "ok", detail: t("nonce.unchecked") }];
  if (nonce === undefined) return [{ check: "nonce", verdict: "failed", detail: t("nonce.absent"), remedy: t("nonce.absent.remedy") }];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(raw));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (nonce === hash) return [{ check: "nonce", verdict: "ok", detail: t("nonce.right") }];
  if (nonce === raw) return [{ check: "nonce", verdict: provider?.id === "google.com" ? "ok" : "warning", detail: t("nonce.raw"), remedy: provider?.id === "google.com" ? undefined : t("nonce.raw.remedy") }];
  return [{ check: "nonce", verdict: "failed", detail: t("nonce.wrong", { hash }), remedy: t("nonce.wrong.remedy") }];
}

async function signature({ header, signed, signature: given }, { keys, provider }) {
  const failed = (detail, remedy) => [{ check: t("signature"), verdict: "failed", detail, remedy }];
  if (String(header.alg).toLowerCase() === "none" || given.length === 0) return failed(t("signature.none"), t("signature.none.remedy"));
  if (provider) return [{ check: t("signature"), verdict: "warning", detail: t("signature.provider"), remedy: t("signature.provider.remedy", { audience: provider.audiences?.[0] ?? "CLIENT_ID" }) }];
  if (!keys) return [];
  const algorithm = ALGORITHMS[header.alg];
  if (!algorithm) return failed(t("signature.algorithm", { algorithm: String(header.alg) }));
  const response = await fetch(keys, { cache: "no-store" });
  if (!response.ok) return failed(t("signature.keys"));
  const key = (await response.json()).keys.find(({ kid }) => kid === header.kid);
  if (!key) return failed(t("signature.unknown", { kid: String(header.kid) }), t("signature.unknown.remedy"));
  if (key.alg && key.alg !== header.alg) return failed(t("signature.otherAlgorithm", { algorithm: key.alg }));
  const imported = await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"]);
  const isRight = await crypto.subtle.verify(algorithm, imported, given, signed);
  return isRight ? [{ check: t("signature"), verdict: "ok", detail: t("signature.right", { kid: header.kid }) }]
    : failed(t("signature.wrong"), t("signature.wrong.remedy"));
}

// The user

async function userOf({ sub, auth_time: authTime, firebase }, { name, provider }) {
  if (typeof sub !== "string" || !["idToken", "cookie", "provider"].includes(name)) return { found: [] };
  const asked = provider ? { federatedUserId: [{ providerId: provider.id, rawId: sub }] } : { localId: [sub] };
  const base = `/v1/projects/${encodeURIComponent(project())}`;
  const [user] = (await api.post(`${base}/accounts:lookup`, asked)).users ?? [];
  const tell = (verdict, detail, remedy) => ({ check: t("user"), verdict, detail, remedy });
  if (!user) {
    return { found: [provider ? tell("ok", t("user.new")) : tell("failed", t("user.none"))] };
  }
  const found = [user.disabled ? tell("failed", t("user.disabled")) : tell("ok", t("user.exists"))];
  if (!provider && Number(user.validSince) > authTime) found.push(tell("failed", t("user.revoked", { when: absolute(Number(user.validSince)) }), t("user.revoked.remedy")));
  if (firebase?.sid && !provider) {
    const sessions = await list(`${base}/accounts:sessions`, "sessions", { localId: user.localId });
    const isLive = sessions.some(({ sessionId }) => sessionId === firebase.sid);
    found.push({ check: t("session"), verdict: isLive ? "ok" : "warning", detail: t(isLive ? "session.live" : "session.ended") });
  }
  return { found, link: link(bdi(user.displayName || user.email || user.localId), projectHash("users", user.localId)) };
}

const isTime = ([name, value]) => TIMES.includes(name) && typeof value === "number" && Math.abs(value) < 8e12;

function members(object) {
  const rows = Object.entries(object);
  return table({
    columns: [
      { title: t("member"), cell: ([name]) => element("code", {}, name) },
      { title: t("value"), wide: true, cell: ([, value]) => element("code", {}, bdi(typeof value === "string" ? value : JSON.stringify(value, null, 1))) },
      rows.some(isTime) && { title: t("inWords"), cell: (row) => isTime(row) ? time(row[1] * 1000) : "" },
    ].filter(Boolean),
    rows,
  });
}

const t = texts({
  en: {
    token: "Token",
    "token.hint": "An ID token, a session cookie, or a provider's ID token. It stays in this browser.",
    nonce: "Raw nonce",
    "nonce.hint": "Optional: as the app created it, before it was hashed.",
    explain: "Explain",
    result: "Result",
    claims: "Claims",
    header: "Header",
    signature: "Signature",
    member: "Member",
    value: "Value",
    inWords: "In words",
    kind: "Issuer",
    absent: "absent",
    tooLong: "This is too long for a token.",
    encrypted: "This token is encrypted (JWE). Gatehouse takes only signed ones.",
    noToken: "This is not a JWT: it does not have three parts with dots between them. Refresh tokens and authorization codes have no content to explain.",
    notBase64: "{part}: not base64url. Was the token cut, or changed by a URL?",
    notJSON: "{part}: not a JSON object. Was the token cut?",
    "kind.idToken": "An ID token of this project.",
    "kind.cookie": "A session cookie of this project.",
    "kind.custom": "A custom token, created by {issuer}.",
    "kind.custom.remedy": "The app exchanges it for an ID token with signInWithCustomToken. Only then a back end accepts it.",
    "kind.otherProject": "A token of this server, for the project “{project}”.",
    "kind.otherProject.remedy": "The app uses another project's API key or file. This project's issuer is {issuer}.",
    "kind.provider": "An ID token of the provider {provider}.",
    "kind.unknown": "Unknown issuer: {issuer}",
    "kind.unknown.remedy": "This project accepts {issuers}, and Apple, Google, Facebook and Microsoft if they are configured.",
    "aud.wrong": "Issued for {given}; expected: {expected}",
    "aud.provider": "Add the client ID to the provider's configuration, or let the app use the configured one.",
    "aud.own": "The token is for another project.",
    "exp.absent": "No time of expiry.",
    "exp.past": "Expired: {when}",
    "exp.future": "Valid until {when}",
    "exp.remedy": "Get a new one: ID tokens live for an hour, and the SDK refreshes them.",
    future: "In the future: {when}",
    "future.remedy": "Compare the clocks of this machine, the server and the issuer.",
    "nonce.unchecked": "There is one. Enter the raw nonce to compare.",
    "nonce.absent": "The token has no nonce.",
    "nonce.absent.remedy": "The app has to give the hashed nonce to the provider when it requests the token.",
    "nonce.right": "The SHA-256 of the raw nonce.",
    "nonce.raw": "The token has the raw nonce itself.",
    "nonce.raw.remedy": "The app has to give the provider the SHA-256 of the nonce, in hexadecimal, and the raw nonce to this server.",
    "nonce.wrong": "Another nonce. The SHA-256 of yours is {hash}.",
    "nonce.wrong.remedy": "Create a nonce for each sign-in, and keep it until the token is sent.",
    "signature.none": "The token is not signed.",
    "signature.none.remedy": "Only the Firebase emulator's SDK creates such tokens. Never accept one.",
    "signature.provider": "Not checked: this page can't fetch the provider's keys.",
    "signature.provider.remedy": "On a machine that can: gatehouse token explain --jwks KEYS_URL --issuer ISSUER --audience {audience} -",
    "signature.algorithm": "{algorithm} is not accepted, only RS256 and ES256.",
    "signature.keys": "The keys could not be fetched.",
    "signature.unknown": "No published key has the ID {kid}.",
    "signature.unknown.remedy": "Another server signed it, or its key was discarded.",
    "signature.otherAlgorithm": "The key is for {algorithm}.",
    "signature.right": "Right, with the key {kid}.",
    "signature.wrong": "Wrong: the token was changed.",
    "signature.wrong.remedy": "Was it copied completely? Otherwise someone forged it.",
    user: "User",
    "user.new": "No user has this identity yet: a sign-in creates one.",
    "user.none": "No user has this id: deleted, or of another server.",
    "user.exists": "Exists and is enabled.",
    "user.disabled": "Disabled.",
    "user.revoked": "All tokens were revoked: {when}",
    "user.revoked.remedy": "The user has to sign in again.",
    session: "Session",
    "session.live": "Still exists.",
    "session.ended": "Ended. A back end that only checks the signature accepts the token until it expires.",
  },
  de: {
    token: "Token",
    "token.hint": "Ein ID-Token, ein Session-Cookie oder das ID-Token eines Anbieters. Es bleibt in diesem Browser.",
    nonce: "Rohe Nonce",
    "nonce.hint": "Freiwillig: so, wie die App sie erzeugt hat, bevor sie gehasht wurde.",
    explain: "Erklären",
    result: "Ergebnis",
    claims: "Claims",
    header: "Header",
    signature: "Signatur",
    member: "Feld",
    value: "Wert",
    inWords: "In Worten",
    kind: "Aussteller",
    absent: "fehlt",
    tooLong: "Das ist zu lang für ein Token.",
    encrypted: "Dieses Token ist verschlüsselt (JWE). Gatehouse nimmt nur signierte.",
    noToken: "Das ist kein JWT: Es hat nicht drei Teile mit Punkten dazwischen. Refresh-Tokens und Autorisierungscodes haben keinen Inhalt, der sich erklären ließe.",
    notBase64: "{part}: kein base64url. Wurde das Token abgeschnitten oder durch eine URL verändert?",
    notJSON: "{part}: kein JSON-Objekt. Wurde das Token abgeschnitten?",
    "kind.idToken": "Ein ID-Token dieses Projekts.",
    "kind.cookie": "Ein Session-Cookie dieses Projekts.",
    "kind.custom": "Ein Custom Token, erzeugt von {issuer}.",
    "kind.custom.remedy": "Die App tauscht es mit signInWithCustomToken gegen ein ID-Token. Erst dieses nimmt ein Backend an.",
    "kind.otherProject": "Ein Token dieses Servers für das Projekt „{project}“.",
    "kind.otherProject.remedy": "Die App verwendet den API-Schlüssel oder die Datei eines anderen Projekts. Der Aussteller dieses Projekts ist {issuer}.",
    "kind.provider": "Ein ID-Token des Anbieters {provider}.",
    "kind.unknown": "Unbekannter Aussteller: {issuer}",
    "kind.unknown.remedy": "Dieses Projekt nimmt {issuers} an, und Apple, Google, Facebook und Microsoft, wenn sie eingerichtet sind.",
    "aud.wrong": "Ausgestellt für {given}; erwartet: {expected}",
    "aud.provider": "Fügen Sie die Client-ID der Konfiguration des Anbieters hinzu, oder lassen Sie die App die eingerichtete verwenden.",
    "aud.own": "Das Token ist für ein anderes Projekt.",
    "exp.absent": "Keine Ablaufzeit.",
    "exp.past": "Abgelaufen: {when}",
    "exp.future": "Gültig bis {when}",
    "exp.remedy": "Holen Sie ein neues: ID-Tokens gelten eine Stunde, das SDK erneuert sie.",
    future: "In der Zukunft: {when}",
    "future.remedy": "Vergleichen Sie die Uhren dieses Rechners, des Servers und des Ausstellers.",
    "nonce.unchecked": "Vorhanden. Geben Sie die rohe Nonce zum Vergleich ein.",
    "nonce.absent": "Das Token hat keine Nonce.",
    "nonce.absent.remedy": "Die App muss dem Anbieter die gehashte Nonce geben, wenn sie das Token anfordert.",
    "nonce.right": "Der SHA-256 der rohen Nonce.",
    "nonce.raw": "Das Token enthält die rohe Nonce selbst.",
    "nonce.raw.remedy": "Die App muss dem Anbieter den SHA-256 der Nonce geben, hexadezimal, und diesem Server die rohe Nonce.",
    "nonce.wrong": "Eine andere Nonce. Der SHA-256 Ihrer Nonce ist {hash}.",
    "nonce.wrong.remedy": "Erzeugen Sie für jede Anmeldung eine Nonce und behalten Sie sie, bis das Token gesendet ist.",
    "signature.none": "Das Token ist nicht signiert.",
    "signature.none.remedy": "Nur das SDK des Firebase-Emulators erzeugt solche Tokens. Nehmen Sie niemals eines an.",
    "signature.provider": "Nicht geprüft: Diese Seite kann die Schlüssel des Anbieters nicht abrufen.",
    "signature.provider.remedy": "Auf einem Rechner, der es kann: gatehouse token explain --jwks KEYS_URL --issuer ISSUER --audience {audience} -",
    "signature.algorithm": "{algorithm} wird nicht angenommen, nur RS256 und ES256.",
    "signature.keys": "Die Schlüssel konnten nicht abgerufen werden.",
    "signature.unknown": "Kein veröffentlichter Schlüssel hat die ID {kid}.",
    "signature.unknown.remedy": "Ein anderer Server hat signiert, oder der Schlüssel wurde verworfen.",
    "signature.otherAlgorithm": "Der Schlüssel ist für {algorithm}.",
    "signature.right": "Richtig, mit dem Schlüssel {kid}.",
    "signature.wrong": "Falsch: Das Token wurde verändert.",
    "signature.wrong.remedy": "Wurde es vollständig kopiert? Sonst hat es jemand gefälscht.",
    user: "Benutzer",
    "user.new": "Noch kein Benutzer hat diese Identität: Eine Anmeldung legt ihn an.",
    "user.none": "Kein Benutzer hat diese ID: gelöscht oder von einem anderen Server.",
    "user.exists": "Vorhanden und nicht gesperrt.",
    "user.disabled": "Gesperrt.",
    "user.revoked": "Alle Tokens wurden widerrufen: {when}",
    "user.revoked.remedy": "Der Benutzer muss sich neu anmelden.",
    session: "Sitzung",
    "session.live": "Besteht noch.",
    "session.ended": "Beendet. Ein Backend, das nur die Signatur prüft, nimmt das Token an, bis es abläuft.",
  },
  vi: {
    token: "Token",
    "token.hint": "ID token, session cookie hoặc ID token của nhà cung cấp. Token không rời khỏi trình duyệt này.",
    nonce: "Nonce gốc",
    "nonce.hint": "Không bắt buộc: như ứng dụng đã tạo, trước khi băm.",
    explain: "Giải thích",
    result: "Kết quả",
    claims: "Claim",
    header: "Header",
    signature: "Chữ ký",
    member: "Trường",
    value: "Giá trị",
    inWords: "Diễn giải",
    kind: "Bên phát hành",
    absent: "không có",
    tooLong: "Quá dài đối với một token.",
    encrypted: "Token này được mã hóa (JWE). Gatehouse chỉ nhận token có chữ ký.",
    noToken: "Đây không phải JWT: không có ba phần cách nhau bằng dấu chấm. Refresh token và mã ủy quyền không có nội dung để giải thích.",
    notBase64: "{part}: không phải base64url. Token có bị cắt hoặc bị URL làm thay đổi không?",
    notJSON: "{part}: không phải đối tượng JSON. Token có bị cắt không?",
    "kind.idToken": "ID token của dự án này.",
    "kind.cookie": "Session cookie của dự án này.",
    "kind.custom": "Custom token do {issuer} tạo.",
    "kind.custom.remedy": "Ứng dụng đổi nó lấy ID token bằng signInWithCustomToken. Chỉ khi đó backend mới chấp nhận.",
    "kind.otherProject": "Token của máy chủ này, cho dự án “{project}”.",
    "kind.otherProject.remedy": "Ứng dụng dùng khóa API hoặc tệp của dự án khác. Bên phát hành của dự án này là {issuer}.",
    "kind.provider": "ID token của nhà cung cấp {provider}.",
    "kind.unknown": "Bên phát hành lạ: {issuer}",
    "kind.unknown.remedy": "Dự án này chấp nhận {issuers}, và Apple, Google, Facebook, Microsoft nếu đã cấu hình.",
    "aud.wrong": "Phát hành cho {given}; cần: {expected}",
    "aud.provider": "Hãy thêm client ID vào cấu hình nhà cung cấp, hoặc để ứng dụng dùng client ID đã cấu hình.",
    "aud.own": "Token thuộc về dự án khác.",
    "exp.absent": "Không có thời điểm hết hạn.",
    "exp.past": "Đã hết hạn: {when}",
    "exp.future": "Có hiệu lực đến {when}",
    "exp.remedy": "Hãy lấy token mới: ID token có hiệu lực một giờ và SDK tự làm mới.",
    future: "Ở tương lai: {when}",
    "future.remedy": "Hãy so sánh đồng hồ của máy này, máy chủ và bên phát hành.",
    "nonce.unchecked": "Có nonce. Nhập nonce gốc để so sánh.",
    "nonce.absent": "Token không có nonce.",
    "nonce.absent.remedy": "Ứng dụng phải đưa nonce đã băm cho nhà cung cấp khi yêu cầu token.",
    "nonce.right": "Là SHA-256 của nonce gốc.",
    "nonce.raw": "Token chứa chính nonce gốc.",
    "nonce.raw.remedy": "Ứng dụng phải đưa SHA-256 của nonce (dạng hex) cho nhà cung cấp, và nonce gốc cho máy chủ này.",
    "nonce.wrong": "Nonce khác. SHA-256 của nonce bạn nhập là {hash}.",
    "nonce.wrong.remedy": "Hãy tạo nonce cho mỗi lần đăng nhập và giữ đến khi token được gửi.",
    "signature.none": "Token không có chữ ký.",
    "signature.none.remedy": "Chỉ SDK của Firebase emulator tạo token như vậy. Đừng bao giờ chấp nhận.",
    "signature.provider": "Chưa kiểm tra: trang này không lấy được khóa của nhà cung cấp.",
    "signature.provider.remedy": "Trên máy lấy được: gatehouse token explain --jwks KEYS_URL --issuer ISSUER --audience {audience} -",
    "signature.algorithm": "{algorithm} không được chấp nhận, chỉ RS256 và ES256.",
    "signature.keys": "Không lấy được khóa.",
    "signature.unknown": "Không có khóa công bố nào mang ID {kid}.",
    "signature.unknown.remedy": "Máy chủ khác đã ký, hoặc khóa đã bị loại bỏ.",
    "signature.otherAlgorithm": "Khóa này dành cho {algorithm}.",
    "signature.right": "Đúng, với khóa {kid}.",
    "signature.wrong": "Sai: token đã bị thay đổi.",
    "signature.wrong.remedy": "Token có được sao chép đầy đủ không? Nếu có thì ai đó đã giả mạo.",
    user: "Người dùng",
    "user.new": "Chưa người dùng nào có danh tính này: lần đăng nhập đầu sẽ tạo tài khoản.",
    "user.none": "Không có người dùng với ID này: đã xóa hoặc thuộc máy chủ khác.",
    "user.exists": "Tồn tại và không bị khóa.",
    "user.disabled": "Đã bị vô hiệu hóa.",
    "user.revoked": "Mọi token đã bị thu hồi: {when}",
    "user.revoked.remedy": "Người dùng phải đăng nhập lại.",
    session: "Phiên",
    "session.live": "Vẫn còn.",
    "session.ended": "Đã kết thúc. Backend chỉ kiểm tra chữ ký sẽ chấp nhận token đến khi hết hạn.",
  },
});
