// The programs that the server calls: receivers of events, blocking functions, and the one that
// sends codes.

import { api, may, Refusal } from "./console-api.js";
import { ask, eventKinds as kinds, list, part, projectBase as base, projectHash } from "./console-part.js";
import { texts } from "./console-texts.js";
import {
  badge, bdi, button, buttons, card, checkbox, confirm, copyable, details, dialog, element, emptyState,
  facts, field, findings, form, heading, input, link, pager, section, select, table, time, toast,
} from "./console-ui.js";

const examples = [
  {
    language: "Python", code: `import base64, hashlib, hmac, time

def is_genuine(secret, headers, body):
    """body: the bytes as received, before they are parsed."""
    stamp = headers["webhook-timestamp"]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{stamp}.".encode() + body
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers["webhook-signature"].encode().split()
    return abs(time.time() - int(stamp)) <= 300 and any(
        hmac.compare_digest(b"v1," + mac, each) for each in signatures)`,
  },
  {
    language: "JavaScript (Node.js)", code: `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the Buffer as received, before it is parsed.
export function isGenuine(secret, headers, body) {
  const stamp = headers["webhook-timestamp"];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key)
    .update(\`\${headers["webhook-id"]}.\${stamp}.\`).update(body).digest("base64");
  const expected = Buffer.from(\`v1,\${mac}\`);
  const isRecent = Math.abs(Date.now() / 1000 - Number(stamp)) <= 300;
  return isRecent && headers["webhook-signature"].split(" ").some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
];

export async function render(main, route) {
  if (route.parts[0]) return renderHook(main, route.parts[0]);
  main.append(
    heading(t("title"), { text: t("lead") }),
    section(t("hooks"), part(receivers)),
    section(t("functions"), element("p", {}, t("functions.text")), part(functions)),
    section(t("codes"), element("p", {}, t("codes.text")), part(codes)));
}

const hookID = (hook) => hook.name.split("/").pop();
const hookPath = (id) => `${base()}/hooks/${encodeURIComponent(id)}`;
const mayChange = () => may("administrator");

function subscribed(hook) {
  return hook.events.length === 0 ? t("kinds.all") : hook.events.join(", ");
}

const stateOf = (hook) => hook.enabled ? badge(t("on"), "good") : badge(t("off"), "quiet");

/** Shows a secret, which no later answer has, and how a program verifies signatures with it. */
function showSecret(secret) {
  return dialog(t("secret"), element("p", {}, t("secret.text")), copyable(secret), verification());
}

const verification = () => details(t("verify"), element("div", { class: "stack" },
  element("p", {}, t("verify.text")),
  ...examples.flatMap(({ language, code }) => [
    element("strong", {}, language), element("pre", { tabindex: "0", "aria-label": language }, code),
  ])));

const showFindings = (answer) => dialog(t("test.result"), findings(answer.findings));

// Receivers of events

async function receivers(reload) {
  const hooks = await list(`${base()}/hooks`, "hooks");
  const add = mayChange() && button(t("add"), () => addHook(), { kind: "primary" });
  if (hooks.length === 0) return emptyState(t("hooks.none"), t("hooks.none.text"), add);
  return [
    table({
      columns: [
        { title: t("url"), wide: true, cell: (hook) => link(hook.url, projectHash("hooks", hookID(hook))) },
        { title: t("events"), wide: true, cell: subscribed },
        { title: t("state"), cell: stateOf },
      ],
      rows: hooks,
    }),
    buttons(add),
  ];
}

function hookFields(hook) {
  const url = input({ type: "url", value: hook.url, required: true, placeholder: "https://api.example.com/events" });
  const which = select([["all", t("kinds.all")], ["some", t("kinds.some")]], hook.events.length ? "some" : "all");
  const boxes = kinds.map((kind) => checkbox(kind, hook.events.includes(kind)));
  const chosen = element("fieldset", { hidden: which.value === "all" },
    element("legend", {}, t("kinds.which")), ...boxes);
  which.addEventListener("change", () => { chosen.hidden = which.value === "all"; });
  const format = select([["json", t("form.json")], ["token", t("form.token")]], hook.form);
  return {
    children: [
      field(t("url"), url, { hint: t("url.hint") }), field(t("events"), which), chosen,
      field(t("form"), format, { hint: t("form.hint") }),
    ],
    value() {
      const events = which.value === "all" ? [] : kinds.filter((_, at) => boxes[at].control.checked);
      if (which.value === "some" && events.length === 0) throw new Refusal(400, "", t("kinds.empty"));
      return { url: url.value.trim(), events, form: format.value };
    },
  };
}

function addHook() {
  const fields = hookFields({ url: "", events: [], form: "json" });
  ask(t("add"), fields.children, async () => {
    const hook = await api.post(`${base()}/hooks`, fields.value());
    return async () => {
      await showSecret(hook.secret).closed;
      location.hash = projectHash("hooks", hookID(hook));
    };
  }, t("add"));
}

async function renderHook(main, id) {
  let known = await api.get(hookPath(id));
  const summary = async (reload) => {
    const hook = known ?? await api.get(hookPath(id));
    known = undefined;
    return hookSummary(id, hook, reload, deliveries);
  };
  main.append(heading(t("hook")), link(`← ${t("title")}`, projectHash("hooks")));
  const deliveries = part((reload) => waiting(id, reload));
  main.append(
    part(summary),
    section(t("deliveries"), element("p", {}, t("deliveries.text")), deliveries),
    verification());
}

function hookSummary(id, hook, reload, deliveries) {
  const change = async (body) => {
    await api.patch(hookPath(id), body);
    toast(t("saved"));
    await reload();
  };
  return [
    facts([
      [t("url"), element("code", {}, hook.url)],
      [t("events"), subscribed(hook)],
      [t("form"), t(`form.${hook.form}`)],
      [t("state"), stateOf(hook)],
      [t("created"), time(hook.createTime)],
      [t("id"), element("code", {}, id)],
    ]),
    mayChange() && buttons(
      button(t("test"), async () => showFindings(await api.post(`${hookPath(id)}:test`, {})), { kind: "primary" }),
      button(t("change"), () => {
        const fields = hookFields(hook);
        ask(t("change"), fields.children, () => change(fields.value()));
      }),
      button(hook.enabled ? t("disable") : t("enable"), async () => {
        const isSure = !hook.enabled || await confirm({ title: t("hook.disable"), text: t("hook.disable.text"), action: t("disable") });
        if (isSure) await change({ enabled: !hook.enabled });
      }),
      button(t("rotate"), () => rotate(`${hookPath(id)}:rotateSecret`)),
      button(t("redeliver.many"), () => redeliverMany(id, deliveries)),
      button(t("delete"), () => remove({
        title: t("hook.delete"), text: t("hook.delete.text", { url: hook.url }),
      }, async () => {
        await api.delete(hookPath(id));
        location.hash = projectHash("hooks");
      }), { kind: "danger" })),
  ];
}

async function rotate(path) {
  if (!await confirm({ title: t("rotate"), text: t("rotate.text"), action: t("rotate") })) return;
  showSecret((await api.post(path, {})).secret);
}

async function remove(question, action) {
  if (!await confirm({ ...question, action: t("delete"), kind: "danger" })) return;
  await action();
  toast(t("removed"));
}

function waiting(id, reload) {
  // A delivery is work of the outbox: this attempts it again and queues no second one.
  const redeliver = async (delivery) => {
    await api.post(`${base()}/outbox/${encodeURIComponent(delivery.id)}:retry`, {});
    toast(t("redeliver.count", { count: 1 }));
    await reload();
  };
  const deliveries = table(deliveryTable(redeliver));
  return [
    deliveries,
    pager(async (token) => {
      const page = await api.get(`${hookPath(id)}/deliveries`, { pageSize: 50, pageToken: token });
      return { rows: page.deliveries, next: page.nextPageToken };
    }, deliveries),
    buttons(button(t("refresh"), reload)),
  ];
}

const deliveryTable = (redeliver) => ({
  columns: [
    { title: t("event"), wide: true, cell: ({ event }) => link(event.type, projectHash("events", event.id)) },
    { title: t("time"), cell: ({ event }) => time(event.time) },
    { title: t("state"), cell: (row) => [
      row.state === "givenUp" ? badge(t("givenUp"), "bad") : badge(t("waiting"), "warn"), " ",
      element("small", {}, t("attempts", { count: row.attempts }), Date.parse(row.nextAttemptTime) > Date.now() && [" · ", t("next"), " ", time(row.nextAttemptTime)])] },
    { title: t("answer"), wide: true, cell: (row) => bdi(row.lastError ?? "–") },
    { title: "", cell: (row) => mayChange() && button(t("redeliver"), () => redeliver(row),
      { "aria-label": t("redeliver.one", { event: row.event.type }) }) },
  ],
  empty: emptyState(t("deliveries.none"), t("deliveries.none.text")),
});

function redeliverMany(id, deliveries) {
  const which = select([["undelivered", t("redeliver.undelivered")], ["since", t("redeliver.since")]], "undelivered");
  const since = input({ type: "datetime-local" });
  const sinceField = field(t("since"), since, { hint: t("since.hint") });
  sinceField.hidden = true;
  which.addEventListener("change", () => {
    sinceField.hidden = which.value !== "since";
    since.required = !sinceField.hidden;
  });
  ask(t("redeliver.many"), [field(t("redeliver.which"), which), sinceField], async () => {
    const body = which.value === "since"
      ? { since: new Date(since.value).toISOString() } : { undelivered: true };
    const { count } = await api.post(`${hookPath(id)}:redeliver`, body);
    toast(t("redeliver.count", { count }));
    await deliveries.load();
  }, t("redeliver"));
}

// Blocking functions

async function functions(reload) {
  const { blockingFunctions } = await api.get(`${base()}/config`);
  const { triggers = {}, forwardInboundCredentials = {} } = blockingFunctions ?? {};
  const forwarded = ["idToken", "accessToken", "refreshToken"].filter((name) => forwardInboundCredentials[name]);
  return [
    element("div", { class: "columns" },
      ...["beforeCreate", "beforeSignIn"].map((trigger) => functionCard(trigger, triggers[trigger], reload))),
    facts([[t("forward"), forwarded.length ? forwarded.join(", ") : t("forward.none")]]),
    mayChange() && buttons(button(t("forward.change"), () => changeForwarding(forwardInboundCredentials, reload))),
  ];
}

function functionCard(trigger, set, reload) {
  const path = `${base()}/blockingFunctions/${trigger}`;
  const mask = { updateMask: `blockingFunctions.triggers.${trigger}` };
  const change = () => {
    const url = input({ type: "url", value: set?.functionUri ?? "", required: true, placeholder: `https://api.example.com/${trigger}` });
    const onFailure = select([["refuse", t("onFailure.refuse")], ["allow", t("onFailure.allow")]], set?.onFailure ?? "refuse");
    ask(trigger, [
      field(t("url"), url, { hint: t("url.hint") }),
      field(t("onFailure"), onFailure, { hint: t("onFailure.hint") }),
    ], async () => {
      const body = { functionUri: url.value.trim(), onFailure: onFailure.value };
      const config = await api.patch(`${base()}/config`, { blockingFunctions: { triggers: { [trigger]: body } } }, mask);
      await reload();
      const { secret } = config.blockingFunctions.triggers[trigger];
      return () => secret ? showSecret(secret) : toast(t("saved"));
    });
  };
  return card(
    element("h3", {}, element("code", {}, trigger)),
    element("p", {}, t(trigger)),
    set ? facts([
      [t("url"), element("code", {}, set.functionUri)],
      [t("onFailure"), t(`onFailure.${set.onFailure}`)],
      [t("changed"), time(set.updateTime)],
    ]) : element("p", {}, badge(t("notSet"), "quiet")),
    mayChange() && (set
      ? buttons(
        button(t("test"), async () => showFindings(await api.post(`${path}:test`, {}))),
        button(t("change"), change),
        button(t("rotate"), () => rotate(`${path}:rotateSecret`)),
        button(t("delete"), () => remove({
          title: t("function.delete", { trigger }), text: t("function.delete.text"),
        }, async () => {
          await api.patch(`${base()}/config`, {}, mask);
          await reload();
        }), { kind: "danger" }))
      : buttons(button(t("setUp"), change))));
}

