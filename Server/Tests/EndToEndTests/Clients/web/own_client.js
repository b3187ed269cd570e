// A client of page.js that calls the server and gapi as Google's SDK does, in little code. It needs no
// bundle, so every run of the tests can use it.
"use strict";

function makeClient({ server, apiKey, authDomain, isEmulator, appName = "[DEFAULT]" }) {
  const version = "12.18.0";
  const folder = isEmulator ? `${server}/emulator/auth` : `https://${authDomain}/__/auth`;
  const api = isEmulator ? `${server}/identitytoolkit.googleapis.com/v1` : `${server}/v1`;
  const kept = window.sessionStorage;
  const waiting = new Map();
  let redirected;
  const redirectEvent = new Promise((resolve) => { redirected = resolve; });

  class Failure extends Error {
    constructor(code, message = code) {
      super(message);
      this.code = code;
    }
  }

  let language = null;

  async function call(method, body) {
    const answer = await fetch(`${api}/accounts:${method}?key=${apiKey}`, {
      method: "POST", body: JSON.stringify(body),
      headers: {
        "content-type": "application/json", "x-client-version": `Chrome/JsCore/${version}`,
        ...(language && { "x-firebase-locale": language }),
      },
    });
    const json = await answer.json();
    if (json.pendingToken) credential = json;
    const message = answer.ok ? json.errorMessage : json.error.message;
    if (json.needConfirmation) throw new Failure("NEED_CONFIRMATION");
    if (message) throw new Failure(message.split(" : ")[0], message);
    return json;
  }

  // MARK: The frame

  function loadGapi() {
    return new Promise((resolve, reject) => {
      const load = () =>
        gapi.load("gapi.iframes", { callback: () => resolve(gapi.iframes.getContext()) });
      if (window.gapi?.iframes?.Iframe) return resolve(gapi.iframes.getContext());
      if (window.gapi?.load) return load();
      window.__loaded = load;
      const script = document.createElement("script");
      script.src = "https://apis.google.com/js/api.js?onload=__loaded";
      script.onerror = reject;
      document.head.append(script);
    });
  }

  let opened;
  function openFrame() {
    opened ??= (async () => {
      const context = await loadGapi();
      const filter = gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER;
      const query = new URLSearchParams({ apiKey, appName, v: version, eid: "p" });
      const iframe = await context.open({
        where: document.body, url: `${folder}/iframe?${query}`, messageHandlersFilter: filter,
        attributes: { style: { position: "absolute", top: "-100px" }, "aria-hidden": "true" },
        dontclear: true,
      }, async (found) => {
        await found.restyle({ setHideOnLeave: false });
        await found.ping(() => {});
        return found;
      });
      iframe.register("authEvent", ({ authEvent }) => ({ status: handle(authEvent) }), filter);
      return iframe;
    })();
    return opened;
  }

  function handle(event) {
    if (event.type.endsWith("Popup")) {
      const resolve = waiting.get(event.eventId);
      waiting.delete(event.eventId);
      resolve?.(event);
      return resolve ? "ACK" : "ERROR";
    }
    redirected(event);
    return "ACK";
  }

  // MARK: The result of a sign-in

  async function finish(event) {
    if (event.error) throw new Failure(event.error.code, event.error.message);
    const kind = event.type.replace(/Via.*/, "");
    const body = {
      requestUri: event.urlResponse, sessionId: event.sessionId, returnSecureToken: true,
      returnIdpCredential: true,
    };
    if (kind === "link") body.idToken = user().idToken;
    const answer = await call("signInWithIdp", body);
    const previous = user();
    if (kind === "reauth" && answer.localId !== previous.uid) throw new Failure("auth/user-mismatch");
    keep({ uid: answer.localId, idToken: answer.idToken });
    const { users: [account] } = await call("lookup", { idToken: answer.idToken });
    return {
      operation: { signIn: "signIn", link: "link", reauth: "reauthenticate" }[kind],
      uid: answer.localId, email: account.email ?? null, isNewUser: answer.isNewUser ?? false,
      isAnonymous: false,
      providers: (account.providerUserInfo ?? []).map((info) => info.providerId),
      credential: { providerId: answer.providerId, idToken: answer.oauthIdToken },
    };
  }

  // The credential from the last response, as in Google's SDK: Google's has no pending token.
  let credential = null;

  async function later(kind) {
    const { oauthIdToken, oauthAccessToken, pendingToken, providerId } = credential;
    const body = { requestUri: "http://localhost", returnSecureToken: true };
    if (providerId === "google.com") {
      body.postBody = `&${new URLSearchParams({
        id_token: oauthIdToken, access_token: oauthAccessToken, providerId,
      })}`;
    } else {
      body.pendingToken = pendingToken;
    }
    if (kind === "link") body.idToken = user().idToken;
    if (kind === "reauth") body.autoCreate = false;
    const answer = await call("signInWithIdp", body);
    if (kind === "reauth" && answer.localId !== user().uid) throw new Failure("auth/user-mismatch");
    keep({ uid: answer.localId, idToken: answer.idToken });
    return {
      operation: { signIn: "signIn", link: "link", reauth: "reauthenticate" }[kind],
      uid: answer.localId,
    };
  }

  function user() { return JSON.parse(kept.getItem("user")); }

  function keep(found) { kept.setItem("user", JSON.stringify(found)); }

  function handlerURL(mode, provider, parameters, eventId) {
    const query = new URLSearchParams({
      apiKey, appName, authType: mode, redirectUrl: location.href, v: version, providerId: provider,
      customParameters: JSON.stringify(parameters),
    });
    if (eventId) query.set("eventId", eventId);
    return `${folder}/handler?${query}`;
  }

  async function enter(method, body) {
    const made = await call(method, { ...body, returnSecureToken: true });
    keep({ uid: made.localId, idToken: made.idToken });
    return made.localId;
  }

  async function send(requestType, body, continueUrl) {
    await call("sendOobCode", { requestType, ...body, continueUrl });
  }

  const random = () => String(Math.random()).slice(2);

  return {
    async popup(kind, provider, parameters) {
      const eventId = random();
      const url = handlerURL(`${kind}ViaPopup`, provider, parameters, eventId);
      // Opens the popup during the click, because the browser blocks a later one.
      const popup = window.open(url, eventId, "width=500,height=600");
      if (!popup) throw new Failure("auth/popup-blocked");
      const event = new Promise((resolve) => waiting.set(eventId, resolve));
      const iframe = await openFrame();
      const filter = gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER;
      const supported = await new Promise((resolve) =>
        iframe.send("webStorageSupport", { type: "webStorageSupport" }, resolve, filter));
      if (!supported[0].webStorageSupport) throw new Failure("auth/web-storage-unsupported");
      const closed = new Promise((resolve, reject) => {
        const timer = setInterval(() => {
          if (!popup.closed) return;
          clearInterval(timer);
          setTimeout(() => reject(new Failure("auth/popup-closed-by-user")), 2000);
        }, 100);
      });
      try {
        return await finish(await Promise.race([event, closed]));
      } finally {
        popup.close();
      }
    },
    async redirect(kind, provider, parameters) {
      kept.setItem("pending", "true");
      const eventId = kind === "signIn" ? null : `${user().uid}:::${random()}`;
      location.href = handlerURL(`${kind}ViaRedirect`, provider, parameters, eventId);
      return new Promise(() => {});
    },
    async result() {
      if (kept.getItem("pending") !== "true") return null;
      kept.removeItem("pending");
      await openFrame();
      const event = await redirectEvent;
      return event.type === "unknown" ? null : finish(event);
    },
    later,
    async anonymous() {
      const made = await call("signUp", { returnSecureToken: true });
      keep({ uid: made.localId, idToken: made.idToken });
      return made.localId;
    },
    async user() {
      if (!user()) return null;
      const { users: [account] } = await call("lookup", { idToken: user().idToken });
      return {
        uid: account.localId, email: account.email ?? null, isVerified: account.emailVerified,
        providers: (account.providerUserInfo ?? []).map((info) => info.providerId),
      };
    },
    async signOut() { keep(null); },
    async speak(named) { language = named; },
    createUser: (email, password) => enter("signUp", { email, password }),
    signIn: (email, password) => enter("signInWithPassword", { email, password }),
    verify: (url) => send("VERIFY_EMAIL", { idToken: user().idToken }, url),
    change: (newEmail, url) =>
      send("VERIFY_AND_CHANGE_EMAIL", { idToken: user().idToken, newEmail }, url),
    reset: (email, url) => send("PASSWORD_RESET", { email }, url),
    sendLink: (email, url) => send("EMAIL_SIGNIN", { email, canHandleCodeInApp: true }, url),
    async followLink(email) {
      const oobCode = new URLSearchParams(location.search).get("oobCode");
      return enter("signInWithEmailLink", { email, oobCode });
    },
  };
}