function changeForwarding(now, reload) {
  const names = ["idToken", "accessToken", "refreshToken"];
  const boxes = names.map((name) => checkbox(t(`forward.${name}`), now[name] === true));
  ask(t("forward.change"), [element("p", {}, t("forward.text")), ...boxes], async () => {
    const forwardInboundCredentials = Object.fromEntries(names.map((name, at) => [name, boxes[at].control.checked]));
    await api.patch(`${base()}/config`, { blockingFunctions: { forwardInboundCredentials } },
      { updateMask: "blockingFunctions.forwardInboundCredentials" });
    toast(t("saved"));
    await reload();
  });
}

// The program that sends codes

async function codes(reload) {
  if (!mayChange()) return element("p", {}, t("codes.hidden"));
  const path = `${base()}/codeWebhook`;
  const set = await api.get(path);
  const change = () => {
    const url = input({ type: "url", value: set.url ?? "", required: true, placeholder: "https://sms.example.com/codes" });
    ask(t("codes"), [field(t("url"), url, { hint: t("url.hint") })], async () => {
      const { secret } = await api.patch(path, { url: url.value.trim() });
      await reload();
      return () => secret ? showSecret(secret) : toast(t("saved"));
    });
  };
  const newSecret = async () => {
    if (!await confirm({ title: t("rotate"), text: t("codes.rotate.text"), action: t("rotate") })) return;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const secret = `whsec_${btoa(String.fromCharCode(...bytes))}`;
    await api.patch(path, { url: set.url, secret });
    showSecret(secret);
  };
  if (!set.url) return emptyState(t("codes.none"), t("codes.none.text"), button(t("setUp"), change));
  return card(
    facts([[t("url"), element("code", {}, set.url)]]),
    buttons(
      button(t("test"), async () => showFindings(await api.post(`${path}:test`, {}))),
      button(t("change"), change),
      button(t("rotate"), newSecret),
      button(t("delete"), () => remove({ title: t("codes.delete"), text: t("codes.delete.text") }, async () => {
        await api.delete(path);
        await reload();
      }), { kind: "danger" })));
}

const t = texts({
  en: {
    title: "Hooks and functions",
    lead: "Programs of yours that this server calls. Each request is signed.",
    hooks: "Receivers of events",
    hook: "Receiver of events",
    "hooks.none": "No receiver yet",
    "hooks.none.text": "A receiver gets a signed request when something happens to an account, for example when it is deleted.",
    add: "Add a receiver",
    url: "URL",
    "url.hint": "https. An address on the server's own machine can be set only with the command there.",
    events: "Events",
    "kinds.all": "All events about accounts",
    "kinds.some": "Only some",
    "kinds.which": "Which events",
    "kinds.empty": "Choose at least one event.",
    form: "Format",
    "form.json": "JSON with a token",
    "form.token": "Only the token (RFC 8935)",
    "form.hint": "The token is the same event as a security event token (RFC 8417), signed with the keys of ID tokens.",
    state: "State",
    on: "On",
    off: "Off",
    created: "Created",
    changed: "Changed",
    id: "ID",
    test: "Send a test",
    "test.result": "What the test found",
    change: "Change",
    saved: "Saved.",
    disable: "Turn off",
    enable: "Turn on",
    delete: "Remove",
    removed: "Removed.",
    refresh: "Refresh",
    secret: "The secret",
    "secret.text": "Copy it now: it is shown only once. Your program needs it to verify signatures.",
    rotate: "New secret",
    "rotate.text": "From now on, requests are signed with the new secret and the previous one. Give the new one to your program.",
    verify: "How a program verifies the signature",
    "verify.text": "As Standard Webhooks describes. The headers' names are in lower case here. Expect the same webhook-id twice, and answer with 2xx within 4 seconds.",
    "hook.disable": "Turn off this receiver?",
    "hook.disable.text": "It gets no new events, and deliveries that wait are given up. You can redeliver both later.",
    "hook.delete": "Remove this receiver?",
    "hook.delete.text": "{url} gets no more events. Deliveries that wait are not made.",
    deliveries: "Deliveries",
    "deliveries.text": "Only those that wait or were given up. A receiver that answers with 2xx has none here.",
    "deliveries.none": "Nothing waits",
    "deliveries.none.text": "All events were delivered.",
    event: "Event",
    time: "Time",
    givenUp: "Given up",
    waiting: "Waits",
    attempts: "Attempts: {count}",
    answer: "Last answer",
    next: "next",
    redeliver: "Redeliver",
    "redeliver.one": "Redeliver {event}",
    "redeliver.many": "Redeliver…",
    "redeliver.which": "Which events",
    "redeliver.undelivered": "Those that wait or were given up",
    "redeliver.since": "All of the event log since a time",
    "redeliver.count": "Events to be delivered again: {count}",
    since: "Since",
    "since.hint": "Your local time. At most 10,000 events. Delivered events are delivered again.",
    functions: "Blocking functions",
    "functions.text": "The server waits for such a program's answer, and the user waits with it: at most 7 seconds by default.",
    beforeCreate: "Decides whether an account is created.",
    beforeSignIn: "Decides whether a session begins, also the first one of a new account.",
    notSet: "Not set",
    setUp: "Set up",
    onFailure: "If the function fails",
    "onFailure.refuse": "Refuse the request",
    "onFailure.allow": "Continue without it",
    "onFailure.hint": "Refuse if the function protects something. Continue if it only adds claims.",
    "function.delete": "Remove {trigger}?",
    "function.delete.text": "Requests continue without asking it. If it protected something, that is open now.",
    forward: "Providers' tokens sent to the functions",
    "forward.none": "None",
    "forward.change": "Change what is sent",
    "forward.text": "The program can act for the user at the provider with these tokens. Send only what it needs.",
    "forward.idToken": "ID token",
    "forward.accessToken": "Access token",
    "forward.refreshToken": "Refresh token",
    codes: "Codes by text message",
    "codes.text": "Gatehouse creates codes for phone numbers. A program of yours passes them to your SMS vendor.",
    "codes.hidden": "Only administrators see this setting.",
    "codes.none": "No program sends codes",
    "codes.none.text": "Without it, no text message is sent.",
    "codes.rotate.text": "The next request is signed with the new secret only. Let your program accept both before you continue.",
    "codes.delete": "Remove the program that sends codes?",
    "codes.delete.text": "Users can't sign in with a new code until there is another one.",
  },
  de: {
    title: "Hooks und Funktionen",
    lead: "Ihre Programme, die dieser Server aufruft. Jede Anfrage ist signiert.",
    hooks: "Empfänger von Ereignissen",
    hook: "Empfänger von Ereignissen",
    "hooks.none": "Noch kein Empfänger",
    "hooks.none.text": "Ein Empfänger bekommt eine signierte Anfrage, wenn mit einem Konto etwas geschieht, zum Beispiel wenn es gelöscht wird.",
    add: "Empfänger hinzufügen",
    url: "URL",
    "url.hint": "https. Eine Adresse auf dem Rechner des Servers lässt sich nur mit dem Befehl dort angeben.",
    events: "Ereignisse",
    "kinds.all": "Alle Ereignisse zu Konten",
    "kinds.some": "Nur bestimmte",
    "kinds.which": "Welche Ereignisse",
    "kinds.empty": "Wählen Sie mindestens ein Ereignis.",
    form: "Format",
    "form.json": "JSON mit Token",
    "form.token": "Nur das Token (RFC 8935)",
    "form.hint": "Das Token ist dasselbe Ereignis als Security Event Token (RFC 8417), signiert mit den Schlüsseln der ID-Tokens.",
    state: "Zustand",
    on: "Ein",
    off: "Aus",
    created: "Angelegt",
    changed: "Geändert",
    id: "ID",
    test: "Test senden",
    "test.result": "Ergebnis des Tests",
    change: "Ändern",
    saved: "Gespeichert.",
    disable: "Ausschalten",
    enable: "Einschalten",
    delete: "Entfernen",
    removed: "Entfernt.",
    refresh: "Aktualisieren",
    secret: "Das Geheimnis",
    "secret.text": "Kopieren Sie es jetzt: Es wird nur einmal angezeigt. Ihr Programm prüft damit die Signaturen.",
    rotate: "Neues Geheimnis",
    "rotate.text": "Ab jetzt werden Anfragen mit dem neuen und dem vorigen Geheimnis signiert. Geben Sie Ihrem Programm das neue.",
    verify: "So prüft ein Programm die Signatur",
    "verify.text": "Wie Standard Webhooks es beschreibt. Die Namen der Header sind hier kleingeschrieben. Dieselbe webhook-id kann zweimal kommen; antworten Sie innerhalb von 4 Sekunden mit 2xx.",
    "hook.disable": "Diesen Empfänger ausschalten?",
    "hook.disable.text": "Er bekommt keine neuen Ereignisse, und wartende Zustellungen werden aufgegeben. Beides können Sie später erneut zustellen.",
    "hook.delete": "Diesen Empfänger entfernen?",
    "hook.delete.text": "{url} bekommt keine Ereignisse mehr. Wartende Zustellungen entfallen.",
    deliveries: "Zustellungen",
    "deliveries.text": "Nur solche, die warten oder aufgegeben wurden. Ein Empfänger, der mit 2xx antwortet, hat hier keine.",
    "deliveries.none": "Nichts wartet",
    "deliveries.none.text": "Alle Ereignisse sind zugestellt.",
    event: "Ereignis",
    time: "Zeit",
    givenUp: "Aufgegeben",
    waiting: "Wartet",
    attempts: "Versuche: {count}",
    answer: "Letzte Antwort",
    next: "nächster",
    redeliver: "Erneut zustellen",
    "redeliver.one": "{event} erneut zustellen",
    "redeliver.many": "Erneut zustellen …",
    "redeliver.which": "Welche Ereignisse",
    "redeliver.undelivered": "Wartende und aufgegebene",
    "redeliver.since": "Alle des Protokolls seit einem Zeitpunkt",
    "redeliver.count": "Ereignisse, die erneut zugestellt werden: {count}",
    since: "Seit",
    "since.hint": "Ihre Ortszeit. Höchstens 10.000 Ereignisse. Auch zugestellte werden erneut zugestellt.",
    functions: "Blockierende Funktionen",
    "functions.text": "Der Server wartet auf die Antwort eines solchen Programms, und mit ihm der Benutzer: normalerweise höchstens 7 Sekunden.",
    beforeCreate: "Entscheidet, ob ein Konto angelegt wird.",
    beforeSignIn: "Entscheidet, ob eine Sitzung beginnt, auch die erste eines neuen Kontos.",
    notSet: "Nicht eingerichtet",
    setUp: "Einrichten",
    onFailure: "Wenn die Funktion ausfällt",
    "onFailure.refuse": "Die Anfrage ablehnen",
    "onFailure.allow": "Ohne sie fortfahren",
    "onFailure.hint": "Ablehnen, wenn die Funktion etwas schützt. Fortfahren, wenn sie nur Claims hinzufügt.",
    "function.delete": "{trigger} entfernen?",
    "function.delete.text": "Anfragen laufen weiter, ohne sie zu fragen. Was sie geschützt hat, ist dann offen.",
    forward: "Tokens der Anbieter, die die Funktionen bekommen",
    "forward.none": "Keine",
    "forward.change": "Ändern, was gesendet wird",
    "forward.text": "Mit diesen Tokens kann das Programm beim Anbieter für den Benutzer handeln. Senden Sie nur, was es braucht.",
    "forward.idToken": "ID-Token",
    "forward.accessToken": "Access-Token",
    "forward.refreshToken": "Refresh-Token",
    codes: "Codes per SMS",
    "codes.text": "Gatehouse erzeugt Codes für Telefonnummern. Ihr Programm gibt sie an Ihren SMS-Dienst weiter.",
    "codes.hidden": "Diese Einstellung sehen nur Administratoren.",
    "codes.none": "Kein Programm versendet Codes",
    "codes.none.text": "Ohne ein solches Programm wird keine SMS versandt.",
    "codes.rotate.text": "Die nächste Anfrage ist nur noch mit dem neuen Geheimnis signiert. Ihr Programm sollte vorher beide annehmen.",
    "codes.delete": "Das Programm entfernen, das Codes versendet?",
    "codes.delete.text": "Benutzer können sich nicht mit einem neuen Code anmelden, bis es ein anderes gibt.",
  },
  vi: {
    title: "Hook và hàm",
    lead: "Các chương trình của bạn mà máy chủ này gọi. Mỗi yêu cầu đều có chữ ký.",
    hooks: "Nơi nhận sự kiện",
    hook: "Nơi nhận sự kiện",
    "hooks.none": "Chưa có nơi nhận nào",
    "hooks.none.text": "Nơi nhận sẽ nhận một yêu cầu có chữ ký khi có thay đổi ở một tài khoản, ví dụ khi tài khoản bị xóa.",
    add: "Thêm nơi nhận",
    url: "URL",
    "url.hint": "https. Địa chỉ trên chính máy chủ chỉ đặt được bằng lệnh chạy tại máy đó.",
    events: "Sự kiện",
    "kinds.all": "Mọi sự kiện về tài khoản",
    "kinds.some": "Chỉ một số",
    "kinds.which": "Những sự kiện nào",
    "kinds.empty": "Hãy chọn ít nhất một sự kiện.",
    form: "Định dạng",
    "form.json": "JSON kèm token",
    "form.token": "Chỉ token (RFC 8935)",
    "form.hint": "Token là cùng sự kiện đó dưới dạng security event token (RFC 8417), ký bằng khóa của ID token.",
    state: "Trạng thái",
    on: "Bật",
    off: "Tắt",
    created: "Tạo lúc",
    changed: "Thay đổi lúc",
    id: "ID",
    test: "Gửi thử",
    "test.result": "Kết quả thử",
    change: "Thay đổi",
    saved: "Đã lưu.",
    disable: "Tắt",
    enable: "Bật",
    delete: "Gỡ bỏ",
    removed: "Đã gỡ bỏ.",
    refresh: "Tải lại",
    secret: "Khóa bí mật",
    "secret.text": "Hãy sao chép ngay: khóa chỉ hiển thị một lần. Chương trình của bạn cần khóa này để kiểm tra chữ ký.",
    rotate: "Khóa bí mật mới",
    "rotate.text": "Từ bây giờ, yêu cầu được ký bằng cả khóa mới và khóa trước. Hãy đưa khóa mới cho chương trình của bạn.",
    verify: "Cách chương trình kiểm tra chữ ký",
    "verify.text": "Theo Standard Webhooks. Tên các header ở đây viết thường. Cùng một webhook-id có thể đến hai lần; hãy trả lời 2xx trong vòng 4 giây.",
    "hook.disable": "Tắt nơi nhận này?",
    "hook.disable.text": "Nơi nhận không nhận sự kiện mới, và các lần gửi đang chờ bị bỏ. Bạn có thể gửi lại cả hai sau.",
    "hook.delete": "Gỡ bỏ nơi nhận này?",
    "hook.delete.text": "{url} không nhận sự kiện nữa. Các lần gửi đang chờ bị hủy.",
    deliveries: "Các lần gửi",
    "deliveries.text": "Chỉ những lần đang chờ hoặc đã bỏ. Nơi nhận trả lời 2xx thì không có gì ở đây.",
    "deliveries.none": "Không có gì đang chờ",
    "deliveries.none.text": "Mọi sự kiện đã được gửi.",
    event: "Sự kiện",
    time: "Thời gian",
    givenUp: "Đã bỏ",
    waiting: "Đang chờ",
    attempts: "Số lần thử: {count}",
    answer: "Trả lời gần nhất",
    next: "lần tiếp theo",
    redeliver: "Gửi lại",
    "redeliver.one": "Gửi lại {event}",
    "redeliver.many": "Gửi lại…",
    "redeliver.which": "Những sự kiện nào",
    "redeliver.undelivered": "Những sự kiện đang chờ hoặc đã bỏ",
    "redeliver.since": "Tất cả trong nhật ký từ một thời điểm",
    "redeliver.count": "Số sự kiện sẽ gửi lại: {count}",
    since: "Từ",
    "since.hint": "Giờ địa phương của bạn. Tối đa 10.000 sự kiện. Sự kiện đã gửi cũng được gửi lại.",
    functions: "Hàm chặn",
    "functions.text": "Máy chủ chờ trả lời của chương trình này, và người dùng cũng chờ: mặc định tối đa 7 giây.",
    beforeCreate: "Quyết định có tạo tài khoản hay không.",
    beforeSignIn: "Quyết định có bắt đầu phiên hay không, kể cả phiên đầu của tài khoản mới.",
    notSet: "Chưa thiết lập",
    setUp: "Thiết lập",
    onFailure: "Khi hàm gặp lỗi",
    "onFailure.refuse": "Từ chối yêu cầu",
    "onFailure.allow": "Tiếp tục không cần hàm",
    "onFailure.hint": "Từ chối nếu hàm bảo vệ điều gì đó. Tiếp tục nếu hàm chỉ thêm claim.",
    "function.delete": "Gỡ bỏ {trigger}?",
    "function.delete.text": "Yêu cầu tiếp tục mà không hỏi hàm. Những gì hàm bảo vệ sẽ không còn được bảo vệ.",
    forward: "Token của nhà cung cấp gửi cho các hàm",
    "forward.none": "Không có",
    "forward.change": "Thay đổi những gì được gửi",
    "forward.text": "Với các token này, chương trình có thể thay mặt người dùng tại nhà cung cấp. Chỉ gửi những gì cần thiết.",
    "forward.idToken": "ID token",
    "forward.accessToken": "Access token",
    "forward.refreshToken": "Refresh token",
    codes: "Mã qua tin nhắn",
    "codes.text": "Gatehouse tạo mã cho số điện thoại. Chương trình của bạn chuyển mã đến dịch vụ SMS.",
    "codes.hidden": "Chỉ quản trị viên thấy thiết lập này.",
    "codes.none": "Chưa có chương trình gửi mã",
    "codes.none.text": "Không có chương trình này thì không tin nhắn nào được gửi.",
    "codes.rotate.text": "Yêu cầu tiếp theo chỉ được ký bằng khóa mới. Hãy để chương trình chấp nhận cả hai khóa trước khi tiếp tục.",
    "codes.delete": "Gỡ bỏ chương trình gửi mã?",
    "codes.delete.text": "Người dùng không thể đăng nhập bằng mã mới cho đến khi có chương trình khác.",
  },
});
